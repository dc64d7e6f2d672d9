// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Errors of libn3telemetry that the programs do not provoke. Without arguments, prints the names
 * of the cases; "CASE DIRECTORY" runs one on a copy of the module's directory. "rates BEFORE AFTER
 * ELAPSED" prints the rates between two copies, for numbers of CPUs and their utilisation on
 * standard input; "interval BEFORE AFTER" the values between them. "memory DIRECTORY PROC" reads
 * all with the first, second, ... allocation failing, and prints the number of allocations.
 */
#include <dirent.h>
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "libn3telemetry/about.h"
#include "libn3telemetry/busy.h"
#include "libn3telemetry/catalog.h"
#include "libn3telemetry/interval.h"
#include "libn3telemetry/answer_read.h"
#include "libn3telemetry/rates.h"
#include "libn3telemetry/who.h"

static int refused;	/* errno of opendir() */
static bool no_text;

DIR *__real_opendir(const char *path);
DIR *__wrap_opendir(const char *path);
DIR *__wrap_opendir(const char *path)
{
	errno = refused;
	return refused ? NULL : __real_opendir(path);
}

static unsigned long left;	/* allocations, with one that fails; 0: none fails */

/* Return: whether this allocation fails. */
static bool fails(void)
{
	return left && !--left;
}

