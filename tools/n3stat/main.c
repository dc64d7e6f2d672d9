// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* n3stat: Topdown analysis of Neoverse N3 CPUs. */
#include "commands.h"
#include "lib/errors.h"
#include "lib/program.h"
#include "reader/telemetry.h"

int main(int argc, char **argv)
{
	program_start(argc, argv);
	telemetry_start();
	if (argc < 1)
		return EXIT_BAD_USAGE;
	return dispatch(argc, argv);
}
