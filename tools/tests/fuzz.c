// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * fuzz [INPUTS [SEED]] - feeds nearly valid recordings, sysfs trees, machines and names, and random
 * keys, to the whole program except main(). Built with sanitizers, which abort at the first invalid
 * access; a refused input is not a failure. The same seed gives the same inputs. TAP on stdout.
 *
 * Inputs run in batches, one process each, so that memory left by refused inputs is released, and a
 * crash identifies its batch.
 */
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "fuzz.h"
#include "lib/finding.h"
#include "lib/memory.h"
#include "libn3telemetry/catalog.h"
#include "n3rec/diff.h"
#include "n3rec/page.h"
#include "n3rec/recording.h"
#include "n3stat/commands.h"
#include "reader/errors.h"
#include "reader/telemetry.h"

#define BATCH		1000
#define TIMEOUT		300	/* seconds for a batch, which normally takes a few */
#define SHARES		32

const char *argp_program_version = "fuzz";

/* Leaks of refused inputs are expected; a large quarantine would be slow. */
const char *__asan_default_options(void);

const char *__asan_default_options(void)
{
	return "detect_leaks=0:quarantine_size_mb=16";
}

static uint64_t state;
static jmp_buf refused;
static unsigned long *accepted;	/* per kind, shared by all processes */

/* Knuth's generator; its upper bits are sufficient here. */
unsigned int fuzz_below(unsigned int limit)
{
	state = state * 6364136223846793005ULL + 1442695040888963407ULL;
	return limit ? (unsigned int)((state >> 33) % limit) : 0;
}

/* Replaces the exit of die(): linked with --wrap=exit. */
void __wrap_exit(int status);

void __wrap_exit(int status)
{
	(void)status;
	longjmp(refused, 1);
}

static void remove_part(char *text, size_t *size)
{
	size_t at = fuzz_below(*size), len = fuzz_below(*size - at) % 64;

	memmove(text + at, text + at + len, *size - at - len + 1);
	*size -= len;
}

static void double_part(char **text, size_t *size)
{
	size_t at = fuzz_below(*size), len = fuzz_below(*size - at);

	if (*size + len > 100000)
		return;
	*text = xreallocarray(*text, *size + len + 1, 1);
	memmove(*text + at + len, *text + at, *size - at + 1);
	*size += len;
}

void fuzz_mutate(char **text, size_t *size)
{
	static const char odd[] = "\n =:.-+\t%\001\37709aZ";

	for (unsigned int i = 1 + fuzz_below(4); i > 0 && *size; i--) {
		switch (fuzz_below(6)) {
		case 0:
			(*text)[fuzz_below(*size)] ^= 1 << fuzz_below(7);
			break;
		case 1:
			*size = fuzz_below(*size);
			(*text)[*size] = '\0';
			break;
		case 2:
			remove_part(*text, size);
			break;
		case 3:
			double_part(text, size);
			break;
		default:
			(*text)[fuzz_below(*size)] = odd[fuzz_below(sizeof(odd) - 1)];
		}
	}
}

/* Options of the command; the parser exits for others. */
static const char * const of_all[] = {
	"-C0", "-C0-1", "-N0", "--per=cpu", "--per=system", "--per=node"
};

static void try_tree(void)
{
	static const char * const of_stat[] = {
		"--json", "--csv", "-gall", "-gtopdown_l1", "-mipc", "-mipc,retiring,",
		"--sort=retiring", "-gcustom", "-mnew"
	};
	static const char * const record[] = { "record", "-qo/dev/null", "0.01", "1" };
	char *argv[16] = { "n3stat" };
	unsigned int what = fuzz_below(4);
	int argc = 1;

	fuzz_tree_make();
	if (what == 0) {
		argv[argc++] = "tree";
		if (fuzz_below(2))
			argv[argc++] = "--json";
	}
	for (size_t i = 0; what == 1 && i < NR(record); i++)
		argv[argc++] = (char *)record[i];
	while (argc < 8 && fuzz_below(3) == 0)
		argv[argc++] = (char *)of_all[fuzz_below(NR(of_all))];
	while (what > 1 && argc < 12 && fuzz_below(2))
		argv[argc++] = (char *)of_stat[fuzz_below(NR(of_stat))];
	argv[argc] = NULL;
	dispatch(argc, argv);
}

