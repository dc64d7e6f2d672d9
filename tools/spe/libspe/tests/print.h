/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Packets as text, for comparison with perf. */
#ifndef LIBSPE_TESTS_PRINT_H
#define LIBSPE_TESTS_PRINT_H

#include "libspe/spe.h"

/* Longest text of a packet, with its NUL: all events at once. */
#define SPE_TEXT_MAX	320

/**
 * spe_packet_print() - formats a packet like "perf report -D", without its bytes
 * @packet: packet
 * @text: output buffer
 * @size: of @text; SPE_TEXT_MAX is enough, longer text is truncated
 *
 * Return: the length of the text.
 */
int spe_packet_print(const struct spe_packet *packet, char *text, size_t size);

#endif
