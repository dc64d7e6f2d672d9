// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * infer DIR PLACE GROUP - what the library infers from the moments of a place's CPUs: lines of the
 * group's file
 */
#include <stdio.h>

#include "lib/errors.h"
#include "libn3telemetry/catalog.h"
#include "libn3telemetry/infer.h"
#include "libn3telemetry/source.h"

int main(int argc, char **argv)
{
	static struct source source;
	struct place place;
	char *text;

	if (argc != 4 || !catalog_init() || !place_parse(argv[2], &place))
		return EXIT_BAD_USAGE;
	if (!source_open(&source, argv[1]) || !infer_file(&source, &place, argv[3], &text))
		die(source.failure.kind, "%s", source.failure.text ?: "out of memory");
	if (!text)
		die(ERR_NO_SUCH_PLACE, "%s: no moments, or no such group", argv[2]);
	fputs(text, stdout);
	source_close(&source);
	return 0;
}
