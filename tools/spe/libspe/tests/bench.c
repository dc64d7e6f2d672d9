// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * bench - decoding time per packet and per record, compared with perf's decoder on the same bytes
 * in the same run, as TAP. Best of several alternating rounds.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "bench.h"
#include "libspe/spe.h"

#define RECORDS	20000
#define SIZE	(RECORDS * 64u)
#define TURNS	40

static uint8_t bytes[SIZE];
static uint64_t sum_of_all;	/* printed, so that the compiler cannot drop the work */

static uint64_t now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
	return time.tv_sec * 1000000000ull + time.tv_nsec;
}

static void put(uint8_t *to, uint8_t header, size_t size)
{
	*to = header;
	for (size_t i = 1; i <= size; i++)
		to[i] = rand();
}

/* A load, store, branch or other operation in the layout of Neoverse cores. */
static void make_record(uint8_t *to)
{
	unsigned int kind = rand() % 4;

	put(to, 0xb0, 8);
	if (rand() % 2)
		put(to + 9, 0x64, 4);
	put(to + 19, kind == 3 ? 0x48 : kind == 2 ? 0x4a : 0x49, 1);
	put(to + 21, 0x52, 2);
	put(to + 24, 0x99, 2);
	put(to + 27, 0x98, 2);
	if (kind < 3)
		put(to + 30, kind == 2 ? 0xb1 : 0xb2, 8);
	if (kind < 2) {
		put(to + 39, 0x9a, 2);
		put(to + 42, 0xb3, 8);
		put(to + 51, 0x43, 1);
	}
	put(to + 55, 0x71, 8);
}

static uint64_t our_packets(void)
{
	struct spe_packet packet;
	uint64_t sum = 0;
	size_t at = 0;

	while (at < SIZE) {
		at += spe_packet_get(&packet, bytes + at, SIZE - at, at);
		sum += packet.payload;
	}
	return sum;
}

static uint64_t perf_packets(void)
{
	return bench_perf_packets(bytes, SIZE);
}

static uint64_t perf_records(void)
{
	return bench_perf_records(bytes, SIZE);
}

static int add_pc(const struct spe_record *record, void *sum)
{
	*(uint64_t *)sum += record->pc << 8;
	return 0;
}

static uint64_t our_records(void)
{
	static struct spe_stream stream;
	uint64_t sum = 0;

	spe_stream_init(&stream, 0);
	spe_stream_feed(&stream, bytes, SIZE, add_pc, &sum);
	return sum;
}

static uint64_t time_of(uint64_t (*run)(void), uint64_t best)
{
	uint64_t from = now(), time;

	sum_of_all += run();
	time = now() - from;
	return time < best ? time : best;
}

/* Return: whether ours is at least as fast, with the same result. */
static bool compare(int number, const char *what, uint64_t (*ours)(void), uint64_t (*perfs)(void))
{
	uint64_t our_time = UINT64_MAX, perf_time = UINT64_MAX;
	bool ok = ours() == perfs();

	for (int i = 0; i < TURNS; i++) {
		our_time = time_of(ours, our_time);
		perf_time = time_of(perfs, perf_time);
	}
	ok = ok && our_time <= perf_time;
	printf("%sok %d - %s: at least as fast as perf: %.2f times, %.1f and %.1f ns a record\n",
	       ok ? "" : "not ", number, what, (double)perf_time / our_time,
	       (double)our_time / RECORDS, (double)perf_time / RECORDS);
	return ok;
}

int main(void)
{
	bool ok;

	srand(1);
	for (size_t i = 0; i < RECORDS; i++)
		make_record(bytes + 64 * i);
	puts("1..2");
	ok = compare(1, "packets", our_packets, perf_packets);
	ok &= compare(2, "records", our_records, perf_records);
	printf("# %" PRIx64 "\n", sum_of_all);
	return ok ? 0 : 1;
}
