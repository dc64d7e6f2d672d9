// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* n3stat spe report: profiles of code and data from a recording's samples. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "commands.h"
#include "errors.h"
#include "lib/arguments.h"
#include "lib/child.h"
#include "lib/cpu_list.h"
#include "lib/files.h"
#include "lib/memory.h"
#include "lib/plain.h"
#include "lib/signals.h"
#include "lib/streams.h"
#include "lib/terminal.h"
#include "report_sheets.h"

#define TOP_DEFAULT	10
#define WIDTH		80	/* of the text, except on wider terminals */

struct report_options {
	struct spe_input input;
	struct spe_sources sources;
	const char *page;
	struct spe_lists lists;
	struct spe_filter filter;
	bool cpus[MAX_CPUS];
	bool json, no_pager;
};

static const char doc[] =
	"Profile a recording, by default perf.data: the most frequent functions and lines, data "
	"sources of loads, data addresses and cache lines, latencies, instructions."
	"\vEvery record is counted once, and totals are exact. Lists of more than 32768 addresses "
	"are approximate, with the error stated. See n3stat-spe-report(1).";

enum {
	OPTION_JSON = 256, OPTION_PAGE, OPTION_SYMFS, OPTION_KALLSYMS, OPTION_LIST, OPTION_NO_PAGER,
	OPTION_NO_DEMANGLE, OPTION_NO_DEBUGINFOD
};

static const struct argp_option options[] = {
	{ "sort", 's', "KEY", 0,
	  "records, latency, loads, mispredicted, walks, late or peer", 1 },
	{ "list", OPTION_LIST, "NAMES", 0, "these lists, as in functions,lines", 1 },
	{ "lines", 'n', "N", 0, "rows of each list (default 10)", 1 },
	{ "top", 0, NULL, OPTION_ALIAS, NULL, 1 },
	{ "cpu", 'C', "LIST", 0, "records of these CPUs only, as in 0-3,8", 2 },
	{ "pid", 'p', "PID", 0, "records of this process only", 2 },
	{ "json", OPTION_JSON, NULL, 0, "print JSON", 3 },
	{ "page", OPTION_PAGE, "FILE", 0, "write an HTML page", 3 },
	{ "no-pager", OPTION_NO_PAGER, NULL, 0, "do not start $PAGER on a terminal", 3 },
	{ "symfs", OPTION_SYMFS, "DIR", 0, "directory of programs and libraries", 4 },
	{ "kallsyms", OPTION_KALLSYMS, "FILE", 0, "file with the kernel's symbols", 4 },
	{ "no-demangle", OPTION_NO_DEMANGLE, NULL, 0, "names of C++ and Rust as in the file", 4 },
	{ "no-debuginfod", OPTION_NO_DEBUGINFOD, NULL, 0,
	  "fetch no files, even if DEBUGINFOD_URLS is set", 4 },
	SPE_OPTIONS_INPUT,
	{ 0 }
};

static unsigned long parse_number(const char *arg, const char *what, unsigned long min,
				  unsigned long max)
{
	unsigned long number = strtoul(arg, NULL, 10);

	if (!*arg || strspn(arg, "0123456789") != strlen(arg) || number < min || number > max)
		die(ERR_BAD_VALUE, "bad %s '%s'; write a number from %lu to %lu", what, arg, min,
		    max);
	return number;
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct report_options *report = state->input;

	switch (key) {
	case 's':
		report->lists.order = spe_order_find(arg);
		return 0;
	case 'n':
		report->lists.top = parse_number(arg, "--lines", 1, 1000000);
		return 0;
	case 'C':
		/* Repeated options add CPUs. */
		report->filter.cpus = report->cpus;
		cpu_list_take(arg, "CPU", report->cpus);
		return 0;
	case 'p':
		report->filter.by_pid = true;
		report->filter.pid = (uint32_t)parse_number(arg, "PID", 0, SPE_PID_UNKNOWN - 1);
		return 0;
	case OPTION_LIST:
		spe_lists_choose(&report->lists, arg);
		return 0;
	case OPTION_NO_PAGER:
		report->no_pager = true;
		return 0;
	case OPTION_JSON:
		report->json = true;
		return 0;
	case OPTION_PAGE:
		report->page = arg;
		return 0;
	case OPTION_SYMFS:
		report->sources.root = arg;
		return 0;
	case OPTION_KALLSYMS:
		report->sources.kallsyms = arg;
		return 0;
	case OPTION_NO_DEMANGLE:
		report->sources.mangled = true;
		return 0;
	case OPTION_NO_DEBUGINFOD:
		report->sources.no_debuginfod = true;
		return 0;
	default:
		return spe_input_parse(&report->input, key, arg);
	}
}

