// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Check that a command can be executed, before it is needed. */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "command_path.h"
#include "util.h"

/* execvp()'s default for an unset PATH. */
#define DEFAULT_PATH	"/bin:/usr/bin"

/* Return: 0, or the exit code for the reason why not. */
static enum exit_code check_file(const char *path)
{
	struct stat st;

	if (stat(path, &st))
		return EXIT_NO_COMMAND;
	return S_ISREG(st.st_mode) && !access(path, X_OK) ? 0 : EXIT_NOT_EXECUTABLE;
}

static enum exit_code find(const char *name)
{
	const char *path = getenv("PATH");
	char *list = xstrdup(path ? path : DEFAULT_PATH), *rest = list, *directory, *full;
	enum exit_code code = EXIT_NO_COMMAND, here;

	while (code && (directory = strsep(&rest, ":"))) {
		full = format_string("%s/%s", *directory ? directory : ".", name);
		here = check_file(full);
		free(full);
		if (here != EXIT_NO_COMMAND)
			code = here;
	}
	free(list);
	return code;
}

void command_path_check(const char *name)
{
	enum exit_code code;

	if (!*name)
		code = EXIT_NO_COMMAND;
	else
		code = strchr(name, '/') ? check_file(name) : find(name);
	if (code == EXIT_NO_COMMAND)
		die(ERR_COMMAND_NOT_FOUND,
		    "no command '%s'%s", name, strchr(name, '/') ? "" : " in PATH");
	if (code)
		die(ERR_NOT_EXECUTABLE,
		    "%s cannot be executed: no program, or no permission", name);
}
