/* SPDX-License-Identifier: GPL-2.0 */
/* Instructions that take a known time. */
#ifndef SPIN_H
#define SPIN_H

/*
 * If QEMU counts time in instructions a CPU that is busy with nops costs the
 * host next to nothing: they are counted, and do nothing else.
 */
static inline void spin(unsigned long thousands)
{
	/* an iteration takes two or three more than the nops */
	do {
		__asm__ volatile(".rept 997\n\tnop\n\t.endr");
	} while (--thousands);
}

#endif /* SPIN_H */
