// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* n3stat: Topdown analysis of Neoverse N3 CPUs. */
#include "cli/program.h"
#include "commands.h"
#include "lib/errors.h"

int main(int argc, char **argv)
{
	program_start(argc, argv);
	if (argc < 1)
		return EXIT_BAD_USAGE;
	return dispatch(argc, argv);
}
