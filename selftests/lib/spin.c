// SPDX-License-Identifier: GPL-2.0
/*
 * spin [THOUSANDS [MICROSECONDS]] - executes instructions until killed, or
 * THOUSANDS of them, or THOUSANDS of them repeatedly with a pause of
 * MICROSECONDS in between.
 *
 * If QEMU counts time in instructions a CPU that is busy with nops costs the
 * host next to nothing: they are counted, and do nothing else.
 */
#include <stdlib.h>
#include <unistd.h>

static void spin(unsigned long thousands)
{
	/* an iteration takes two or three more than the nops */
	do {
		__asm__ volatile(".rept 997\n\tnop\n\t.endr");
	} while (--thousands);
}

int main(int argc, char **argv)
{
	unsigned long thousands = argc > 1 ? strtoul(argv[1], NULL, 10) : 0;
	unsigned int pause = argc > 2 ? strtoul(argv[2], NULL, 10) : 0;

	do {
		spin(thousands);
		usleep(pause);
	} while (pause);
	return 0;
}
