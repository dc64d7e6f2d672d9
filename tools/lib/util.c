// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Helpers of all units: memory, text, the terminal, time, output. */
#include <errno.h>
#include <fcntl.h>
#include <langinfo.h>
#include <locale.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "disk.h"
#include "text.h"
#include "util.h"

static atomic_bool screen_changed;

/* Return: the array with room for nr elements; never NULL. */
void *xreallocarray(void *array, size_t nr, size_t size)
{
	/* Size 0 would free the array. */
	void *bigger = reallocarray(array, nr ? nr : 1, size);

	if (!bigger)
		die(ERR_OUT_OF_MEMORY, "out of memory");
	return bigger;
}

void *xgrow(void *array, size_t nr, size_t *max, size_t size)
{
	if (nr < *max)
		return array;
	*max = *max ? *max * 2 : 64;
	return xreallocarray(array, *max, size);
}

void *xcalloc(size_t nr, size_t size)
{
	void *array = calloc(nr ? nr : 1, size);

	if (!array)
		die(ERR_OUT_OF_MEMORY, "out of memory");
	return array;
}

char *xstrdup(const char *text)
{
	char *copy = strdup(text);

	if (!copy)
		die(ERR_OUT_OF_MEMORY, "out of memory");
	return copy;
}

char *plain_copy(const char *text)
{
	char *copy = xstrdup(text);

	plain_text(copy);
	return copy;
}

void free_names(char **names)
{
	for (size_t i = 0; names && names[i]; i++)
		free(names[i]);
	free(names);
}

ssize_t xdisk_list(const char *path, char ***names)
{
	ssize_t nr = disk_list(path, names);

	if (nr == -ENOMEM)
		die(ERR_OUT_OF_MEMORY, "out of memory");
	if (nr < 0)
		*names = xcalloc(1, sizeof(**names));
	return nr;
}

char *format_args(const char *format, va_list args)
{
	char *text;

	if (vasprintf(&text, format, args) < 0)
		die(ERR_OUT_OF_MEMORY, "out of memory");
	return text;
}

char *format_string(const char *format, ...)
{
	va_list args;
	char *text;

	va_start(args, format);
	text = format_args(format, args);
	va_end(args);
	return text;
}

const char *plural(unsigned long nr, const char *one, const char *other)
{
	return nr == 1 ? one : other;
}

