// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* n3stat selftest --apply: the setting distrust. */
#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/memory.h"
#include "lib/privilege.h"
#include "lib/text.h"
#include "libn3telemetry/catalog.h"
#include "libn3telemetry/source.h"
#include "reader/errors.h"
#include "selftest.h"

/* Decision for an event. */
enum choice {
	TRUSTED,
	DEAD,		/* does not count */
	KEPT,		/* already in the setting, and not seen to count */
};

static void __noreturn die_denied(const char *root, int error)
{
	struct privilege missing = privilege_to_change(&this_machine, error);

	die(missing.kind, "%s/distrust: %s; %s", root, strerror(error), missing.advice);
}

/* Return: a descriptor for writing; exits if the setting is missing. */
static int open_setting(const char *root)
{
	char *path = format_string("%s/distrust", root);
	int fd = open(path, O_WRONLY | O_CLOEXEC);

	if (fd < 0 && (errno == EACCES || errno == EPERM || errno == EROFS))
		die_denied(root, errno);
	if (fd < 0)
		die(ERR_NO_MODULE, "%s: %s: n3_telemetry is not loaded", path, strerror(errno));
	free(path);
	return fd;
}

/* open(2) of the setting does not show that the module will refuse the write. */
void selftest_check_setting(const char *root)
{
	close(open_setting(root));
	if (!strcmp(root, SOURCE_DEFAULT) && !privilege_has(&this_machine, CAP_SYS_ADMIN))
		die_denied(root, EPERM);
}

/* All events that do not count on a sampled CPU. Return: their number. */
static size_t choose_dead(const struct selftest_report *report, const char *root,
			  enum choice *choices)
{
	size_t nr_tested = 0;

	for (size_t i = 0; i < report->nr_cpus; i++) {
		const struct selftest_cpu *cpu = &report->cpus[i];

		if (!selftest_is_sampled(root, cpu->cpu))
			continue;
		nr_tested += selftest_nr_tested(cpu) > 0;
		for (int k = 0; k < catalog_nr_events(); k++)
			if (cpu->events[k].judgement.verdict == SELFTEST_DOES_NOT_COUNT &&
			    !selftest_lacks(cpu->midr, k))
				choices[k] = DEAD;
	}
	return nr_tested;
}

/* Return: whether an event counts on all sampled CPUs of the report. */
static bool counts(const struct selftest_report *report, const char *root, int event)
{
	for (size_t i = 0; i < report->nr_cpus; i++)
		if (report->cpus[i].events[event].judgement.verdict != SELFTEST_COUNTS &&
		    selftest_is_sampled(root, report->cpus[i].cpu))
			return false;
	return true;
}

/* An event stays in the setting until it has counted on every kind of CPU. */
static void choose_kept(const struct selftest_report *report, const char *root,
			enum choice *choices)
{
	bool covers = selftest_covers(report, root);
	char *path = format_string("%s/distrust", root);
	char text[4096 + 1], *word, *rest = text;
	ssize_t len = machine_read(&this_machine, path, text, sizeof(text));

	if (len < 0)
		die(ERR_CANNOT_READ, "%s: %s, nothing changed", path, strerror(-len));
	while ((word = strsep(&rest, ", \t\n"))) {
		int event = catalog_find_event(word);

		if (event >= 0 && choices[event] == TRUSTED &&
		    !(covers && counts(report, root, event)))
			choices[event] = KEPT;
	}
	free(path);
}

static enum choice *choose(const struct selftest_report *report, const char *root)
{
	enum choice *choices = xcalloc(catalog_nr_events(), sizeof(*choices));

	if (!choose_dead(report, root, choices))
		die(ERR_NOTHING_TESTED,
		    "nothing was tested on any CPU that is sampled: %s/distrust stays "
		    "as it is", root);
	choose_kept(report, root, choices);
	return choices;
}

/* New text of the setting, or its kept part, "" if empty; the caller frees it. */
static char *names_of(const enum choice *choices, bool kept_only)
{
	char *names = xstrdup("");

	for (int i = 0; i < catalog_nr_events(); i++)
		if (kept_only ? choices[i] == KEPT : choices[i] != TRUSTED)
			append_text(&names, " ", "%s", catalog_event(i).name);
	return names;
}

static bool is_unsupported(const enum choice *choices, int number)
{
	struct catalog_metric metric = catalog_metric(number);

	for (size_t i = 0; i < metric.nr_events; i++)
		if (choices[metric.events[i]] != TRUSTED)
			return true;
	return false;
}

static void print_unsupported(const enum choice *choices, FILE *out)
{
	unsigned int nr = 0;

	for (int i = 0; i < catalog_nr_metrics(); i++)
		nr += is_unsupported(choices, i);
	fprintf(out, "%u %s one of them%s\n", nr, plural(nr, "metric needs", "metrics need"),
		nr ? ", without a value now:" : "");
	for (int i = 0; i < catalog_nr_metrics(); i++)
		if (is_unsupported(choices, i))
			fprintf(out, "  %s\n", catalog_metric_name(i));
}

static void print_left_out(const struct selftest_report *report, const char *root, FILE *out)
{
	for (size_t i = 0; i < report->nr_cpus; i++)
		if (!selftest_is_sampled(root, report->cpus[i].cpu))
			fprintf(out, "CPU %u is not sampled: its hidden events are left out\n",
				report->cpus[i].cpu);
}

void selftest_apply(const struct selftest_report *report, const char *root, FILE *out)
{
	enum choice *choices = choose(report, root);
	char *names = names_of(choices, false), *kept = names_of(choices, true);
	char *text = format_string("%s\n", *names ? names : "none");
	int fd = open_setting(root);
	ssize_t len = write(fd, text, strlen(text));

	if (len < 0 && errno == EPERM)
		die_denied(root, errno);
	if (len != (ssize_t)strlen(text))
		die(ERR_CANNOT_WRITE, "%s/distrust: %s, nothing changed; see dmesg", root,
		    len < 0 ? strerror(errno) : "incomplete write");
	close(fd);
	fprintf(out, "\nwrote to %s/distrust:\n  %s", root, text);
	if (*kept)
		fprintf(out, "kept of it, as they were not seen to count everywhere:\n  %s\n",
			kept);
	print_left_out(report, root, out);
	print_unsupported(choices, out);
	free(text);
	free(kept);
	free(names);
	free(choices);
}
