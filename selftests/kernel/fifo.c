// SPDX-License-Identifier: GPL-2.0
/*
 * fifo PRIORITY [PROGRAM [ARGUMENT]...] - runs a program at a real-time priority, 1 to 99, or
 * loops for ever.
 *
 * If QEMU executes CPUs in turns, the loop ends its turns after 10,000 instructions, which
 * cost QEMU nearly nothing: otherwise each TLB flush of another CPU, which ends that one's
 * turn, would take as long as a turn of this one.
 */
#include <sched.h>
#include <stdlib.h>
#include <unistd.h>

#define TURN	"\t.rept 10000\n\tnop\n\t.endr\n\tyield"

static void loop(void)
{
	for (;;)
		__asm__ volatile(TURN);
}

int main(int argc, char **argv)
{
	struct sched_param param = { 0 };

	if (argc < 2)
		return 125;
	param.sched_priority = atoi(argv[1]);
	if (sched_setscheduler(0, SCHED_FIFO, &param))
		return 125;
	if (argc == 2)
		loop();
	execvp(argv[2], argv + 2);
	return 127;
}
