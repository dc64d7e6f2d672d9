// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Findings about a machine, and the commands that fix them. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "finding.h"
#include "json.h"
#include "keys.h"
#include "machine.h"
#include "memory.h"
#include "text.h"

static const char * const words[] = {
	[FINDING_OK] = "ok",
	[FINDING_NOTE] = "note",
	[FINDING_WARNING] = "warning",
	[FINDING_ERROR] = "error",
};

static struct {
	const char *(*fix)(const char *id);
	json_object *array;
	enum severity worst;
} findings;

static void print_plain(const char *text)
{
	char *plain = plain_copy(text);

	fputs(plain, stdout);
	free(plain);
}

static void print(enum severity severity, const char *id, const char *command, const char *text)
{
	printf("%-8s ", words[severity]);
	print_plain(text);
	printf(" [%s]\n", id);
	if (command) {
		printf("%-8s try: ", "");
		print_plain(command);
		putchar('\n');
	}
}

static void collect(enum severity severity, const char *id, const char *command, const char *text)
{
	json_object *object = json_object_new_object();

	json_add(object, "severity", json_object_new_string(words[severity]));
	json_add(object, "id", json_object_new_string(id));
	json_add(object, "text", json_object_new_string(text));
	json_add(object, "try", command ? json_object_new_string(command) : NULL);
	json_append(findings.array, object);
}

void finding(enum severity severity, const char *id, const char *command,
	     const char *format, ...)
{
	va_list args;
	char *text;

	va_start(args, format);
	text = format_args(format, args);
	va_end(args);
	if (!command)
		command = findings.fix(id);
	if (findings.array)
		collect(severity, id, command, text);
	else
		print(severity, id, command, text);
	free(text);
	if (severity > findings.worst)
		findings.worst = severity;
}

void findings_start(const char *(*fix)(const char *id))
{
	findings.fix = fix;
	findings.worst = FINDING_OK;
}

void findings_collect(json_object *array)
{
	findings.array = array;
}

enum severity findings_worst(void)
{
	return findings.worst;
}

json_object *json_of_simulated(const struct machine *machine)
{
	char text[MACHINE_MAX_TEXT];

	if (module_read(machine, "spec", text, sizeof(text)) <= 0)
		return machine->has_module ? json_object_new_boolean(false) : NULL;
	return json_object_new_boolean(key_has(text, "simulated", "1"));
}
