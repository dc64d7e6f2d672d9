// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* n3-exporter: the module's totals for Prometheus and other agents. */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "access.h"
#include "confine.h"
#include "container_series.h"
#include "exporter.h"
#include "lib/arguments.h"
#include "lib/errors.h"
#include "lib/machine.h"
#include "lib/machine_kernel.h"
#include "lib/memory.h"
#include "lib/program.h"
#include "lib/suggest.h"
#include "libn3telemetry/catalog.h"
#include "libn3telemetry/errors.h"
#include "listen.h"
#include "reader/options.h"
#include "reader/telemetry.h"

/* Outside the ports that exporters usually have. */
#define DEFAULT_ADDRESS		"127.0.0.1:10303"
#define DEFAULT_INTERVAL	15.0
#define DEFAULT_MAX_SERIES	10000

struct arguments {
	const char *address;	/* NULL: not given */
	const char *config_file;
	const char *textfile;
	double interval;	/* 0: not given */
	bool once;
	bool containers;
	const char *cgroups;	/* NULL: next to the source */
	struct selection *selection;
};

static const char doc[] =
	"Export the totals of Neoverse N3 CPUs as series for Prometheus: over HTTP, or in a file "
	"for node_exporter."
	"\vAny local user can read what is served on 127.0.0.1. The series are listed in "
	"n3-exporter(1).";

enum {
	OPTION_CGROUPS = 256, OPTION_CONTAINERS, OPTION_ERRORS, OPTION_GROUPS, OPTION_INTERVAL,
	OPTION_LISTEN, OPTION_MAX_SERIES, OPTION_ONCE, OPTION_PER, OPTION_SOURCE, OPTION_TEXTFILE,
	OPTION_WEB_CONFIG,
};

static const struct argp_option list[] = {
	{ "listen", OPTION_LISTEN, "ADDRESS:PORT", 0, "serve it (" DEFAULT_ADDRESS ")", 1 },
	{ "web.listen-address", 0, NULL, OPTION_ALIAS, NULL, 1 },
	{ "web.config.file", OPTION_WEB_CONFIG, "FILE", 0, "TLS and passwords of HTTP", 1 },
	{ "textfile", OPTION_TEXTFILE, "FILE", 0, "write FILE instead, at intervals", 1 },
	{ "interval", OPTION_INTERVAL, "SECONDS", 0, "time between writes of FILE (15)", 1 },
	{ "once", OPTION_ONCE, NULL, 0, "print the series, or write FILE, and exit", 1 },
	{ "per", OPTION_PER, "WHAT", 0, "system (default), numa_node or cpu", 2 },
	{ "groups", OPTION_GROUPS, "LIST", 0, "metric groups, as in mpki,general, or all", 2 },
	{ "errors", OPTION_ERRORS, NULL, 0, "Topdown_L1 by replicate, for intervals", 2 },
	{ "containers", OPTION_CONTAINERS, NULL, 0, "sampled Topdown_L1 of each container", 2 },
	{ "max-series", OPTION_MAX_SERIES, "N", 0, "refuse more series than N (10000)", 2 },
	{ "source", OPTION_SOURCE, "DIR", 0, "read DIR instead of " SOURCE_DEFAULT, 3 },
	{ "cgroups", OPTION_CGROUPS, "DIR", 0, "cgroups, instead of fs/cgroup of that sysfs", 3 },
	{ 0 }
};

static void take_per(struct selection *selection, const char *word)
{
	if (!strcmp(word, "cpu"))
		selection->per = SCOPE_CPU;
	else if (!strcmp(word, "numa_node"))
		selection->per = SCOPE_NODE;
	else if (!strcmp(word, "system"))
		selection->per = SCOPE_SYSTEM;
	else
		die(ERR_BAD_VALUE, "bad --per '%s'; write cpu, numa_node or system", word);
}

static void __noreturn die_unknown(const char *name)
{
	struct suggestion suggestion;

	suggest_begin(&suggestion, name);
	for (int i = 0; i < catalog_nr_groups(); i++)
		suggest_name(&suggestion, catalog_group(i).file);
	suggest_name(&suggestion, "all");
	die(ERR_UNKNOWN_GROUP, "no group '%s'%s", name, suggest_end(&suggestion, ""));
}

static void take_group(struct selection *selection, const char *name)
{
	int group = catalog_find_group(name);

	if (group < 0 && strcmp(name, "all"))
		die_unknown(name);
	for (int i = 0; i < catalog_nr_groups(); i++)
		if (i == group || group < 0)
			selection->groups[i] = true;
}

static void take_groups(struct selection *selection, const char *names)
{
	char *copy = xstrdup(names), *rest = copy, *name;

	while ((name = strsep(&rest, ",")))
		take_group(selection, name);
	free(copy);
}

