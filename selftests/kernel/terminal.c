// SPDX-License-Identifier: GPL-2.0
/*
 * terminal COMMAND [ARG]... - runs it on a separate terminal, 24 lines of 80 columns,
 * and follows the lines of the standard input:
 *
 *	see REGEX	wait for a line of the screen that matches
 *	press KEY	up, down, right or left
 *	type TEXT	literally
 *	save FILE	contents of the screen
 *
 * Then it waits for the command and exits with its status; with 125 if something does
 * not appear in time. It knows the sequences that ncurses sends to a vt100, a linux and
 * an xterm, and stops at any other: a guessed screen would prove nothing.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <poll.h>
#include <pty.h>
#include <regex.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define LINES	24
#define COLUMNS	80
#define TIMEOUT		30	/* seconds */

static char screen[LINES][COLUMNS];
static int x, y;
static char last;			/* character drawn, for "repeat" */
static bool application_keys;		/* changes what arrow keys send */
static int terminal;
static bool closed;			/* by the command */

static void __attribute__((noreturn, format(printf, 1, 2))) die(const char *format, ...)
{
	va_list args;

	fputs("terminal: ", stderr);
	va_start(args, format);
	vfprintf(stderr, format, args);
	va_end(args);
	fputc('\n', stderr);
	for (int i = 0; i < LINES; i++)
		fprintf(stderr, "|%.*s|\n", COLUMNS, screen[i]);
	exit(125);
}

static int between(int low, int value, int high)
{
	return value < low ? low : value > high ? high : value;
}

static void move_to(int line, int column)
{
	y = between(0, line, LINES - 1);
	x = between(0, column, COLUMNS - 1);
}

static void erase(int line, int from, int to)
{
	memset(&screen[line][from], ' ', to - from);
}

static void draw(char c)
{
	/* After the last column the next character wraps. */
	if (x == COLUMNS)
		move_to(y + 1, 0);
	screen[y][x++] = c;
	last = c;
}

static void erase_in_screen(int what)
{
	if (what == 0) {
		erase(y, between(0, x, COLUMNS), COLUMNS);
		for (int i = y + 1; i < LINES; i++)
			erase(i, 0, COLUMNS);
	} else {
		for (int i = 0; i < LINES; i++)
			erase(i, 0, COLUMNS);
	}
}

static void erase_in_line(int what)
{
	int at = between(0, x, COLUMNS - 1);

	if (what == 0)
		erase(y, at, COLUMNS);
	else
		erase(y, 0, what == 1 ? at + 1 : COLUMNS);
}

static void shift_line(int by)
{
	int n = between(0, abs(by), COLUMNS - x);
	char *at = &screen[y][x];

	if (by > 0) {
		memmove(at + n, at, COLUMNS - x - n);
		erase(y, x, x + n);
	} else {
		memmove(at, at + n, COLUMNS - x - n);
		erase(y, COLUMNS - n, COLUMNS);
	}
}

/* ESC [ P ; Q FINAL */
static void control(const char *text, char final)
{
	int p = 0, q = 0, n;

	if (*text == '?') {
		if (!strcmp(text, "?1"))
			application_keys = final == 'h';
		return;
	}
	sscanf(text, "%d;%d", &p, &q);
	n = p ? p : 1;
	switch (final) {
	case 'H':
		move_to(n - 1, (q ? q : 1) - 1);
		break;
	case 'A':
		move_to(y - n, x);
		break;
	case 'B':
		move_to(y + n, x);
		break;
	case 'C':
		move_to(y, x + n);
		break;
	case 'D':
		move_to(y, x - n);
		break;
	case 'G':
		move_to(y, n - 1);
		break;
	case 'd':
		move_to(n - 1, x);
		break;
	case 'J':
		erase_in_screen(p);
		break;
	case 'K':
		erase_in_line(p);
		break;
	case 'X':
		erase(y, x, between(x, x + n, COLUMNS));
		break;
	case '@':
		shift_line(n);
		break;
	case 'P':
		shift_line(-n);
		break;
	case 'b':
		while (n--)
			draw(last);
		break;
	/* colours, modes, margins of the whole screen, windows */
	case 'm':
	case 'h':
	case 'l':
	case 't':
		break;
	case 'r':
		move_to(0, 0);
		break;
	default:
		die("unknown sequence ESC [ %s %c", text, final);
	}
}

/* Returns whether the sequence is incomplete. */
static bool escape(const char *text, size_t nr)
{
	char final = text[nr - 1];

	switch (text[0]) {
	case '[':
		if (nr == 1 || final < '@')
			return true;
		control(strndupa(text + 1, nr - 2), final);
		return false;
	case '(':
	case ')':
		return nr < 2;
	case ']':
		/* linux: resets the palette; xterm: anything up to a bell */
		return nr < 2 || (text[1] != 'R' && final != '\a');
	case 'M':
		move_to(y - 1, x);
		return false;
	case '=':
	case '>':
	case '7':
	case '8':
		return false;
	default:
		die("unknown sequence ESC %c", text[0]);
	}
}

