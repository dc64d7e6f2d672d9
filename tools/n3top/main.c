// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* n3top: values of the CPUs on a screen that is kept up to date; also run as "n3stat top". */
#include "lib/errors.h"
#include "lib/program.h"
#include "reader/telemetry.h"
#include "top.h"

int main(int argc, char **argv)
{
	program_start(argc, argv);
	telemetry_start();
	errors_program("n3stat top");
	if (argc)
		argv[0] = (char *)"n3stat top";
	return command_top(argc, argv);
}
