// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* n3stat selftest --apply: the setting distrust. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "catalog.h"
#include "common.h"
#include "selftest_apply.h"

/* Return: a descriptor to write it; ends the program if there is none. */
static int open_setting(const char *root)
{
	char *path = format_string("%s/distrust", root);
	int fd = open(path, O_WRONLY | O_CLOEXEC);

	if (fd < 0 && (errno == EACCES || errno == EPERM || errno == EROFS))
		die(EXIT_DENIED, "%s: %s", path, strerror(errno));
	if (fd < 0)
		die(EXIT_NO_MODULE, "%s: %s: n3_telemetry is not loaded, or too old to have it",
		    path, strerror(errno));
	free(path);
	return fd;
}

void selftest_check_setting(const char *root)
{
	close(open_setting(root));
}

/* Exactly those that do not count, in the table's order, or "none"; to be freed. */
static char *setting_of(const struct selftest_report *report)
{
	char *text;
	size_t size;
	FILE *out = open_memstream(&text, &size);
	const char *between = "";

	if (!out)
		die(EXIT_OTHER, "out of memory");
	for (int i = 0; i < catalog_nr_events(); i++) {
		if (!selftest_is_dead(report, i))
			continue;
		fprintf(out, "%s%s", between, catalog_event(i).name);
		between = " ";
	}
	if (!*between)
		fputs("none", out);
	fputc('\n', out);
	if (fclose(out))
		die(EXIT_OTHER, "out of memory");
	return text;
}

static bool uses_dead(const struct selftest_report *report, int number)
{
	struct catalog_metric metric = catalog_metric(number);

	for (size_t i = 0; i < metric.nr_events; i++)
		if (selftest_is_dead(report, metric.events[i]))
			return true;
	return false;
}

static void say_what_is_unsupported(const struct selftest_report *report, FILE *out)
{
	unsigned int nr = 0;

	for (int i = 0; i < catalog_nr_metrics(); i++)
		nr += uses_dead(report, i);
	fprintf(out, "%u %s unsupported now%s\n", nr, plural(nr, "metric is", "metrics are"),
		nr ? ":" : "");
	for (int i = 0; i < catalog_nr_metrics(); i++)
		if (uses_dead(report, i))
			fprintf(out, "  %s\n", catalog_metric_name(i));
}

void selftest_apply(const struct selftest_report *report, const char *root, FILE *out)
{
	int fd = open_setting(root);
	char *text = setting_of(report);
	ssize_t len = write(fd, text, strlen(text));

	if (len != (ssize_t)strlen(text))
		die(EXIT_OTHER, "%s/distrust: %s, nothing changed; see dmesg", root,
		    len < 0 ? strerror(errno) : "not all was written");
	close(fd);
	fprintf(out, "\nwrote to %s/distrust:\n  %s", root, text);
	say_what_is_unsupported(report, out);
	free(text);
}