void *__real_malloc(size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_malloc(size_t size)
{
	return fails() ? NULL : __real_malloc(size);
}

void *__real_calloc(size_t nr, size_t size);
void *__wrap_calloc(size_t nr, size_t size);
void *__wrap_calloc(size_t nr, size_t size)
{
	return fails() ? NULL : __real_calloc(nr, size);
}

void *__real_realloc(void *old, size_t size);
void *__wrap_realloc(void *old, size_t size);
void *__wrap_realloc(void *old, size_t size)
{
	return fails() ? NULL : __real_realloc(old, size);
}

void *__real_reallocarray(void *array, size_t nr, size_t size);
void *__wrap_reallocarray(void *array, size_t nr, size_t size);
void *__wrap_reallocarray(void *array, size_t nr, size_t size)
{
	return fails() ? NULL : __real_reallocarray(array, nr, size);
}

char *__real_strdup(const char *text);
char *__wrap_strdup(const char *text);
char *__wrap_strdup(const char *text)
{
	return fails() ? NULL : __real_strdup(text);
}

char *__real_strndup(const char *text, size_t len);
char *__wrap_strndup(const char *text, size_t len);
char *__wrap_strndup(const char *text, size_t len)
{
	return fails() ? NULL : __real_strndup(text, len);
}

int __real_vasprintf(char **text, const char *format, va_list args);
int __wrap_vasprintf(char **text, const char *format, va_list args);
int __wrap_vasprintf(char **text, const char *format, va_list args)
{
	return no_text || fails() ? -1 : __real_vasprintf(text, format, args);
}

int __wrap_asprintf(char **text, const char *format, ...);
int __wrap_asprintf(char **text, const char *format, ...)
{
	va_list args;
	int len;

	va_start(args, format);
	len = fails() ? -1 : __real_vasprintf(text, format, args);
	va_end(args);
	return len;
}

/* Ends the program unless @ok. */
#define expect(ok)	((ok) ? (void)0 : unexpected(__LINE__, #ok))

static void unexpected(int line, const char *what)
{
	fprintf(stderr, "line %d: not so: %s\n", line, what);
	exit(EXIT_FAILURE);
}

static struct source source;
static struct choice choice;
static struct snapshot snapshot;

static bool failed_with(bool ok, const struct error_kind *kind)
{
	return !ok && source.failure.kind == kind && source.failure.text;
}

static void unreadable_with(int error)
{
	bool system;
	char **names;

	refused = error;
	expect(source_list(&source, "", &names) == -error && !names);
	expect(failed_with(false, ERR_CANNOT_READ));
	expect(failed_with(places_add(&source, &choice.places, SCOPE_NODE, NULL), ERR_CANNOT_READ));
	expect(failed_with(places_have_system(&source, &system), ERR_CANNOT_READ));
	expect(failed_with(choose_group(&source, &choice, "all"), ERR_CANNOT_READ));
}

/* A directory that cannot be read is not an empty one; one that does not exist is. */
static void unreadable(void)
{
	char **names;

	expect(places_add(&source, &choice.places, SCOPE_CPU, NULL));
	unreadable_with(EMFILE);
	unreadable_with(EIO);
	refused = ENOENT;
	expect(!source_list(&source, "", &names) && !names);
}

static void no_places(void)
{
	expect(failed_with(choose_group(&source, &choice, "general"), ERR_NO_SUCH_PLACE));
	expect(failed_with(choose_group(&source, &choice, "all"), ERR_NO_SUCH_PLACE));
	expect(failed_with(choose_metric(&source, &choice, "ipc"), ERR_NO_SUCH_PLACE));
	expect(failed_with(choose_every_group(&source, &choice), ERR_NO_SUCH_PLACE));
	expect(choose_known_group(&source, &choice, "General"));
	expect(snapshot_read(&source, &snapshot, &choice));
}

static void unknown_group(void)
{
	expect(failed_with(choose_known_group(&source, &choice, "nonsense"), ERR_UNKNOWN_GROUP));
	expect(!choice.nr_files);
}

/* Replaces a file of the directory. */
static void write_file(const char *name, const char *text)
{
	char *path;
	FILE *file;

	expect(asprintf(&path, "%s/%s", source.root, name) > 0);
	file = fopen(path, "w");
	expect(file && fputs(text, file) >= 0 && !fclose(file));
	free(path);
}

/* A failed snapshot holds nothing, however many columns the choice has by then. */
static void failed_snapshot(void)
{
	expect(places_add(&source, &choice.places, SCOPE_CPU, NULL));
	expect(choose_metric(&source, &choice, "ipc"));
	expect(snapshot_read(&source, &snapshot, &choice) && snapshot.v && snapshot.estimates);
	expect(choose_group(&source, &choice, "mpki"));
	write_file("cpu1/general", "ipc\n");
	expect(failed_with(snapshot_read(&source, &snapshot, &choice), ERR_MALFORMED_FILE));
	expect(choice.nr_columns > 1 && !snapshot.v && !snapshot.estimates);
	expect(failed_with(snapshot_read_brief(&source, &snapshot, &choice, 1),
			   ERR_MALFORMED_FILE));
	expect(!snapshot.v && !snapshot.estimates);
}

/* Without memory for its text, an error is not about access. */
static void denied_without_memory(void)
{
	char **names;

	refused = EACCES;
	expect(source_list(&source, "", &names) == -EACCES);
	expect(failed_with(false, ERR_PERMISSION_DENIED) && source.failure.denied == EACCES);
	no_text = true;
	expect(source_list(&source, "", &names) == -EACCES);
	expect(source.failure.kind == ERR_OUT_OF_MEMORY && !source.failure.denied);
}

/* Opening releases the text of an earlier error, or the leak checker reports it. */
static void opened_again(void)
{
	const char *root = source.root;

	expect(failed_with(source_open(&source, "/nonexistent"), ERR_NO_DIRECTORY));
	expect(source_open(&source, root) && !source.failure.kind);
}

static bool reads(const char *name, const char *expected)
{
	char *text;

	return source_read(&source, name, &text) && text && !strcmp(text, expected);
}

/* A file that stays open is read anew. */
static void read_again(void)
{
	open_files_begin(&source.open);
	write_file("groups", "one\n");
	expect(reads("groups", "one\n") && source.open.nr == 1 && reads("groups", "one\n"));
	expect(source.open.nr == 1);
	write_file("groups", "longer than before\n");
	expect(reads("groups", "longer than before\n"));
}

/* Descriptors that are needed elsewhere are given back, and files opened each time then. */
static void no_descriptors(void)
{
	const struct rlimit few = { 40, 40 };
	int fd = 0, last = -1;

	open_files_begin(&source.open);
	write_file("groups", "one\n");
	write_file("enable", "1\n");
	expect(reads("groups", "one\n") && source.open.nr == 1);
	expect(!setrlimit(RLIMIT_NOFILE, &few));
	while ((fd = dup(0)) >= 0)
		last = fd;
	expect(errno == EMFILE && reads("enable", "1\n") && !source.open.nr);
	expect(reads("groups", "one\n") && reads("enable", "1\n") && !source.open.nr);
	expect(dup(0) >= 0 && dup(0) < 0);
	expect(failed_with(reads("groups", "one\n"), ERR_CANNOT_READ));
	for (; last > 2; last--)
		close(last);
}

/* No more are kept than half of those that the process may have. */
static void few_descriptors(void)
{
	const struct rlimit few = { 64, 1024 };

	write_file("groups", "one\n");
	write_file("enable", "1\n");
	source.open.most = 1;
	expect(reads("groups", "one\n") && reads("enable", "1\n") && reads("enable", "1\n"));
	expect(source.open.nr == 1);
	expect(!setrlimit(RLIMIT_NOFILE, &few));
	open_files_begin(&source.open);
	expect(source.open.most == 32);
}

static void bad_totals(void)
{
	static const bool wanted[MAX_PLACES] = { true, true };
	static const char * const bad[] = { "x", "-1", "1 2", "" };
	struct totals totals = { 0 };

	expect(totals_read(&source, &totals, wanted) && totals.nr == 2 && totals.cpus[1].known);
	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		char *text;

		expect(asprintf(&text, "start_ns 1\nsampled_ns %s\n", bad[i]) > 0);
		write_file("cpu1/counters/time", text);
		free(text);
		expect(failed_with(totals_read(&source, &totals, wanted), ERR_MALFORMED_FILE));
		expect(!totals.nr && !totals.cpus);
	}
	write_file("cpu1/counters/time", "start_ns 1\nsampled_ns 2\n");
	expect(totals_read(&source, &totals, wanted) && !totals.cpus[1].known);
	expect(totals.cpus[0].known);
	totals_free(&totals);
}

