// SPDX-License-Identifier: GPL-2.0
/*
 * runs SEED DIRECTORY:PROCESSES:LAW:RUN:PAUSE:TIMES:CALLS... - processes in cgroups that run and
 * sleep until killed, on a machine whose time is counted in instructions.
 *
 * Each of PROCESSES in the cgroup DIRECTORY runs TIMES times, pauses after each run, then wakes
 * one process of the CALLS-th argument, from 0; "-": none. If an argument is called, its
 * processes wait for that first; one of a ring starts it. RUN and PAUSE are means in
 * microseconds; PAUSE 0: none. LAW is that of both: constant, exponential or pareto (exponent
 * 1.5, up to 1,000 times the least; pauses are exponential).
 */
#include <err.h>
#include <math.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "spin.h"

#define MAX_SPECS	40
#define MOST		1000.0

struct spec {
	char dir[128], law[16], calls[8];
	unsigned int processes, run_us, pause_us, times;
	bool called;
	int pipe[2];
};

static struct spec specs[MAX_SPECS];
static unsigned int nr_specs;
static unsigned long long state;

static double uniform(void)
{
	state ^= state >> 12;
	state ^= state << 25;
	state ^= state >> 27;
	return (state * 0x2545f4914f6cdd1dull >> 11) / (double)(1ull << 53);
}

static double draw(const char *law, double mean)
{
	if (*law == 'c')
		return mean;
	if (*law == 'e')
		return -mean * log(1 - uniform());
	return mean / 3 * pow(1 - uniform() * (1 - pow(MOST, -1.5)), -1 / 1.5);
}

static void pause_for(const struct spec *spec)
{
	double ns = 1000 * draw(*spec->law == 'p' ? "exponential" : spec->law, spec->pause_us);
	struct timespec time = { ns / 1e9, (unsigned long long)ns % 1000000000 };

	nanosleep(&time, NULL);
}

static void work(const struct spec *spec)
{
	unsigned int i;
	char token;

	for (;;) {
		if (spec->called && read(spec->pipe[0], &token, 1) != 1)
			err(1, "read");
		for (i = 0; i < spec->times; i++) {
			spin(1 + draw(spec->law, spec->run_us));
			if (spec->pause_us)
				pause_for(spec);
		}
		if (*spec->calls != '-' &&
		    write(specs[atoi(spec->calls)].pipe[1], &token, 1) != 1)
			err(1, "write");
	}
}

static void enter(const char *dir)
{
	char path[160];
	FILE *file;

	snprintf(path, sizeof(path), "%s/cgroup.procs", dir);
	file = fopen(path, "w");
	if (!file || fprintf(file, "%d\n", getpid()) < 0 || fclose(file))
		err(1, "%s", path);
}

static void start(const struct spec *spec, unsigned int nr)
{
	pid_t pid = fork();

	if (pid < 0)
		err(1, "fork");
	if (pid)
		return;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	prctl(PR_SET_TIMERSLACK, 1);
	state += 1000003 * nr;
	enter(spec->dir);
	work(spec);
}

static void parse(struct spec *spec, const char *text)
{
	if (sscanf(text, "%127[^:]:%u:%15[^:]:%u:%u:%u:%7s", spec->dir, &spec->processes,
		   spec->law, &spec->run_us, &spec->pause_us, &spec->times, spec->calls) != 7 ||
	    !strchr("cep", *spec->law) || pipe(spec->pipe))
		errx(1, "%s: see the head of runs.c", text);
}

int main(int argc, char **argv)
{
	unsigned int i, k, nr = 0;

	if (argc < 3 || argc > MAX_SPECS + 2)
		errx(1, "usage: see the head of runs.c");
	state = strtoull(argv[1], NULL, 10) + 1;
	for (nr_specs = 0; nr_specs < (unsigned int)argc - 2; nr_specs++)
		parse(&specs[nr_specs], argv[nr_specs + 2]);
	for (i = 0; i < nr_specs; i++) {
		if (*specs[i].calls == '-')
			continue;
		k = atoi(specs[i].calls);
		if (k >= nr_specs)
			errx(1, "no argument %u", k);
		specs[k].called = true;
		if (k <= i && write(specs[k].pipe[1], "", 1) != 1)
			err(1, "write");
	}
	for (i = 0; i < nr_specs; i++)
		for (k = 0; k < specs[i].processes; k++)
			start(&specs[i], ++nr);
	while (wait(NULL) > 0)
		;
	return 1;
}
