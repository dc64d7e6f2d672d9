// SPDX-License-Identifier: GPL-2.0
/*
 * late_wakeup TIMES MICROSECONDS - sleeps so often until a time that far ahead, and prints by
 * how many nanoseconds it was late on average: what the kernel takes from the interrupt
 * until the task runs, which includes the way out of an idle state.
 */
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <time.h>

static long now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000000000l + now.tv_nsec;
}

int main(int argc, char **argv)
{
	long times, ns, late = 0;

	if (argc != 3 || atol(argv[1]) < 1) {
		fprintf(stderr, "usage: late_wakeup TIMES MICROSECONDS\n");
		return 2;
	}
	times = atol(argv[1]);
	ns = atol(argv[2]) * 1000;
	/* to the nanosecond */
	prctl(PR_SET_TIMERSLACK, 1ul);
	for (long i = 0; i < times; i++) {
		long until = now_ns() + ns;
		struct timespec at = { until / 1000000000l, until % 1000000000l };

		clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &at, NULL);
		late += now_ns() - until;
	}
	printf("%ld\n", late / times);
	return 0;
}