static const struct test {
	const char *name;
	void (*run)(void);
} tests[] = {
#define TEST(name)	{ #name, name }
	TEST(unreadable),
	TEST(no_places),
	TEST(unknown_group),
	TEST(failed_snapshot),
	TEST(denied_without_memory),
	TEST(opened_again),
	TEST(read_again),
	TEST(no_descriptors),
	TEST(few_descriptors),
	TEST(bad_totals),
};

static void read_copy(struct totals *totals, const char *root, const bool *wanted)
{
	expect(source_open(&source, root) && totals_read(&source, totals, wanted));
}

static void print_rates(const char *which, struct rates rates)
{
	printf("%s %.17g %.17g\n", which, rates.ghz, rates.instructions);
}

static void rates(const char *before, const char *after, const char *elapsed)
{
	static bool wanted[MAX_PLACES];
	static double busy[MAX_PLACES];
	struct totals from = { 0 }, to = { 0 };
	unsigned int cpu;
	double percent;

	while (scanf("%u %lf", &cpu, &percent) == 2) {
		wanted[cpu] = true;
		busy[cpu] = percent;
	}
	read_copy(&from, before, wanted);
	read_copy(&to, after, wanted);
	expect(isnan(from.time) && isnan(to.time));
	from.time = 1000;
	to.time = 1000 + strtod(elapsed, NULL);
	print_rates("all", rates_between(&from, &to, wanted, busy));
	for (cpu = 0; cpu < to.nr; cpu++)
		if (wanted[cpu])
			print_rates("cpu", rates_of_cpu(&from, &to, cpu, busy[cpu]));
	totals_free(&from);
	totals_free(&to);
}

/* NAN: unknown, or that of the window. */
static double error_of_interval(const struct value *value)
{
	return value->of_interval && value->has_range && !value->is_margin ? value_error(value) :
									     NAN;
}

static void print_row(size_t place)
{
	for (size_t i = 0; i < choice.nr_columns; i++) {
		const struct value *value = snapshot_at(&snapshot, &choice, place, i);

		printf("%s %s %s %s %s %.9f\n", choice.places.v[place].name,
		       choice.files[choice.columns[i].file].name, choice.columns[i].name,
		       value->text, value->of_interval ? "interval" : "window",
		       error_of_interval(value));
	}
}

static void read_end(struct interval *interval, const char *root)
{
	expect(source_open(&source, root) &&
	       interval_read(&source, interval, &snapshot, &choice));
}

