// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* The series in a file, for the textfile collector of node_exporter. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "exporter.h"
#include "lib/errors.h"
#include "lib/memory.h"
#include "lib/signals.h"
#include "reader/telemetry.h"

/* Counters may reveal the activity of other users: only the owner and the group can read them. */
#define MODE	0640

/* Return: 0 or a negative errno. */
static int write_to(int fd, const char *text, size_t len)
{
	FILE *out = fdopen(fd, "w");
	int error = 0;

	if (!out)
		error = -errno;
	else if (fchmod(fd, MODE) || fwrite(text, 1, len, out) < len || fflush(out))
		error = -errno;
	if (!out)
		close(fd);
	else if (fclose(out) && !error)
		error = -errno;
	return error;
}

/* The root user could replace a device or a link of the system. */
static bool may_replace(const char *name)
{
	struct stat st;

	return lstat(name, &st) || S_ISREG(st.st_mode);
}

/*
 * Replaces the file as a whole, so that no reader sees half of it. The temporary name has no
 * ".prom" at its end, which the collector looks for. Return: 0 or a negative errno.
 */
static int replace(const char *name, const char *text, size_t len)
{
	char *temporary;
	int fd, error;

	if (!may_replace(name))
		return -EEXIST;
	temporary = format_string("%s.XXXXXX", name);
	fd = mkostemp(temporary, O_CLOEXEC);
	if (fd < 0) {
		error = -errno;
	} else {
		error = write_to(fd, text, len);
		if (!error && rename(temporary, name))
			error = -errno;
		if (error)
			unlink(temporary);
	}
	free(temporary);
	return error;
}

static const struct error_kind *kind_of(int error)
{
	return error == -EACCES || error == -EPERM ? ERR_PERMISSION_DENIED : ERR_CANNOT_WRITE;
}

static const char *text_of(int error)
{
	return error == -EEXIST ? "not a regular file" : strerror(-error);
}

static void __noreturn die_of(const char *name, int error)
{
	die(kind_of(error), "%s: %s", name, text_of(error));
}

void textfile_once(struct exporter *exporter, const char *name)
{
	size_t len;
	bool ok;
	char *text = exporter_read(exporter, &len, &ok);
	int error = replace(name, text, len);

	free(text);
	if (error)
		die_of(name, error);
	must(ok);
}

/* Return: false after a signal. */
static bool wait_for(const sigset_t *ending, double seconds)
{
	struct timespec timeout = {
		.tv_sec = (time_t)seconds,
		.tv_nsec = (long)((seconds - (double)(time_t)seconds) * 1e9),
	};

	return sigtimedwait(ending, NULL, &timeout) < 0;
}

static void write_end(struct exporter *exporter, const char *name)
{
	size_t len;
	char *text;

	exposition_clear(&exporter->exposition);
	exposition_add(&exporter->exposition, FAMILY_UP, "", "", "0");
	text = exposition_text(&exporter->exposition, &len);
	replace(name, text, len);
	free(text);
}

/* Return: 0 or a negative errno. */
static int write_series(struct exporter *exporter, const char *name)
{
	size_t len;
	bool ok;
	char *text = exporter_read_and_warn(exporter, &len, &ok);
	int error = replace(name, text, len);

	free(text);
	return error;
}

/* A wrong path at the start is an error; later, a full disk may have space again. */
void textfile_run(struct exporter *exporter, const char *name, double interval)
{
	int error, before = 0;
	sigset_t ending;

	signals_to_wait_for(&ending);
	sigprocmask(SIG_BLOCK, &ending, NULL);
	error = write_series(exporter, name);
	if (error)
		die_of(name, error);
	while (wait_for(&ending, interval)) {
		error = write_series(exporter, name);
		if (error && !before)
			warn(kind_of(error), "%s: %s", name, text_of(error));
		before = error;
	}
	write_end(exporter, name);
}
