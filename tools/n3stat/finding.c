// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* n3stat doctor: what it finds, and the command that fixes it. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "finding.h"

static enum severity worst;

/* A copy of a machine may hold anything; a terminal shall not act on it. */
static void print_plain(const char *text)
{
	for (; *text; text++)
		putchar((unsigned char)*text < ' ' || *text == 0x7f ? '?' : *text);
}

void finding(enum severity severity, const char *command, const char *format, ...)
{
	static const char * const words[] = {
		[FINDING_OK] = "ok",
		[FINDING_NOTE] = "note",
		[FINDING_WARNING] = "warning",
		[FINDING_ERROR] = "error",
	};
	va_list args;
	char *text;

	va_start(args, format);
	text = format_args(format, args);
	va_end(args);
	printf("%-8s ", words[severity]);
	print_plain(text);
	putchar('\n');
	if (command) {
		printf("%-8s try: ", "");
		print_plain(command);
		putchar('\n');
	}
	free(text);
	if (severity > worst)
		worst = severity;
}

enum severity finding_worst(void)
{
	enum severity severity = worst;

	worst = FINDING_OK;
	return severity;
}
