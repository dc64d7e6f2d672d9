// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * gen_docs metrics|events|advice|glossary - writes this page of Documentation from the
 * tables of the module, with the module's own parser, and of the tools. Started by
 * gen-docs.sh.
 */
#include <linux/kernel.h>
#include <linux/string.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <strings.h>
#include <unistd.h>

#include "libn3t/formula.h"
#include "libn3t/spec.h"
#include "libn3telemetry/stats/spec_words.h"

static const struct {
	const char *section;
	const char *words;
} group_words[N3T_NR_GROUPS] = {
#define GROUP_WORDS(group, number, text) \
	[N3T_GROUP_##group] = { number, text },
#include "gen_docs_groups.def.h"
};

static const char * const metric_words[N3T_NR_METRICS] = {
#define MEANING(metric, text) \
	[N3T_METRIC_##metric] = text,
#include "libn3telemetry/meanings.def.h"
};

/* Targets of the decision tree. */
static const struct {
	unsigned int node;
	const char *next;
	bool is_group;
} tree[] = {
#define N3T_TREE_METRIC(node, metric) { N3T_METRIC_##node, #metric, false },
#define N3T_TREE_GROUP(node, group) { N3T_METRIC_##node, #group, true },
#include "libn3t/n3t_groups.def.h"
};

static const char * const class_words[] = {
	[N3T_CLASS_COMMON_ARCH] = "architectural",
	[N3T_CLASS_COMMON_IMPDEF] = "common",
	[N3T_CLASS_PRODUCT_IMPDEF] = "product",
	[N3T_CLASS_DEBUG_IMPDEF] = "debug",
};

static void __attribute__((__format__(printf, 1, 2), __noreturn__)) die(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	fputs("gen_docs: ", stderr);
	vfprintf(stderr, format, args);
	va_end(args);
	fputc('\n', stderr);
	exit(1);
}

static bool specified(unsigned int metric)
{
	/* The table has them first; both are counted in n3t.h. */
	return metric < N3T_NR_SPECIFIED_METRICS;
}

static void heading(const char *text, char line)
{
	unsigned int i;

	printf("\n%s\n", text);
	for (i = 0; i < strlen(text); i++)
		putchar(line);
	putchar('\n');
}

/* Words in lines of at most 78 characters, all but the first indented by @rest spaces. */
static void hanging(const char *text, unsigned int indent, unsigned int rest)
{
	unsigned int column = 0;

	while (*text) {
		size_t len = strcspn(text, " ");

		if (column && column + 1 + len > 78) {
			putchar('\n');
			column = 0;
			indent = rest;
		}
		printf("%*s%.*s", column ? 1 : (int)indent, "", (int)len, text);
		column += (column ? 1 : indent) + len;
		text += len;
		text += *text == ' ';
	}
	putchar('\n');
}

static void paragraph(const char *text, unsigned int indent)
{
	hanging(text, indent, indent);
}

/* Every link target is a heading of the same page. */
static void emit_group_links(unsigned int metric)
{
	const char *comma = "";
	unsigned int i, k;

	for (i = 0; i < N3T_NR_GROUPS; i++)
		for (k = 0; k < n3t_groups[i].nr_members; k++)
			if (n3t_groups[i].members[k] == metric) {
				printf("%s`%s`_", comma, n3t_groups[i].file);
				comma = ", ";
			}
	putchar('\n');
}

static void emit_next(unsigned int metric)
{
	const char *lead = "    :Next: ";
	unsigned int i;
	int group;

	for (i = 0; i < ARRAY_SIZE(tree); i++) {
		if (tree[i].node != metric)
			continue;
		group = tree[i].is_group ? n3t_group_by_name(tree[i].next) : -1;
		printf("%s`%s`_", lead, group < 0 ? tree[i].next : n3t_groups[group].file);
		lead = ", ";
	}
	if (*lead == ',')
		putchar('\n');
}

/* In the order of the formula, including CPU_CYCLES. */
static void emit_events(const struct n3t_formula *formula)
{
	u16 shown[N3T_FORMULA_EVENTS + 1];
	unsigned int i, k, nr = 0;

	for (i = 0; i < formula->nr_tokens; i++) {
		u16 code = formula->token[i].arg;

		if (formula->token[i].op != N3T_OP_EVENT)
			continue;
		for (k = 0; k < nr; k++)
			if (shown[k] == code)
				break;
		if (k < nr)
			continue;
		shown[nr++] = code;
		printf("%s%s", nr > 1 ? ", " : "", n3t_events[n3t_event_by_code(code)].name);
	}
	putchar('\n');
}

static void emit_metric(unsigned int metric)
{
	const struct n3t_metric_info *info = &n3t_metrics[metric];
	const struct n3t_formula *formula = n3t_metric_formula(metric);
	char text[N3T_FORMULA_SIZE];

	if (!metric_words[metric])
		die("metric %s has no words in meanings.def.h", info->name);

	printf("\n.. _%s:\n\n``%s``\n", info->name, info->name);
	paragraph(metric_words[metric], 4);
	printf("\n    :Unit: %s, %u decimals\n", n3t_metric_units[metric], info->decimals);
	n3t_formula_text(metric, text, sizeof(text));
	printf("    :Formula: ``%s``\n", text);
	fputs("    :Events: ", stdout);
	emit_events(formula);
	printf("    :Counters: %u plus the cycle counter\n", formula->nr_events);
	fputs("    :Groups: ", stdout);
	emit_group_links(metric);
	emit_next(metric);
}

static void emit_group(const struct n3t_group_info *group, unsigned int number)
{
	unsigned int i;

	if (!group_words[number].words)
		die("group %s has no words in gen_docs_groups.def.h", group->name);

	printf("\n.. _%s:\n\n``%s``: %s\n", group->file, group->file, n3t_group_titles[number]);
	paragraph(group_words[number].words, 4);
	putchar('\n');
	if (group->stage)
		printf("    :Stage: %u\n", group->stage);
	if (*group_words[number].section)
		printf("    :Section: %s\n", group_words[number].section);
	fputs("    :Metrics: ", stdout);
	for (i = 0; i < group->nr_members; i++)
		printf("%s`%s`_", i ? ", " : "", n3t_metrics[group->members[i]].name);
	putchar('\n');
}

static void emit_groups(bool of_the_specification)
{
	unsigned int i;

	for (i = 0; i < N3T_NR_GROUPS; i++)
		if (!!n3t_groups[i].stage == of_the_specification)
			emit_group(&n3t_groups[i], i);
}

static void emit_metrics(bool of_the_specification)
{
	unsigned int i;

	for (i = 0; i < N3T_NR_METRICS; i++)
		if (specified(i) == of_the_specification)
			emit_metric(i);
}

static unsigned int nr_specified_groups(void)
{
	unsigned int i, nr = 0;

	for (i = 0; i < N3T_NR_GROUPS; i++)
		nr += !!n3t_groups[i].stage;
	return nr;
}

static void begin(const char *title)
{
	puts(".. Made by tools/dev/gen-docs.sh from the tables in drivers/perf/n3_telemetry.");
	puts(".. Change those or the words (tools/libn3telemetry/meanings.def.h,");
	puts(".. tools/dev/gen_docs_groups.def.h), not this file.");
	heading(title, '=');
}

static void write_metrics(void)
{
	unsigned int groups = nr_specified_groups();

	begin("Metrics and metric groups");
	puts("\nFor users of values. What does a metric mean, and which events does it need?");
	printf("\n%d metrics in %u groups are those of Arm's *Neoverse N3 Core Telemetry\n"
	       "Specification* (109530, issue 01); %d more metrics in %u groups are not. *Section*\n"
	       "refers to the specification, whose section 4.3 has the formulas.\n\n",
	       N3T_NR_SPECIFIED_METRICS, groups, N3T_NR_METRICS - N3T_NR_SPECIFIED_METRICS,
	       N3T_NR_GROUPS - groups);
	puts("A group is one file in each directory of ``/sys/kernel/n3_telemetry``. A metric is\n"
	     "computed from events that were counted together: the exact quotient, rounded to\n"
	     "the given decimals (to nearest, ties away from zero). It is ``unplaced`` on a CPU\n"
	     "with too few counters, and ``unsupported`` if ``distrust`` names one of its events.\n\n"
	     "Metrics whose formula subtracts can be negative; no value is clamped. *Next* names\n"
	     "the metrics or groups to look at when the metric is large.");
	heading("Groups", '-');
	emit_groups(true);
	heading("Extra groups", '-');
	puts("\nNot sampled unless they are named in ``groups``.");
	emit_groups(false);
	heading("Metrics", '-');
	emit_metrics(true);
	heading("Extra metrics", '-');
	emit_metrics(false);
}

static bool uses(unsigned int metric, u16 code)
{
	const struct n3t_formula *formula = n3t_metric_formula(metric);
	unsigned int i;

	for (i = 0; i < formula->nr_tokens; i++)
		if (formula->token[i].op == N3T_OP_EVENT && formula->token[i].arg == code)
			return true;
	return false;
}

static void rule(void)
{
	puts("======  ============================================  "
	     "=============  ================  =======");
}

static void emit_event(unsigned int number)
{
	const struct n3t_event_info *event = &n3t_events[number];
	const struct n3t_event_words *words = &n3t_event_words[number];
	const char *later = n3t_event_later(number);
	const char *comma = "";
	char names[80];
	unsigned int i;

	snprintf(names, sizeof(names), later ? "%s, %s" : "%s", event->name, later);
	printf("0x%04X  %-44s  %-13s  %-16s  ", event->code, names, class_words[words->class],
	       strcmp(words->functional, "None") ? words->functional : "\\-");
	if (!event->countable)
		fputs("*cannot be counted alone*", stdout);
	for (i = 0; i < N3T_NR_METRICS; i++)
		if (uses(i, event->code)) {
			printf("%s%s", comma, n3t_metrics[i].name);
			comma = ", ";
		}
	puts(*comma || !event->countable ? "" : "\\-");
}

static unsigned int nr_of_class(enum n3t_event_class class)
{
	unsigned int i, nr = 0;

	for (i = 0; i < N3T_NR_EVENTS; i++)
		nr += n3t_event_words[i].class == class;
	return nr;
}

static void write_events(void)
{
	unsigned int i;

	begin("Events");
	puts("\nFor users of perf and of ``custom``. Which events exist? Which metrics use them?");
	printf("\n%d events. While the module is loaded, perf accepts their names in lower case,\n"
	       "such as ``armv8_pmuv3/stall_slot/``, and both names of an event that was renamed.\n"
	       "The setting ``custom`` accepts names in any case.\n\n",
	       N3T_NR_EVENTS);
	puts("Section 4.4 of Arm's *Neoverse N3 Core Telemetry Specification* (109530, issue 01)\n"
	     "describes the events. Classes:\n");
	printf("* architectural: defined by the Arm architecture (%u)\n",
	       nr_of_class(N3T_CLASS_COMMON_ARCH));
	printf("* common: a number that Arm recommends for the purpose (%u)\n",
	       nr_of_class(N3T_CLASS_COMMON_IMPDEF));
	printf("* product: this core's own, in the specification (%u)\n",
	       nr_of_class(N3T_CLASS_PRODUCT_IMPDEF));
	printf("* debug: this core's own, from Arm's later event data (%u)\n\n",
	       nr_of_class(N3T_CLASS_DEBUG_IMPDEF));

	rule();
	printf("%-6s  %-44s  %-13s  %-16s  %s\n", "number", "name, later name", "class",
	       "functional group", "metrics");
	rule();
	for (i = 0; i < N3T_NR_EVENTS; i++)
		emit_event(i);
	rule();
}

static const struct {
	const char *id, *subject, *kind, *condition, *text, *source;
} advices[] = {
#define ADVICE_ROW(id, subject, kind, condition, text, source) \
	{ #id, #subject, #kind, #condition, text, source },
#include "reader/advice.def.h"
#define SPE_FIX(id, text, source) \
	{ #id, "spe_info", "FIX", "ALWAYS", text, source },
#include "spe/n3spe/fixes.def.h"
};

static const struct {
	const char *metric, *usual, *large, *source;
} levels[] = {
#define LEVEL_OF(metric, usual, large, source) { #metric, usual, large, source },
#include "libn3telemetry/levels.def.h"
};

static const struct {
	const char *name, *title, *url;
} sources[] = {
#define SOURCE_OF(name, title, url) { name, title, url },
#include "libn3telemetry/sources.def.h"
};

/* Kinds and conditions as in advice.h, and words for them. */
static const struct {
	const char *name, *words;
} advice_words[] = {
	{ "MEANS", "means" },
	{ "LOOK", "look at" },
	{ "FIND", "find it" },
	{ "NOTE", "note" },
	{ "FIX", "fix" },
	{ "ALWAYS", "" },
	{ "SPE", ", if SPE is usable" },
	{ "NO_SPE", ", if SPE is not usable" },
	{ "SEVERAL_NODES", ", unless there is one NUMA node" },
	{ "PERF", ", if the command is one of perf" },
	{ "SIMULATED", ", if counts are simulated" },
};

static const char *advice_word(const char *name)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(advice_words); i++)
		if (!strcmp(advice_words[i].name, name))
			return advice_words[i].words;
	die("no words for %s", name);
}

static void field(const char *name, const char *text)
{
	char *line = NULL;

	if (asprintf(&line, ":%s: %s", name, text) < 0)
		die("out of memory");
	hanging(line, 4, 8);
	free(line);
}

/* A file of this project exists. */
static void check_own_path(const char *part)
{
	char *path = strndup(part, strcspn(part, ",:;"));

	if (!path || access(path, R_OK))
		die("no file %s", path);
	free(path);
}

/* Each part of a source begins with a document, or is the reason why there is none. */
static void check_source(const char *id, const char *text)
{
	static const char unpublished[] = "no published source: ", own[] = "n3_telemetry, ";
	const char *part = text, *end;

	for (; part; part = end ? end + 2 : NULL) {
		size_t len = strcspn(part, ",");
		unsigned int i;

		end = strstr(part, "; ");
		if (!strncmp(part, unpublished, strlen(unpublished)))
			continue;
		for (i = 0; i < ARRAY_SIZE(sources); i++)
			if (strlen(sources[i].name) == len && !strncmp(sources[i].name, part, len))
				break;
		if (i == ARRAY_SIZE(sources))
			die("%s: no document of sources.def.h begins \"%s\"", id, part);
		if (!strncmp(part, own, strlen(own)))
			check_own_path(part + strlen(own));
	}
}

static void emit_source(unsigned int i)
{
	printf("\n%s\n", sources[i].name);
	paragraph(sources[i].title, 4);
	if (sources[i].url)
		printf("    %s\n", sources[i].url);
}

static void emit_advice(unsigned int i)
{
	bool command = !strcmp(advices[i].kind, "FIND") ||
		       (!strcmp(advices[i].kind, "FIX") && strcmp(advices[i].subject, "word"));

	if (!i || strcmp(advices[i].subject, advices[i - 1].subject))
		heading(advices[i].subject, '~');
	printf("\n``%s`` (%s%s)\n", advices[i].id, advice_word(advices[i].kind),
	       advice_word(advices[i].condition));
	if (command)
		printf("    ``%s``\n", advices[i].text);
	else
		paragraph(advices[i].text, 4);
	putchar('\n');
	check_source(advices[i].id, advices[i].source);
	field("Source", advices[i].source);
}

static void emit_level(unsigned int i)
{
	bool published = levels[i].usual || levels[i].large;

	printf("\n``%s``\n", levels[i].metric);
	if (levels[i].usual)
		field("Usual", levels[i].usual);
	if (levels[i].large)
		field("Large", levels[i].large);
	if (published)
		check_source(levels[i].metric, levels[i].source);
	field(published ? "Source" : "Not published", levels[i].source);
}

struct definition {
	const char *term, *text;
};

static int compare_terms(const void *a, const void *b)
{
	const struct definition *one = a, *other = b;

	return strcasecmp(one->term, other->term);
}

static void write_glossary(void)
{
	struct definition terms[] = {
#define TERM_TEXT(term, means, see) { #term, means },
#define GLOSSARY_TEXT(term, means) { term, means },
#include "libn3telemetry/terms.def.h"
	};
	unsigned int i;

	puts(".. Made by tools/dev/gen-docs.sh from tools/libn3telemetry/terms.def.h. Change");
	puts(".. that, not this file.");
	heading("Glossary", '=');
	puts("\nFor all readers. What does a term of n3_telemetry mean? ``n3stat explain TERM``\n"
	     "prints those of its output with the place to look.\n\n.. glossary::");
	qsort(terms, ARRAY_SIZE(terms), sizeof(*terms), compare_terms);
	for (i = 0; i < ARRAY_SIZE(terms); i++) {
		printf("\n   %s\n", terms[i].term);
		paragraph(terms[i].text, 6);
	}
}

static void write_advice(void)
{
	unsigned int i;

	puts(".. Made by tools/dev/gen-docs.sh from tools/reader/advice.def.h and, in");
	puts(".. tools/libn3telemetry, levels.def.h and sources.def.h. Change those, not");
	puts(".. this file.");
	heading("Advice and its sources", '=');
	puts("\nFor readers of advice by n3stat. When is it given, and what supports it?\n");
	paragraph("``n3stat tree``, ``top``, ``explain`` and ``report`` print advice where a path "
		  "ends; ``n3stat doctor`` and ``n3stat spe info`` print a fix after \"try:\". "
		  "Each text has an id, which ``n3stat tree --json`` prints, a condition and a "
		  "source: a document of the list at the end, with a section or file. In "
		  "commands, PMU stands for the name of the CPUs' PMU and WHERE for ``-C`` with "
		  "a list of CPUs.", 0);
	heading("Advice", '-');
	for (i = 0; i < ARRAY_SIZE(advices); i++)
		emit_advice(i);
	heading("Usual and large values", '-');
	putchar('\n');
	paragraph("``n3stat explain`` prints these values. Those of Intel's cores are thresholds "
		  "of toplev; those of misses per thousand instructions are for AWS Graviton. For "
		  "Neoverse N3 itself, no values have been published.", 0);
	for (i = 0; i < ARRAY_SIZE(levels); i++)
		emit_level(i);
	heading("Sources", '-');
	for (i = 0; i < ARRAY_SIZE(sources); i++)
		emit_source(i);
}

int main(int argc, char **argv)
{
	if (n3t_spec_init() || n3t_formula_init())
		die("the tables are wrong");

	if (argc == 2 && !strcmp(argv[1], "metrics"))
		write_metrics();
	else if (argc == 2 && !strcmp(argv[1], "events"))
		write_events();
	else if (argc == 2 && !strcmp(argv[1], "advice"))
		write_advice();
	else if (argc == 2 && !strcmp(argv[1], "glossary"))
		write_glossary();
	else
		die("usage: gen_docs metrics|events|advice|glossary");
	return 0;
}
