// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Plan for the default groups, its rotation and the quality of values, for
 * workload.py.
 *
 *	quality_eval plan BUDGET SEED SLICES
 *		prints a line "anchor" for each anchor, a line "set" with the events
 *		of each set, a line "home" with the set of each metric, and a line
 *		"order" with the sets of the next SLICES slices
 *	quality_eval run BUDGET CPUS
 *		reads lines
 *			s CPU END_NS TIME_NS SET CYCLES COUNT...	a slice
 *			q SINCE_NS UNTIL_NS METRIC...	quality on CPU 0
 *			a SINCE_NS UNTIL_NS METRIC...	quality over all CPUs
 *			m SINCE_NS UNTIL_NS FILE	moments of CPU 0, into FILE
 *		and answers q and a with lines of quality
 *
 * ANCHORS in the environment has the syntax of the setting.
 */
#include <linux/kernel.h>

#include "eval.h"
#include "libn3t/covariance.h"
#include "libn3telemetry/stats/quality.h"
#include "libn3telemetry/stats/tests/view_take.h"

#define RING_SLICES	4096
#define WINDOW_NS	2000000000ull	/* the module's default */
#define MAX_CPUS	8

static struct n3t_plan plan;
static struct n3t_ring rings[MAX_CPUS];
static struct n3t_covariance covariances[MAX_CPUS];
static struct n3t_anchor_totals anchors[MAX_CPUS];
static struct cpu_view views[MAX_CPUS];
static struct n3t_anchors wanted = { .automatic = true };
static unsigned int nr_cpus;

/* "auto", "none" or event names separated by commas, as in the setting */
static void want_anchors(char *text)
{
	char *word;
	int nr;

	if (!strcmp(text, "auto"))
		return;
	wanted.automatic = false;
	if (!strcmp(text, "none"))
		return;
	for (word = strtok(text, ","); word; word = strtok(NULL, ",")) {
		nr = n3t_event_by_name(word);
		if (nr < 0 || wanted.nr == N3T_MAX_ANCHORS)
			die("no such anchor, or too many");
		wanted.code[wanted.nr++] = n3t_events[nr].code;
	}
}

static void print_plan(u32 seed, unsigned int nr)
{
	struct n3t_rotation rotation;
	unsigned int i;

	for (i = 0; i < plan.nr_anchors; i++)
		printf("anchor %s\n", n3t_events[n3t_event_by_code(plan.anchor[i])].name);
	print_sets(&plan);
	n3t_rotation_init(&rotation, &plan, seed);
	printf("order");
	while (nr-- > 0)
		printf(" %u", n3t_rotation_next(&rotation, &plan));
	printf("\n");
}

static void make_cpus(unsigned int nr)
{
	unsigned int i;

	if (!nr || nr > MAX_CPUS)
		die("too many CPUs, or none");
	for (i = 0; i < nr; i++) {
		n3t_ring_init(&rings[i], malloc(n3t_ring_bytes(&plan, RING_SLICES)), &plan,
			      RING_SLICES);
	}
	nr_cpus = nr;
}

static void free_cpus(void)
{
	unsigned int i;

	for (i = 0; i < nr_cpus; i++) {
		free(rings[i].slices);
		free(covariances[i].set);
		free(anchors[i].now);
		view_drop(&views[i]);
	}
}

/* The window is sized for slices as long as the first. */
static void begin_cpu(unsigned int cpu, u64 time_ns)
{
	unsigned int slices = (WINDOW_NS + time_ns - 1) / time_ns;

	n3t_covariance_init(&covariances[cpu], malloc(n3t_covariance_bytes(&plan)), &plan, slices);
	n3t_anchors_init(&anchors[cpu], malloc(n3t_anchors_bytes(&plan, slices)), &plan, slices);
}

static void read_slice(void)
{
	const struct n3t_slice *slice;
	unsigned int cpu = next_number();

	if (cpu >= nr_cpus)
		die("no such CPU");
	slice = read_kept_slice(&rings[cpu], &plan);
	if (!covariances[cpu].set)
		begin_cpu(cpu, slice->time_ns);
	n3t_covariance_add(&covariances[cpu], slice);
	n3t_anchors_add(&anchors[cpu], slice);
	n3t_ring_commit(&rings[cpu]);
}

static void sum_windows(void)
{
	u64 since_ns = next_number(), until_ns = next_number();
	unsigned int i;

	for (i = 0; i < nr_cpus; i++) {
		if (!view_take(&views[i], &plan, &rings[i], &covariances[i], &anchors[i], since_ns,
			       until_ns))
			die("moments cannot be read");
		views[i].included = false;
		if (i)
			view_share(&views[i], &views[0]);
	}
}

static void answer_quality(bool all)
{
	struct n3t_quality quality;
	unsigned int metric;
	char text[512];
	char *word;

	sum_windows();
	while ((word = strtok(NULL, EVAL_SEPARATORS))) {
		metric = metric_by_name(word);
		if (all)
			n3t_quality_of_several(&quality, metric, views, nr_cpus);
		else
			n3t_quality_of_cpu(&quality, metric, &views[0]);
		n3t_quality_print(text, sizeof(text), metric, &quality);
		fputs(text, stdout);
	}
}

static void answer_moments(void)
{
	u64 since_ns = next_number(), until_ns = next_number();
	struct n3t_moments from = view_source(&plan, &rings[0], &covariances[0], &anchors[0],
					      since_ns, until_ns);
	FILE *file = fopen(strtok(NULL, EVAL_SEPARATORS), "wb");
	unsigned int records;
	unsigned char *data = write_moments(&from, &records);

	if (!file || !data || fwrite(data, N3T_MOMENTS_RECORD, records, file) != records ||
	    fclose(file))
		die("cannot write moments");
	free(data);
	free(from.window);
}

static void run(void)
{
	static char line[EVAL_LINE_SIZE];
	char *word;

	while (fgets(line, sizeof(line), stdin)) {
		word = strtok(line, EVAL_SEPARATORS);
		switch (word ? *word : 0) {
		case 's':
			read_slice();
			break;
		case 'm':
			answer_moments();
			break;
		case 'q':
			answer_quality(false);
			break;
		case 'a':
			answer_quality(true);
			break;
		default:
			die("unknown command");
		}
	}
}

int main(int argc, char **argv)
{
	char all[] = "all";

	if (argc < 4 || n3t_spec_init() || n3t_formula_init())
		return 2;
	if (getenv("ANCHORS"))
		want_anchors(getenv("ANCHORS"));
	make_plan(&plan, atoi(argv[2]), all, &wanted);
	if (argc == 5 && !strcmp(argv[1], "plan")) {
		print_plan(strtoul(argv[3], NULL, 10), strtoul(argv[4], NULL, 10));
	} else if (argc == 4 && !strcmp(argv[1], "run")) {
		make_cpus(atoi(argv[3]));
		run();
		free_cpus();
	} else {
		die("usage: see the head of quality_eval.c");
	}
	return 0;
}
