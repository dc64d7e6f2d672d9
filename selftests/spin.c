// SPDX-License-Identifier: GPL-2.0
/*
 * spin [THOUSANDS [MICROSECONDS]] - no end of instructions, or so many thousand, or so
 * many again and again with a pause of so many microseconds in between.
 *
 * Where QEMU counts time in instructions a CPU that is busy with nops takes next to
 * nothing of the machine below: they are counted, and there is nothing else to do.
 */
#include <stdlib.h>
#include <unistd.h>

static void spin(unsigned long thousands)
{
	/* a round takes two or three more than the nops */
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