static void try_processes(void)
{
	static const char * const who[] = {
		"--pid=1", "--pid=2", "--comm=sh", "--comm=(a) R 1 b", "--cgroup=a", "--cgroup=/a/b"
	};
	static const char * const formats[] = { "--json", "--csv", "-t" };
	char *argv[8] = { "n3stat" };
	unsigned int what = fuzz_below(4);
	int argc = 1;

	fuzz_tree_make();
	fuzz_proc_make();
	if (what == 0)
		argv[argc++] = "tree";
	if (what == 1)
		argv[argc++] = fuzz_below(2) ? "--json" : "--per=cpu";
	else
		argv[argc++] = (char *)who[fuzz_below(NR(who))];
	if (what > 1 && fuzz_below(2))
		argv[argc++] = (char *)who[fuzz_below(NR(who))];
	if (what > 1 && fuzz_below(4))
		argv[argc++] = (char *)formats[fuzz_below(NR(formats))];
	argv[argc++] = "3";
	argv[argc++] = "2";
	argv[argc] = NULL;
	dispatch(argc, argv);
}

static void open_one(struct recording *recording)
{
	size_t size;
	char *text = fuzz_packed_make(&size);
	FILE *file = fmemopen(NULL, size + 1, "w+");

	if (!file)
		out_of_memory();
	fwrite(text, 1, size, file);
	free(text);
	rewind(file);
	recording_open_stream(recording, file, "memory");
}

static struct summary choose_span(void)
{
	return (struct summary) { .to = fuzz_below(4) ? 1e9 : fuzz_below(10) };
}

static void check_nr(const struct summary *summary)
{
	if (!summary->nr)
		die(ERR_EMPTY_RECORDING, "nothing in it");
}

static void try_to_print(void)
{
	struct recording recording;

	open_one(&recording);
	recording_print(stdout, &recording);
	recording_close(&recording);
}

static void try_page(void)
{
	struct recording recording;
	struct page page = { .out = stdout, .recording = &recording, .file = "memory" };

	page.whole_cells = fuzz_below(1000);
	open_one(&recording);
	page.summary = choose_span();
	cells_read(&page.cells, &page.summary, &recording, NULL);
	check_nr(&page.summary);
	page_write(&page);
	cells_free(&page.cells);
	summary_free(&page.summary);
	recording_close(&recording);
}

static void read_side(struct diff_side *side)
{
	open_one(&side->recording);
	side->summary = choose_span();
	diff_read(side, NULL);
	check_nr(&side->summary);
}

static void try_diff(void)
{
	struct diff diff = { 0 };

	read_side(&diff.a);
	read_side(&diff.b);
	diff_make(&diff);
	if (fuzz_below(2))
		diff_print(&diff);
	else
		diff_json(&diff);
	diff_free(&diff);
}

static void try_recording(void)
{
	unsigned int what = fuzz_below(8);

	/* few pairs are comparable */
	if (what < 3)
		try_to_print();
	else if (what < 6)
		try_page();
	else
		try_diff();
}

static void try_machine(void)
{
	static const char * const options[] = { "--machine=/", "--machine=/none", "-r/none" };
	char *argv[6] = { "n3stat", "doctor" };
	int argc = 2;

	fuzz_machine_make();
	/* A refused input may have left it on. */
	findings_collect(NULL);
	if (fuzz_below(3) == 0) {
		argv[1] = "spe";
		argv[argc++] = "info";
	}
	if (fuzz_below(2))
		argv[argc++] = "--json";
	if (fuzz_below(16) == 0)
		argv[argc++] = (char *)options[fuzz_below(NR(options))];
	if (dispatch(argc, argv) != EXIT_SUCCESS)
		die(ERR_NO_MODULE, "not healthy");
}

