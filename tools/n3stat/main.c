// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* n3stat: see where the cycles of Neoverse N3 CPUs go. */
#include <argp.h>
#include <stdlib.h>

#include "dispatch.h"
#include "lib/signals.h"
#include "lib/util.h"
#include "libn3telemetry/catalog.h"

const char *argp_program_version;

int main(int argc, char **argv)
{
	char *version;
	int ret;

	streams_open();
	atexit(streams_close);
	version = format_string("n3stat %s", catalog_version);
	argp_program_version = version;
	argp_err_exit_status = EXIT_BAD_USAGE;
	signals_start();
	/* A note of argp that says little, so that the help fits a screen. */
	setenv("ARGP_HELP_FMT", "no-dup-args-note", 0);
	catalog_init();
	if (argc < 1)
		return EXIT_BAD_USAGE;
	ret = dispatch(argc, argv);
	free(version);
	return ret;
}