static unsigned long parse_number(const char *arg)
{
	unsigned long number;

	errno = 0;
	number = strtoul(arg, NULL, 10);
	if (arg[strspn(arg, "0123456789")] || !number || errno)
		die(ERR_BAD_VALUE, "bad --max-series '%s'; write a positive number", arg);
	return number;
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct arguments *arguments = state->input;

	switch (key) {
	case OPTION_TEXTFILE:
		arguments->textfile = arg;
		return 0;
	case OPTION_LISTEN:
		arguments->address = arg;
		return 0;
	case OPTION_WEB_CONFIG:
		arguments->config_file = arg;
		return 0;
	case OPTION_INTERVAL:
		arguments->interval = arguments_seconds("interval", arg);
		return 0;
	case OPTION_ONCE:
		arguments->once = true;
		return 0;
	case OPTION_PER:
		take_per(arguments->selection, arg);
		return 0;
	case OPTION_GROUPS:
		take_groups(arguments->selection, arg);
		return 0;
	case OPTION_ERRORS:
		arguments->selection->errors = true;
		return 0;
	case OPTION_CONTAINERS:
		arguments->containers = true;
		return 0;
	case OPTION_CGROUPS:
		arguments->cgroups = arg;
		return 0;
	case OPTION_MAX_SERIES:
		arguments->selection->max_series = parse_number(arg);
		return 0;
	case OPTION_SOURCE:
		telemetry.root = arg;
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static void check(const struct arguments *arguments)
{
	if (arguments->interval && (!arguments->textfile || arguments->once))
		die(ERR_CONFLICTING_OPTIONS, "--interval needs --textfile without --once");
	if (arguments->address && (arguments->textfile || arguments->once))
		die(ERR_CONFLICTING_OPTIONS, "--listen excludes --textfile and --once");
	if (arguments->config_file && (arguments->textfile || arguments->once))
		die(ERR_CONFLICTING_OPTIONS, "--web.config.file excludes --textfile and --once");
	if (arguments->containers && arguments->once)
		die(ERR_CONFLICTING_OPTIONS,
		    "--containers excludes --once: its series grow while the program runs");
	if (arguments->cgroups && !arguments->containers)
		die(ERR_CONFLICTING_OPTIONS, "--cgroups needs --containers");
	if (arguments->address && listen_is_passed())
		die(ERR_CONFLICTING_OPTIONS, "--listen excludes a socket that is passed");
}

static void print_once(struct exporter *exporter)
{
	size_t len;
	bool ok;
	char *text = exporter_read(exporter, &len, &ok);

	fwrite(text, 1, len, stdout);
	free(text);
	must(ok);
}

static void serve(struct exporter *exporter, const char *address, const char *config_file)
{
	struct access *access = config_file ? access_start(config_file) : NULL;

	server_run(exporter, listen_is_passed() ? listen_passed() :
			     listen_on(address ? address : DEFAULT_ADDRESS), access);
}

static void run(struct exporter *exporter, const struct arguments *arguments)
{
	/* The process may have CAP_PERFMON, and clients send it anything. */
	int error = confine();

	if (error)
		die(ERR_SYSTEM_ERROR, "cannot filter system calls: %s", strerror(-error));
	if (arguments->containers)
		exporter->containers = container_series_start(arguments->cgroups);
	if (arguments->once && arguments->textfile)
		textfile_once(exporter, arguments->textfile);
	else if (arguments->once)
		print_once(exporter);
	else if (!arguments->textfile)
		serve(exporter, arguments->address, arguments->config_file);
	else
		textfile_run(exporter, arguments->textfile,
			     arguments->interval ? arguments->interval : DEFAULT_INTERVAL);
}

int main(int argc, char **argv)
{
	static const struct argp argp = { list, parse, NULL, doc, NULL, NULL, NULL };
	struct exporter exporter = {
		.selection = { .per = SCOPE_SYSTEM, .max_series = DEFAULT_MAX_SERIES },
	};
	struct arguments arguments = { .selection = &exporter.selection };
	char version[64];

	program_start(argc, argv);
	/* A service is not ended by a signal that others read as a request to load settings. */
	signal(SIGHUP, SIG_IGN);
	telemetry_start();
	errors_program("n3-exporter");
	snprintf(version, sizeof(version), "n3-exporter %s", program_version);
	argp_program_version = version;
	exporter.selection.groups = xcalloc(catalog_nr_groups(), sizeof(bool));
	arguments_parse(&argp, argc, argv, 0, &arguments);
	check(&arguments);
	exporter.selection.is_virtual = machine_virtual(&this_machine);
	run(&exporter, &arguments);
	exposition_free(&exporter.exposition);
	files_free(&exporter.files);
	container_series_free(exporter.containers);
	free(exporter.selection.groups);
	return EXIT_SUCCESS;
}
