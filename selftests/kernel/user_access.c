// SPDX-License-Identifier: GPL-2.0
/*
 * user_access FILE [EVENT] - counts its own instructions, or another event by
 * number, for direct access from user space and reads the other counters of its
 * CPU until it is killed. Appends to FILE, ten times a second, "MS OTHERS":
 * milliseconds since it started, and the number of other counters that changed
 * in the last tenth. A tenth in which it has no access, or loses it, is left out.
 */
#include <linux/perf_event.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define NR_COUNTERS	6
#define CONFIG1_LONG	0x1
#define CONFIG1_RDPMC	0x2
#define INST_RETIRED	0x8

static sigjmp_buf refused;

static void on_refusal(int number)
{
	(void)number;
	siglongjmp(refused, 1);
}

static __u64 now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000ull + now.tv_nsec / 1000000;
}

static __u64 read_counter(unsigned int number)
{
	__u64 value = 0;

	switch (number) {
	case 0:
		asm volatile("mrs %0, pmevcntr0_el0" : "=r" (value));
		break;
	case 1:
		asm volatile("mrs %0, pmevcntr1_el0" : "=r" (value));
		break;
	case 2:
		asm volatile("mrs %0, pmevcntr2_el0" : "=r" (value));
		break;
	case 3:
		asm volatile("mrs %0, pmevcntr3_el0" : "=r" (value));
		break;
	case 4:
		asm volatile("mrs %0, pmevcntr4_el0" : "=r" (value));
		break;
	case 5:
		asm volatile("mrs %0, pmevcntr5_el0" : "=r" (value));
		break;
	}
	return value;
}

/* 0 while its event has no counter */
static __u32 own_index(const struct perf_event_mmap_page *page)
{
	return __atomic_load_n(&page->index, __ATOMIC_RELAXED);
}

/*
 * Number of counters other than its own that have changed; its own one may move
 * meanwhile.
 */
static unsigned int changed(const struct perf_event_mmap_page *page, __u64 *before)
{
	unsigned int i, nr = 0;

	for (i = 0; i < NR_COUNTERS; i++) {
		__u64 value = read_counter(i);

		nr += value != before[i] && i + 1 != own_index(page);
		before[i] = value;
	}
	return nr;
}

int main(int argc, char **argv)
{
	struct perf_event_attr attr = {
		.size = sizeof(attr),
		.type = PERF_TYPE_RAW,
		.config = INST_RETIRED,
		.config1 = CONFIG1_LONG | CONFIG1_RDPMC,
	};
	const struct perf_event_mmap_page *page;
	__u64 before[NR_COUNTERS] = {};
	static __u64 start, next;
	FILE *file;
	int fd;

	if (argc == 3)
		attr.config = strtoul(argv[2], NULL, 0);
	fd = syscall(SYS_perf_event_open, &attr, 0, -1, -1, 0);
	if (argc < 2 || argc > 3 || fd < 0) {
		perror("user_access");
		return 1;
	}
	page = mmap(NULL, getpagesize(), PROT_READ, MAP_SHARED, fd, 0);
	file = fopen(argv[1], "a");
	if (page == MAP_FAILED || !file || !page->cap_user_rdpmc) {
		fprintf(stderr, "user_access: the kernel gives no access to counters\n");
		return 1;
	}
	start = now_ms();
	next = start;
	signal(SIGILL, on_refusal);
	for (;;) {
		while (now_ms() < next)
			;
		next += 100;
		/* Its event can lose the counter, and the task the access, at any time. */
		if (!own_index(page) || sigsetjmp(refused, 1))
			continue;
		fprintf(file, "%llu %u\n", (unsigned long long)(now_ms() - start),
			changed(page, before));
		fflush(file);
	}
}
