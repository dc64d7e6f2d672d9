// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Errors and warnings: one line on standard error, with an id. */
#include <errno.h>
#include <json-c/json.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "errors.h"
#include "plain.h"

#define ERROR(name, id, status, meaning) \
	const struct error_kind ERR_##name[1] = { { id, status } };
#include "lib/errors.def.h"
#undef ERROR

static struct {
	char *program;				/* or NULL */
	bool in_json;
	bool is_dying;
	void (*clean_up)(void *context);	/* or NULL */
	void *context;
} state;

const struct error_kind *access_error(int error, const char **text)
{
	switch (error) {
	case ENOENT:
		*text = "no such directory";
		return ERR_NO_DIRECTORY;
	case ENOTDIR:
		*text = "not a directory";
		return ERR_NO_DIRECTORY;
	case EACCES:
		*text = "permission denied";
		return ERR_PERMISSION_DENIED;
	case ENODATA:
		*text = "no copy of the module's directory: it has no cpu*";
		return ERR_NOT_A_COPY;
	case EPERM:
		*text = "operation not permitted";
		return ERR_PERMISSION_DENIED;
	default:
		*text = strerror(error);
		return ERR_CANNOT_READ;
	}
}

void errors_program(const char *name)
{
	free(state.program);
	state.program = strdup(name);
}

void errors_in_json(bool on)
{
	state.in_json = on;
}

bool is_dying(void)
{
	return state.is_dying;
}

void before_dying(void (*clean_up)(void *context), void *context)
{
	state.clean_up = clean_up;
	state.context = context;
}

static void clean_up(void)
{
	void (*fn)(void *context) = state.clean_up;

	state.clean_up = NULL;
	if (fn)
		fn(state.context);
}

/* Return: the message, which the caller frees, or NULL. It may contain names from files. */
static char *format_message(const char *format, va_list args)
{
	char *text;

	if (vasprintf(&text, format, args) < 0)
		return NULL;
	plain_text(text);
	return text;
}

static void print_message(const struct error_kind *kind, const char *text)
{
	fprintf(stderr, "%s: %s [%s]\n",
		state.program ? state.program : program_invocation_short_name, text, kind->id);
}

/* Commands print each JSON object in one piece, so this one is never nested in another. */
static void print_json(const struct error_kind *kind, const char *text)
{
	json_object *object = json_object_new_object(), *error = json_object_new_object();

	if (!object || !error ||
	    json_object_object_add(error, "id", json_object_new_string(kind->id)) ||
	    json_object_object_add(error, "message", json_object_new_string(text)) ||
	    json_object_object_add(object, "error", error))
		return;
	puts(json_object_to_json_string_ext(object, JSON_C_TO_STRING_PLAIN |
					    JSON_C_TO_STRING_NOSLASHESCAPE));
	json_object_put(object);
}

void die(const struct error_kind *kind, const char *format, ...)
{
	va_list args;
	char *text;

	state.is_dying = true;
	clean_up();
	va_start(args, format);
	text = format_message(format, args);
	va_end(args);
	if (!text)
		kind = ERR_OUT_OF_MEMORY;
	if (state.in_json)
		print_json(kind, text ? text : "out of memory");
	/* Earlier output precedes the error. */
	fflush(stdout);
	print_message(kind, text ? text : "out of memory");
	free(text);
	exit(kind->status);
}

void out_of_memory(void)
{
	die(ERR_OUT_OF_MEMORY, "out of memory");
}

void warn(const struct error_kind *kind, const char *format, ...)
{
	va_list args;
	char *text;

	va_start(args, format);
	text = format_message(format, args);
	va_end(args);
	print_message(text ? kind : ERR_OUT_OF_MEMORY, text ? text : "out of memory");
	free(text);
}