static void take(char c)
{
	static char text[64];
	static size_t nr;
	static bool escaped;

	if (escaped) {
		text[nr++] = c;
		if (nr == sizeof(text))
			die("an escape sequence is too long");
		escaped = escape(text, nr);
		return;
	}
	switch (c) {
	case '\033':
		escaped = true;
		nr = 0;
		break;
	case '\r':
		x = 0;
		break;
	case '\n':
		if (y == LINES - 1)
			die("the screen scrolls");
		y++;
		break;
	case '\b':
		move_to(y, x - 1);
		break;
	case '\t':
		move_to(y, (x | 7) + 1);
		break;
	case '\a':
	case '\016':
	case '\017':
		break;
	default:
		if ((unsigned char)c < ' ')
			die("unknown control character %d", c);
		draw(c);
	}
}

/* Returns whether anything was received within the time. */
static bool listen_for(int milliseconds)
{
	struct pollfd fd = { .fd = terminal, .events = POLLIN };
	char text[4096];
	ssize_t n;

	if (closed || poll(&fd, 1, milliseconds) <= 0)
		return false;
	n = read(terminal, text, sizeof(text));
	closed = n <= 0;
	for (ssize_t i = 0; i < n; i++)
		take(text[i]);
	return !closed;
}

static double now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

/* A line of the screen without trailing spaces. */
static const char *line(int nr)
{
	static char text[COLUMNS + 1];
	int length = COLUMNS;

	while (length > 0 && screen[nr][length - 1] == ' ')
		length--;
	memcpy(text, screen[nr], length);
	text[length] = '\0';
	return text;
}

static bool on_screen(const regex_t *regex)
{
	for (int i = 0; i < LINES; i++)
		if (!regexec(regex, line(i), 0, NULL, 0))
			return true;
	return false;
}

static void see(const char *text)
{
	double deadline = now() + TIMEOUT;
	regex_t regex;

	if (regcomp(&regex, text, REG_EXTENDED | REG_NOSUB))
		die("%s: invalid regular expression", text);
	while (!on_screen(&regex)) {
		if (closed || now() > deadline)
			die("%s: does not appear", text);
		listen_for(100);
	}
	regfree(&regex);
}

static void save(const char *name)
{
	FILE *file = fopen(name, "w");

	/* The screen is complete when nothing more is received. */
	while (listen_for(100))
		;
	if (!file)
		die("%s: %s", name, strerror(errno));
	for (int i = 0; i < LINES; i++)
		fprintf(file, "%s\n", line(i));
	fclose(file);
}

static void type(const char *text)
{
	if (write(terminal, text, strlen(text)) < 0)
		die("typing: %s", strerror(errno));
}

static void press(const char *key)
{
	static const char * const keys[] = { "up", "down", "right", "left" };
	char text[4];

	for (int i = 0; i < 4; i++) {
		if (strcmp(key, keys[i]))
			continue;
		snprintf(text, sizeof(text), "\033%c%c", application_keys ? 'O' : '[', 'A' + i);
		type(text);
		return;
	}
	die("%s: no such key", key);
}

static void follow(FILE *input)
{
	char *text = NULL, *rest;
	size_t room = 0;

	while (getline(&text, &room, input) > 0) {
		text[strcspn(text, "\n")] = '\0';
		rest = strchrnul(text, ' ');
		if (*rest)
			*rest++ = '\0';
		if (!strcmp(text, "see"))
			see(rest);
		else if (!strcmp(text, "press"))
			press(rest);
		else if (!strcmp(text, "type"))
			type(rest);
		else if (!strcmp(text, "save"))
			save(rest);
		else
			die("%s: unknown command", text);
	}
	free(text);
}

int main(int argc, char **argv)
{
	struct winsize size = { .ws_row = LINES, .ws_col = COLUMNS };
	double deadline;
	int status;
	pid_t pid;

	if (argc < 2) {
		fputs("usage: terminal COMMAND [ARG]...\n", stderr);
		return 125;
	}
	erase_in_screen(2);
	pid = forkpty(&terminal, NULL, NULL, &size);
	if (pid < 0)
		die("no pseudo terminal: %s", strerror(errno));
	if (!pid) {
		execvp(argv[1], argv + 1);
		perror(argv[1]);
		_exit(125);
	}
	follow(stdin);
	for (deadline = now() + TIMEOUT; !closed; listen_for(100))
		if (now() > deadline)
			die("%s does not exit", argv[1]);
	if (waitpid(pid, &status, 0) < 0 || !WIFEXITED(status))
		die("%s was killed", argv[1]);
	return WEXITSTATUS(status);
}
