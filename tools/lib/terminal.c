// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Size and abilities of the terminal. */
#include <langinfo.h>
#include <locale.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "terminal.h"

static atomic_bool screen_changed;

const char *plus_minus(void)
{
	const char *sign = "+-";
	/* Names are compared in the C locale, so setlocale() is not called. */
	locale_t locale = newlocale(LC_CTYPE_MASK, "", NULL);

	if (!locale)
		return sign;
	if (!strcmp(nl_langinfo_l(CODESET, locale), "UTF-8"))
		sign = "±";
	freelocale(locale);
	return sign;
}

/* Only on a terminal, and unless NO_COLOR is set and not empty (no-color.org). */
bool use_colour(FILE *out)
{
	const char *no_colour = getenv("NO_COLOR");
	const char *term = getenv("TERM");

	return isatty(fileno(out)) && (!no_colour || !*no_colour) &&
	       term && strcmp(term, "dumb");
}

size_t screen_width(size_t otherwise)
{
	struct winsize size;

	if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) || !size.ws_col)
		return otherwise;
	return size.ws_col;
}

size_t screen_height(size_t otherwise)
{
	struct winsize size;

	if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size))
		return otherwise;
	return size.ws_row ? size.ws_row : 24;
}

static void on_winch(int sig)
{
	(void)sig;
	screen_changed = true;
}

void watch_screen(void)
{
	struct sigaction action = { .sa_handler = on_winch };

	sigaction(SIGWINCH, &action, NULL);
}

bool screen_resized(void)
{
	return screen_changed;
}

bool screen_has_changed(void)
{
	bool changed = screen_changed;

	screen_changed = false;
	return changed;
}
