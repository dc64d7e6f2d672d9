// SPDX-License-Identifier: GPL-2.0
/*
 * read_cost WARM_MS READS FILE... - instructions for reading an open file from its
 * beginning, as agents do that keep it open. For machines whose time is counted in
 * instructions, one per nanosecond. Keeps its CPU busy for WARM_MS before the first
 * file, so that the window is full, and then while it reads. Prints for each file
 *
 *	FILE MEDIAN MEAN
 *
 * MEDIAN is the median time of a read, for machines of one CPU: interrupts affect few
 * reads. MEAN is for machines on which other CPUs and interrupts always take time: each
 * read is followed by a loop of known instructions of about the same duration, and the
 * loops give the share of the time that this program gets.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#define PER_ROUND	2	/* instructions */
#define RECORD		4096	/* bytes that a read() of moments returns */

static unsigned long now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000000000ul + now.tv_nsec;
}

static void loop(unsigned long instructions)
{
	unsigned long rounds = instructions / PER_ROUND + 1;

#ifdef __aarch64__
	asm volatile("1: subs %0, %0, #1\n\tb.ne 1b" : "+r" (rounds) : : "cc");
#else
	while (rounds--)
		asm volatile("");
#endif
}

static unsigned long timed_loop(unsigned long instructions)
{
	unsigned long begin = now_ns();

	loop(instructions);
	return now_ns() - begin;
}

/* End of the file: the first record of moments has the number of records. */
static off_t end_of(const unsigned char *text, ssize_t bytes)
{
	return bytes == RECORD ? RECORD * (text[10] | text[11] << 8) : bytes;
}

static unsigned long timed_read(int fd)
{
	static unsigned char text[65536];
	unsigned long begin = now_ns();
	off_t at = 0, end = 0;
	ssize_t bytes;

	do {
		bytes = pread(fd, text, sizeof(text), at);
		if (bytes < 0 || (!bytes && !at)) {
			perror("read_cost");
			exit(1);
		}
		if (!at)
			end = end_of(text, bytes);
		at += bytes;
	} while (at < end);
	return now_ns() - begin;
}

static int compare(const void *a, const void *b)
{
	unsigned long x = *(const unsigned long *)a, y = *(const unsigned long *)b;

	return x < y ? -1 : x > y;
}

static void measure(const char *name, unsigned int reads)
{
	unsigned long *took = calloc(reads, sizeof(*took));
	double read_ns = 0, loop_ns = 0, looped = 0;
	int fd = open(name, O_RDONLY);

	if (!took || fd < 0) {
		perror(name);
		exit(1);
	}
	timed_read(fd);
	for (unsigned int i = 0; i < reads; i++) {
		took[i] = timed_read(fd);
		read_ns += took[i];
		loop_ns += timed_loop(took[i]);
		looped += took[i];
	}
	qsort(took, reads, sizeof(*took), compare);
	printf("%s %lu %.0f\n", name, took[reads / 2], read_ns / reads * looped / loop_ns);
	fflush(stdout);
	close(fd);
	free(took);
}

int main(int argc, char **argv)
{
	if (argc < 4 || atoi(argv[2]) < 1) {
		fprintf(stderr, "usage: read_cost WARM_MS READS FILE...\n");
		return 2;
	}

	unsigned long end = now_ns() + atol(argv[1]) * 1000000ul;

	while (now_ns() < end)
		loop(10000);
	for (int i = 3; i < argc; i++)
		measure(argv[i], atoi(argv[2]));
	return 0;
}
