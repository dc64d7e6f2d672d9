// SPDX-License-Identifier: GPL-2.0
/* fifo PROGRAM [ARGUMENT]... - runs a program at the lowest real-time priority. */
#include <sched.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	struct sched_param param = { .sched_priority = 1 };

	if (argc < 2 || sched_setscheduler(0, SCHED_FIFO, &param))
		return 125;
	execvp(argv[1], argv + 1);
	return 127;
}