/* A name with some letters changed, for all lookups by name. */
static void try_name(void)
{
	static const char * const names[] = {
		"backend_bound", "L2D_CACHE_REFILL", "topdown_l1", "inconsistent", "0x0017", "r17",
		"4005"
	};
	size_t size;
	char *name = xstrdup(names[fuzz_below(NR(names))]);
	char *argv[4] = { "n3stat", "explain" };

	size = strlen(name);
	if (fuzz_below(2))
		fuzz_mutate(&name, &size);
	argv[2] = name;
	/* An option would exit. */
	if (*name != '-')
		dispatch(3, argv);
	free(name);
}

static void try_screen(void)
{
	static const char * const intervals[] = { "0.01", "1", "5", "1000000" };
	char *argv[8] = { "n3stat", "top" };
	int argc = 2;

	fuzz_tree_make();
	fuzz_screen_make();
	while (argc < 5 && fuzz_below(3) == 0)
		argv[argc++] = (char *)of_all[fuzz_below(NR(of_all))];
	if (fuzz_below(2))
		argv[argc++] = (char *)intervals[fuzz_below(NR(intervals))];
	dispatch(argc, argv);
}

static const struct {
	const char *name;
	unsigned int share;	/* of SHARES */
	void (*try)(void);
} kinds[] = {
	{ "trees", 12, try_tree },
	{ "processes", 2, try_processes },
	{ "recordings", 7, try_recording },
	{ "names", 1, try_name },
	{ "SPE recordings", 4, fuzz_spe },
	{ "machines", 4, try_machine },
	{ "screens", 2, try_screen },
};

static void try_one(void)
{
	unsigned int at = fuzz_below(SHARES);
	size_t kind = 0;

	for (; at >= kinds[kind].share; kind++)
		at -= kinds[kind].share;
	kinds[kind].try();
	accepted[kind]++;
}

static void run_batch(uint64_t seed, unsigned long nr)
{
	if (!freopen("/dev/null", "w", stdout))
		_exit(2);
	/*
	 * Refused inputs print errors; sanitizers use the descriptor directly. Curses opens the
	 * terminal as 2 if its descriptor is 1.
	 */
	stderr = fopen("/dev/null", "w");
	stdout = stderr;
	alarm(TIMEOUT);
	for (unsigned long i = 0; i < nr; i++) {
		state = seed + i * 0x9e3779b97f4a7c15ULL;
		fuzz_below(1);
		if (!setjmp(refused))
			try_one();
	}
	_exit(0);
}

static bool batch_passes(uint64_t seed, unsigned long nr)
{
	int status;
	pid_t pid = fork();

	if (!pid)
		run_batch(seed, nr);
	return pid > 0 && waitpid(pid, &status, 0) == pid && WIFEXITED(status) &&
	       !WEXITSTATUS(status);
}

/* Mostly refused inputs would find little. */
static bool enough_accepted(unsigned long inputs)
{
	for (size_t i = 0; i < NR(kinds); i++)
		if (accepted[i] < inputs * kinds[i].share / SHARES / 4)
			return false;
	return true;
}

int main(int argc, char **argv)
{
	unsigned long inputs = argc > 1 ? strtoul(argv[1], NULL, 10) : 10000;
	uint64_t seed = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
	unsigned long done = 0;

	telemetry_start();
	accepted = mmap(NULL, NR(kinds) * sizeof(*accepted), PROT_READ | PROT_WRITE,
			MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (accepted == MAP_FAILED)
		return 1;
	printf("TAP version 13\n1..1\n");
	fflush(stdout);
	while (done < inputs) {
		unsigned long nr = inputs - done < BATCH ? inputs - done : BATCH;

		if (!batch_passes(seed * 1000003 + done, nr)) {
			printf("not ok 1 - n3stat: fuzz, batch from input %lu of seed %llu\n", done,
			       (unsigned long long)seed);
			fflush(stdout);
			_exit(1);
		}
		done += nr;
	}
	printf("%s 1 - n3stat: fuzz, %lu inputs of seed %llu\n",
	       enough_accepted(inputs) ? "ok" : "not ok", inputs, (unsigned long long)seed);
	printf("# not refused:");
	for (size_t i = 0; i < NR(kinds); i++)
		printf(" %lu %s", accepted[i], kinds[i].name);
	putchar('\n');
	fflush(stdout);
	_exit(0);
}
