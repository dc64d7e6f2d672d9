// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* n3stat: see where the cycles of Neoverse N3 CPUs go. */
#include "cli/program.h"
#include "dispatch.h"
#include "lib/util.h"

int main(int argc, char **argv)
{
	program_start();
	if (argc < 1)
		return EXIT_BAD_USAGE;
	return dispatch(argc, argv);
}