const char *plus_minus(void)
{
	static const char *sign;
	locale_t locale;

	if (sign)
		return sign;
	sign = "+-";
	/* Names are compared in the C locale, so setlocale() is not called. */
	locale = newlocale(LC_CTYPE_MASK, "", NULL);
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

/* Return: whether the size of the terminal changed since the last call. */
bool screen_has_changed(void)
{
	bool changed = screen_changed;

	screen_changed = false;
	return changed;
}

double monotonic_now(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

/* Return: false if interrupted by a signal. */
static bool sleep_or_signal(double time)
{
	struct timespec at = {
		.tv_sec = (time_t)time,
		.tv_nsec = (long)((time - (double)(time_t)time) * 1e9),
	};

	return clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &at, NULL) != EINTR;
}

void sleep_until(double time)
{
	while (!sleep_or_signal(time))
		;
}

void ticker_start(struct ticker *ticker, double interval)
{
	ticker->next = monotonic_now();
	ticker->interval = interval;
}

/*
 * Waits for the next fixed time, so that the cost of reports does not add up.
 *
 * Return: false if interrupted by a signal.
 */
bool ticker_wait(struct ticker *ticker)
{
	double now;

	ticker->next += ticker->interval;
	while (!sleep_or_signal(ticker->next))
		if (!screen_changed)
			return false;
	/* Do not catch up after the process was stopped. */
	now = monotonic_now();
	if (now - ticker->next > (ticker->interval > 1 ? ticker->interval : 1))
		ticker->next = now;
	return true;
}

void streams_open(void)
{
	/* Opposite direction: access fails with EBADF, as if it were still closed. */
	static const int flags[] = { O_WRONLY, O_RDONLY, O_RDONLY };

	for (int fd = 0; fd < (int)NR(flags); fd++)
		if (fcntl(fd, F_GETFD) < 0 && open("/dev/null", flags[fd]) != fd)
			die(ERR_SYSTEM_ERROR, "/dev/null: %s", strerror(errno));
}

/* A closed pipe is not an error. An earlier write may have set errno. */
static bool reader_is_gone(int fd)
{
	struct pollfd pollfd = { .fd = fd };
	struct stat stat;

	return !fstat(fd, &stat) && (S_ISFIFO(stat.st_mode) || S_ISSOCK(stat.st_mode)) &&
	       poll(&pollfd, 1, 0) > 0 && pollfd.revents & (POLLERR | POLLHUP);
}

void flush_output(FILE *out)
{
	if (!fflush(out) && !ferror(out))
		return;
	if (reader_is_gone(fileno(out)))
		exit(EXIT_SUCCESS);
	die(ERR_CANNOT_WRITE, "cannot write: %s", strerror(errno));
}

void streams_close(void)
{
	bool failed, gone = reader_is_gone(STDOUT_FILENO);

	errno = 0;
	failed = ferror(stdout);
	failed |= fclose(stdout) != 0;
	if (!failed || gone || is_dying())
		return;
	warn(ERR_CANNOT_WRITE, "cannot write%s%s", errno ? ": " : "", errno ? strerror(errno) : "");
	/* This is an exit() handler, and exit() must not be called again. */
	_exit(EXIT_OTHER);
}

/* Truncates the file unless another process writes to it. */
static bool take_over(int fd, const char *name)
{
	struct stat stat;

	if (fstat(fd, &stat))
		return false;
	if (!S_ISREG(stat.st_mode))
		return true;
	if (flock(fd, LOCK_EX | LOCK_NB) && errno == EWOULDBLOCK)
		die(ERR_FILE_IN_USE, "%s: another process is writing to it", name);
	return !ftruncate(fd, 0);
}

FILE *create_private(const char *name)
{
	int fd = open(name, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
	FILE *file = fd < 0 || !take_over(fd, name) ? NULL : fdopen(fd, "w");
	struct stat st;

	/* An existing file keeps its mode, which may allow others to read. */
	if (file && !fstat(fd, &st) && S_ISREG(st.st_mode) && st.st_mode & 077 && fchmod(fd, 0600))
		die(ERR_PERMISSION_DENIED, "%s: others can read it: %s", name, strerror(errno));
	if (!file)
		die(errno == EACCES ? ERR_PERMISSION_DENIED : ERR_CANNOT_WRITE,
		    "%s: %s", name, strerror(errno));
	return file;
}

bool is_same_file(const char *in, const char *out)
{
	bool named = out && strcmp(out, "-");
	struct stat from, to;

	return !stat(in, &from) && S_ISREG(from.st_mode) &&
	       !(named ? stat(out, &to) : fstat(STDOUT_FILENO, &to)) &&
	       from.st_dev == to.st_dev && from.st_ino == to.st_ino;
}

bool words_have(const char *words, const char *word, size_t len)
{
	for (const char *at = words; *at; at += strspn(at, " \n")) {
		size_t n = strcspn(at, " \n");

		if (n == len && !strncmp(at, word, len))
			return true;
		at += n;
	}
	return false;
}

const char *find_value(const char *lines, const char *key, size_t *len)
{
	size_t key_len = strlen(key);

	for (const char *line = lines; *line; line += strspn(line, "\n")) {
		size_t line_len = strcspn(line, "\n");

		if (!strncmp(line, key, key_len) && line[key_len] == ' ') {
			*len = line_len - key_len - 1;
			return line + key_len + 1;
		}
		line += line_len;
	}
	return NULL;
}

char *value_of_key(const char *lines, const char *key)
{
	size_t len;
	const char *value = find_value(lines, key, &len);

	return value ? format_string("%.*s", (int)len, value) : NULL;
}
