// SPDX-License-Identifier: GPL-2.0
/*
 * spe_overrun CPU PERIOD NUMBER [SECONDS [INV_EVENTS]] - samples all of the CPU
 * into a buffer of two pages until it was full NUMBER times, writes its
 * contents to standard output and "KEY NUMBER" lines to standard error. A full
 * buffer stops the event permanently on some kernels; disabling and enabling it
 * restarts it on all. Records with one of INV_EVENTS are filtered out: perf 6.1
 * has no term for that.
 */
#include <errno.h>
#include <linux/perf_event.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define PMU "/sys/bus/event_source/devices/arm_spe_0/"
#define DATA_PAGES 8
#define AUX_PAGES 2

static long page;
static unsigned long full, faults, collisions, bytes;

static int pmu_type(void)
{
	FILE *file = fopen(PMU "type", "r");
	int type = -1;

	if (file && fscanf(file, "%d", &type) != 1)
		type = -1;
	if (file)
		fclose(file);
	return type;
}

static void fail(const char *what)
{
	fprintf(stderr, "spe_overrun: %s: %s\n", what, strerror(errno));
	exit(1);
}

struct aux_record {
	struct perf_event_header header;
	unsigned long offset, size, flags;
};

static void hear(const struct aux_record *aux)
{
	if (aux->header.type != PERF_RECORD_AUX)
		return;
	full += !!(aux->flags & PERF_AUX_FLAG_TRUNCATED);
	faults += !!(aux->flags & PERF_AUX_FLAG_PARTIAL);
	collisions += !!(aux->flags & PERF_AUX_FLAG_COLLISION);
}

/*
 * A record may be split over the end of the ring. Of other records only the
 * size matters.
 */
static void read_data(struct perf_event_mmap_page *head)
{
	const char *ring = (const char *)head + page;
	unsigned long size = DATA_PAGES * page, end = __atomic_load_n(&head->data_head,
								 __ATOMIC_ACQUIRE);
	unsigned long at = head->data_tail;

	while (at < end) {
		struct aux_record copy = {};
		unsigned int i;

		for (i = 0; i < sizeof(copy); i += 8)
			memcpy((char *)&copy + i, ring + (at + i) % size, 8);
		hear(&copy);
		at += copy.header.size;
	}
	__atomic_store_n(&head->data_tail, at, __ATOMIC_RELEASE);
}

static void read_aux(struct perf_event_mmap_page *head, const char *aux)
{
	unsigned long size = AUX_PAGES * page, end = __atomic_load_n(&head->aux_head,
								__ATOMIC_ACQUIRE);
	unsigned long at = head->aux_tail;

	while (at < end) {
		unsigned long n = size - at % size < end - at ? size - at % size : end - at;

		fwrite(aux + at % size, 1, n, stdout);
		at += n;
	}
	bytes += end - head->aux_tail;
	__atomic_store_n(&head->aux_tail, end, __ATOMIC_RELEASE);
}

static int open_event(int cpu, unsigned long period, unsigned long inv_events)
{
	union {
		struct perf_event_attr attr;
		/* config3 is the 17th, and the header may not know it */
		unsigned long words[17];
	} spe = {
		/* bit 0: timestamps */
		.attr = {
			.type = pmu_type(), .config = 1,
			.sample_period = period, .disabled = 1,
			.sample_type = PERF_SAMPLE_CPU,
		},
	};
	int fd;

	spe.attr.size = inv_events ? sizeof(spe.words) : sizeof(spe.words) - 8;
	spe.words[16] = inv_events;
	fd = syscall(SYS_perf_event_open, &spe, -1, cpu, -1, PERF_FLAG_FD_CLOEXEC);
	if (fd < 0)
		fail("perf_event_open");
	return fd;
}

int main(int argc, char **argv)
{
	unsigned long wanted = argc > 3 ? strtoul(argv[3], NULL, 10) : 1;
	time_t until = time(NULL) + (argc > 4 ? atoi(argv[4]) : 60);
	struct perf_event_mmap_page *head;
	unsigned long before;
	char *aux;
	int fd;

	if (argc < 4) {
		fprintf(stderr, "usage: spe_overrun CPU PERIOD NUMBER [SECONDS [EVENTS]]\n");
		return 2;
	}
	page = sysconf(_SC_PAGESIZE);
	fd = open_event(atoi(argv[1]), strtoul(argv[2], NULL, 10),
			argc > 5 ? strtoul(argv[5], NULL, 0) : 0);
	head = mmap(NULL, (1 + DATA_PAGES) * page, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (head == MAP_FAILED)
		fail("mmap");
	head->aux_offset = (1 + DATA_PAGES) * page;
	head->aux_size = AUX_PAGES * page;
	aux = mmap(NULL, head->aux_size, PROT_READ | PROT_WRITE, MAP_SHARED, fd,
		   head->aux_offset);
	if (aux == MAP_FAILED)
		fail("mmap of the AUX buffer");
	ioctl(fd, PERF_EVENT_IOC_ENABLE, 0);
	while (full < wanted && time(NULL) < until) {
		struct pollfd wait = { .fd = fd, .events = POLLIN };

		poll(&wait, 1, 100);
		before = full;
		read_data(head);
		read_aux(head, aux);
		if (full != before) {
			ioctl(fd, PERF_EVENT_IOC_DISABLE, 0);
			ioctl(fd, PERF_EVENT_IOC_ENABLE, 0);
		}
	}
	ioctl(fd, PERF_EVENT_IOC_DISABLE, 0);
	read_data(head);
	read_aux(head, aux);
	fprintf(stderr, "full %lu\npartial %lu\ncollision %lu\nbytes %lu\n", full, faults,
		collisions, bytes);
	return full < wanted;
}
