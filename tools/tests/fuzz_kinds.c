// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Inputs of n3stat, n3rec, n3top and n3check. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "lib/finding.h"
#include "lib/memory.h"
#include "lib/program.h"
#include "n3check/commands.h"
#include "n3rec/commands.h"
#include "n3rec/diff.h"
#include "n3rec/page.h"
#include "n3rec/recording.h"
#include "n3stat/commands.h"
#include "n3top/top.h"
#include "reader/errors.h"
#include "reader/telemetry.h"

/* Commands of other programs, in this process: replaces n3stat/execute.c. */
static const struct program_command commands[] = {
	{ "top", command_top, NULL },
	{ "record", command_record, NULL },
	{ "report", command_report, NULL },
	{ "doctor", command_doctor, NULL },
};

int execute_command(const char *command_name, const char *executable, int argc, char **argv)
{
	for (size_t i = 0; i < NR(commands); i++)
		if (!strcmp(commands[i].name, command_name))
			return commands[i].run(argc, argv);
	die(ERR_NOT_INSTALLED, "%s: %s", command_name, executable);
}

bool has_spe_command(void)
{
	return true;
}

int run_command(const char *line)
{
	return !*line;
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

static void try_containers(void)
{
	char *argv[6] = { "n3stat", "containers", "0.1" };
	int argc = 3;

	fuzz_containers_make();
	if (fuzz_below(2))
		argv[argc++] = "--json";
	if (fuzz_below(4) == 0)
		argv[argc++] = fuzz_below(2) ? "--cgroups=/sys/fs/cgroup" : "--cgroups=/none";
	dispatch(argc, argv);
}

static void open_one(struct recording *recording)
{
	size_t size;
	char *text = fuzz_packed_make(&size);

	stdin = fmemopen(NULL, size + 1, "w+");

	if (!stdin)
		out_of_memory();
	fwrite(text, 1, size, stdin);
	free(text);
	rewind(stdin);
	recording_open(recording, "-");
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
	/* few pairs are comparable */
	if (fuzz_below(8) < 6)
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

const struct fuzz_kind fuzz_kinds[] = {
	{ "trees", 13, try_tree },
	{ "containers", 1, try_containers },
	{ "processes", 2, try_processes },
	{ "recordings", 9, try_recording },
	{ "names", 1, try_name },
	{ "machines", 4, try_machine },
	{ "screens", 2, try_screen },
};

const size_t fuzz_nr_kinds = NR(fuzz_kinds);

void fuzz_start(void)
{
	telemetry_start();
}