static void write_page(const struct spe_sheets *sheets, const struct report_options *report,
		       const struct spe_recording *recording)
{
	const char *host = recording->file.host;
	char *title = format_string("%s%s%s", report->input.name, host ? " of " : "",
				    host ? host : "");
	struct output page;

	plain_text(title);
	spe_file_create(&recording->file, report->page, "the page", &page);
	spe_sheets_page(sheets, page.file, title);
	output_close(&page);
	free(title);
}

/*
 * Pipes the standard output, and errors that also go to the terminal, through $PAGER or less, as
 * git does. Return: the pager; NULL without a terminal or pager.
 */
static FILE *start_pager(void)
{
	const char *command = getenv("PAGER") ?: "less";
	char *name = format_string("%.*s", (int)strcspn(command, " \t;|&<>"), command);
	bool found = strchr(name, '/') ? !access(name, X_OK) : child_has_command(name);
	FILE *pager;

	free(name);
	if (!isatty(STDOUT_FILENO) || !found || !strcmp(command, "cat"))
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

static void print_warnings(const struct spe_summary *summary, const struct report_options *report)
{
	const struct spe_recording *recording = summary->recording;

	spe_file_warn(&recording->file);
	if (recording->limits.untimed)
		warn(ERR_NO_TIMES, "%s: %" PRIu64 " records have no time: their process is that at "
		     "the end of their data", report->input.name, recording->limits.untimed);
	/* The recorder lost a CPU and did not say so. */
	for (size_t i = 1; i < recording->nr_cpus; i++)
		if (recording->cpus[i].losses[SPE_LOST_SILENT])
			warn(ERR_SILENT_CPU, "%s: CPU %zu: no samples in the last %.3f s, though "
			     "it ran tasks; n3stat spe record restarts SPE",
			     report->input.name, i - 1,
			     (double)(recording->cpus[i].last_switch -
				      recording->cpus[i].last_sample) / 1e9);
	if (!summary->total.count)
		warn(ERR_NO_RECORDS, "%s: no records%s", report->input.name,
		     !summary->excluded ? " in it" :
		     report->filter.cpus && recording->streams.v[0]->cpu < 0 ?
		     " of these CPUs: the file has no CPUs" : " of these CPUs or processes");
	spe_resolver_warn(summary->resolver, true);
}

int spe_command_report(int argc, char **argv)
{
	static const struct argp argp = { options, parse, "[FILE]", doc, NULL, NULL, NULL };
	struct report_options report = {
		.sources.root = "", .lists = { spe_order_find("records"), TOP_DEFAULT }
	};
	struct spe_recording recording;
	struct spe_resolver resolver;
	size_t width = screen_width(WIDTH);
	struct spe_sheets sheets = { 0 };
	struct spe_summary summary;
	FILE *pager = NULL;

	arguments_parse(&argp, argc, argv, 0, &report);
	spe_recording_open(&recording, &report.input);
	spe_resolver_init(&resolver, &recording, &report.sources);
	spe_summary_make(&summary, &recording, &resolver, &report.filter);
	spe_add_lists(&sheets, &summary, &report.lists);
	if (report.page)
		write_page(&sheets, &report, &recording);
	if (!report.no_pager && (report.json || !report.page))
		pager = start_pager();
	if (report.json)
		spe_sheets_json(&sheets, stdout);
	else if (!report.page)
		spe_sheets_print(&sheets, stdout, width < WIDTH ? WIDTH : width);
	if (fflush(stdout) && !pager)
		flush_output(stdout);
	print_warnings(&summary, &report);
	/* Closes the pipe. If the pager was quit, the rest is dropped. */
	if (pager && freopen("/dev/null", "w", stdout) && freopen("/dev/null", "w", stderr))
		pclose(pager);
	spe_sheets_free(&sheets);
	spe_summary_free(&summary);
	spe_resolver_free(&resolver);
	spe_recording_close(&recording);
	return EXIT_SUCCESS;
}
