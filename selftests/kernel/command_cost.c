// SPDX-License-Identifier: GPL-2.0
/*
 * command_cost RUNS COMMAND [ARG]... - instructions of a command, in user space and in the
 * kernel, on machines whose time is counted in instructions, one per nanosecond. Its output is
 * discarded. Prints their mean over RUNS.
 *
 * CPU time excludes sleep, but includes interrupts and other CPUs' turns. So each run is
 * followed by a loop of known instructions of about the same duration, and the loops give
 * the share of the time that a program gets.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define PER_ROUND	2	/* instructions */

static unsigned long cpu_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	return now.tv_sec * 1000000000ul + now.tv_nsec;
}

static unsigned long timed_loop(unsigned long instructions)
{
	unsigned long rounds = instructions / PER_ROUND + 1, begin = cpu_ns();

#ifdef __aarch64__
	asm volatile("1: subs %0, %0, #1\n\tb.ne 1b" : "+r" (rounds) : : "cc");
#else
	while (rounds--)
		asm volatile("");
#endif
	return cpu_ns() - begin;
}

static unsigned long ns_of(const struct timeval *time)
{
	return time->tv_sec * 1000000000ul + time->tv_usec * 1000ul;
}

static unsigned long timed_run(char **command)
{
	struct rusage usage;
	pid_t pid = fork();
	int status;

	if (!pid) {
		int fd = open("/dev/null", O_WRONLY);

		if (fd >= 0 && dup2(fd, 1) == 1)
			execvp(command[0], command);
		perror(command[0]);
		_exit(127);
	}
	if (pid < 0 || wait4(pid, &status, 0, &usage) != pid || status) {
		fprintf(stderr, "command_cost: %s failed\n", command[0]);
		exit(1);
	}
	return ns_of(&usage.ru_utime) + ns_of(&usage.ru_stime);
}

int main(int argc, char **argv)
{
	double run_ns = 0, loop_ns = 0;
	int runs = argc > 2 ? atoi(argv[1]) : 0;

	if (runs < 1) {
		fprintf(stderr, "usage: command_cost RUNS COMMAND [ARG]...\n");
		return 2;
	}
	for (int i = 0; i < runs; i++) {
		unsigned long ns = timed_run(&argv[2]);

		run_ns += ns;
		loop_ns += timed_loop(ns);
	}
	/* the loops' instructions are the runs' nanoseconds */
	printf("%.0f\n", run_ns / runs * run_ns / loop_ns);
	return 0;
}
