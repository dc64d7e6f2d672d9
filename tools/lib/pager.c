// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Pager for long output on a terminal, as in git. */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "child.h"
#include "pager.h"
#include "signals.h"

FILE *pager_start(void)
{
	const char *command = getenv("PAGER");
	FILE *pager;

	if (!command && child_has_command("less"))
		command = "less";
	if (!isatty(STDOUT_FILENO) || !command || !*command || !strcmp(command, "cat"))
		return NULL;
	/* Short texts stay on the screen. */
	setenv("LESS", "FRX", 0);
	signals_restore();
	pager = popen(command, "we");
	signals_start();
	if (!pager)
		return NULL;
	if (isatty(STDERR_FILENO))
		dup2(fileno(pager), STDERR_FILENO);
	dup2(fileno(pager), STDOUT_FILENO);
	/* Ctrl-C is for the pager, which would otherwise lose its terminal to the shell. */
	signal(SIGINT, SIG_IGN);
	signal(SIGQUIT, SIG_IGN);
	return pager;
}

void pager_wait(FILE *pager)
{
	int null;

	if (!pager)
		return;
	fflush(stdout);
	/* Closes the pipe. If the pager was quit, the rest is dropped. */
	null = open("/dev/null", O_WRONLY | O_CLOEXEC);
	dup2(null, STDOUT_FILENO);
	dup2(null, STDERR_FILENO);
	close(null);
	clearerr(stdout);
	pclose(pager);
}