static void print_interval(const char *before, const char *after)
{
	struct interval interval = { 0 };

	expect(catalog_init() && source_open(&source, before));
	for (enum scope scope = SCOPE_CPU; scope <= SCOPE_NODE; scope++)
		expect(places_add(&source, &choice.places, scope, NULL));
	expect(places_add_one(&choice.places, place_make(SCOPE_SYSTEM, 0)) &&
	       choose_every_group(&source, &choice));
	read_end(&interval, before);
	expect(!interval.seconds);
	read_end(&interval, after);
	expect(interval.seconds > 0);
	for (size_t i = 0; i < choice.places.nr; i++)
		print_row(i);
	interval_free(&interval);
}

static bool read_interval(void)
{
	struct interval interval = { 0 };
	bool ok = interval_read(&source, &interval, &snapshot, &choice) &&
		  interval_read(&source, &interval, &snapshot, &choice);

	interval_free(&interval);
	return ok;
}

static bool read_busy(const char *proc)
{
	struct busy busy;
	bool ok = busy_start(&source, &busy, proc, true) && busy_read(&source, &busy, &choice);

	busy_end(&busy);
	return ok;
}

static bool measure(const struct who_names *names, const char *proc)
{
	struct who who;
	bool ok = who_start(&source.failure, &who, names, proc) && who_measure(&who, who.last);

	who_free(&who);
	return ok;
}

static bool read_who(const char *proc)
{
	char cgroup[PATH_MAX];
	struct who_names names = {
		.pids = { "100" }, .nr_pids = 1, .comms = { "fast", "no such" }, .nr_comms = 1,
		.cgroups = { cgroup }, .nr_cgroups = 1,
	};

	snprintf(cgroup, sizeof(cgroup), "%s/../cg", proc);
	if (!measure(&names, proc))
		return false;
	names.nr_comms = 2;
	return !measure(&names, proc) && source.failure.kind == ERR_NO_SUCH_PROCESS;
}

static bool read_all(const char *proc)
{
	bool has_system;
	double seconds;

	choice.quality = true;
	return source_about(&source) && window_seconds(&source, &seconds) &&
	       places_have_system(&source, &has_system) &&
	       places_add(&source, &choice.places, SCOPE_CPU, NULL) &&
	       choose_metric(&source, &choice, "ipc") &&
	       answer_choose_groups(&source, &choice) &&
	       choose_group(&source, &choice, "all") &&
	       snapshot_read(&source, &snapshot, &choice) &&
	       read_interval() && read_busy(proc) && read_who(proc) &&
	       !choose_metric(&source, &choice, "nonsense") &&
	       source.failure.kind == ERR_UNKNOWN_METRIC &&
	       !choose_group(&source, &choice, "nonsense") &&
	       source.failure.kind == ERR_UNKNOWN_GROUP;
}

static void close_all(void)
{
	snapshot_free(&snapshot);
	choice_free(&choice);
	source_close(&source);
}

/* All succeeds, or fails for want of memory alone. */
static void memory(const char *root, const char *proc)
{
	bool succeeded = false;
	unsigned long nr;

	expect(catalog_init());
	for (nr = 0; !succeeded; nr++) {
		left = nr + 1;
		succeeded = source_open(&source, root) && read_all(proc);
		expect(succeeded ? left : !left && source.failure.kind == ERR_OUT_OF_MEMORY);
		close_all();
		choice = (struct choice) { 0 };
		snapshot = (struct snapshot) { 0 };
	}
	left = 0;
	printf("%lu\n", nr - 1);
}

int main(int argc, char **argv)
{
	if (argc == 5)
		rates(argv[2], argv[3], argv[4]);
	if (argc == 4 && !strcmp(argv[1], "interval"))
		print_interval(argv[2], argv[3]);
	if (argc == 4 && !strcmp(argv[1], "memory"))
		memory(argv[2], argv[3]);
	for (size_t i = 0; i < sizeof(tests) / sizeof(*tests); i++) {
		if (argc == 1) {
			puts(tests[i].name);
		} else if (argc == 3 && !strcmp(tests[i].name, argv[1])) {
			expect(catalog_init() && source_open(&source, argv[2]));
			tests[i].run();
		}
	}
	close_all();
	return EXIT_SUCCESS;
}
