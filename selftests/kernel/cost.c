// SPDX-License-Identifier: GPL-2.0
/*
 * Instructions, on machines whose time is counted in instructions, one per nanosecond.
 *
 * cost read WARM_MS READS FILE... - for reading an open file from its beginning, as agents do that
 *	keep it open. Short reads are repeated up to MORE times READS, until they took ENOUGH_NS.
 *	Keeps its CPU busy for WARM_MS before the first file, so that the window is full, and then
 *	while it reads. Prints "FILE MEDIAN MEAN". MEDIAN is the median time of a read, for
 *	machines of one CPU: interrupts affect few reads. MEAN excludes other CPUs.
 * cost run RUNS COMMAND [ARG]... - of a command, in user space and in the kernel. Its output is
 *	discarded. Prints their mean.
 * cost scrape ROUNDS PORT... - of a scrape of n3-exporter on this CPU, from the request to the end
 *	of the reply, of program, kernel and this client. Scrapes each port once a round: an
 *	exporter reads values once a second at most. Prints their median.
 * cost write FILE TEXT... - for writing each text to a file, one after another: "TEXT NUMBER",
 *	of all CPUs meanwhile, provided one of them always runs.
 * cost lost MS - that the one CPU executes in this time outside of this program: the excess of
 *	loops over the shortest loop. Prints also the nanoseconds that passed.
 *
 * Other CPUs and interrupts take time as well. So each read, run and scrape is followed by a loop
 * of known instructions of about the same duration, and the loops give the share of the time
 * that this program gets.
 */
#include <arpa/inet.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define PER_ROUND	2	/* instructions */
#define RECORD		4096	/* bytes that a read() of moments returns */
#define PAUSE_MS	1100
#define ENOUGH_NS	20000000
#define MORE		100

/* in loops of known length: instructions, and the time that they took */
static double looped, loop_ns;

static void fail(const char *what)
{
	perror(what);
	exit(1);
}

static void *allocate(size_t nr, size_t size)
{
	void *memory = calloc(nr, size);

	if (!memory)
		fail("cost");
	return memory;
}

static unsigned long clock_ns(clockid_t clock)
{
	struct timespec now;

	clock_gettime(clock, &now);
	return now.tv_sec * 1000000000ul + now.tv_nsec;
}

static unsigned long now_ns(void)
{
	return clock_ns(CLOCK_MONOTONIC);
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

static void timed_loop(clockid_t clock, unsigned long instructions)
{
	unsigned long begin = clock_ns(clock);

	loop(instructions);
	loop_ns += clock_ns(clock) - begin;
	looped += instructions;
}

static int compare(const void *a, const void *b)
{
	unsigned long x = *(const unsigned long *)a, y = *(const unsigned long *)b;

	return x < y ? -1 : x > y;
}

static unsigned long median(unsigned long *took, int nr)
{
	qsort(took, nr, sizeof(*took), compare);
	return took[nr / 2];
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
		if (bytes < 0 || (!bytes && !at))
			fail("read");
		if (!at)
			end = end_of(text, bytes);
		at += bytes;
	} while (at < end);
	return now_ns() - begin;
}

static void measure_reads(const char *name, int least)
{
	unsigned long *took = allocate(least * MORE, sizeof(*took));
	double read_ns = 0;
	int fd = open(name, O_RDONLY), reads = 0;

	if (fd < 0)
		fail(name);
	looped = 0;
	loop_ns = 0;
	timed_read(fd);
	for (; reads < least || (reads < least * MORE && read_ns < ENOUGH_NS); reads++) {
		took[reads] = timed_read(fd);
		read_ns += took[reads];
		timed_loop(CLOCK_MONOTONIC, took[reads]);
	}
	printf("%s %lu %.0f\n", name, median(took, reads), read_ns / reads * looped / loop_ns);
	fflush(stdout);
	close(fd);
	free(took);
}

static void read_files(int warm_ms, int argc, char **argv)
{
	unsigned long end = now_ns() + warm_ms * 1000000ul;

	while (now_ns() < end)
		loop(10000);
	for (int i = 1; i < argc; i++)
		measure_reads(argv[i], atoi(argv[0]));
}

static unsigned long ns_of(const struct timeval *time)
{
	return time->tv_sec * 1000000000ul + time->tv_usec * 1000ul;
}

static unsigned long timed_run(char **command)
{
	struct rusage usage;
	pid_t pid = fork();
	int status;

	if (!pid) {
		int fd = open("/dev/null", O_WRONLY);

		if (fd >= 0 && dup2(fd, 1) == 1)
			execvp(command[0], command);
		perror(command[0]);
		_exit(127);
	}
	if (pid < 0 || wait4(pid, &status, 0, &usage) != pid || status) {
		fprintf(stderr, "cost: %s failed\n", command[0]);
		exit(1);
	}
	return ns_of(&usage.ru_utime) + ns_of(&usage.ru_stime);
}

/* CPU time excludes sleep, but includes interrupts and other CPUs' turns. */
static void run(int runs, char **command)
{
	double run_ns = 0;

	for (int i = 0; i < runs; i++) {
		unsigned long ns = timed_run(command);

		run_ns += ns;
		timed_loop(CLOCK_THREAD_CPUTIME_ID, ns);
	}
	printf("%.0f\n", run_ns / runs * looped / loop_ns);
}

static int connect_to(const char *port)
{
	struct sockaddr_in address = {
		.sin_family = AF_INET,
		.sin_port = htons(atoi(port)),
		.sin_addr = { htonl(INADDR_LOOPBACK) },
	};
	int fd = socket(AF_INET, SOCK_STREAM, 0);

	if (fd < 0 || connect(fd, (struct sockaddr *)&address, sizeof(address)))
		fail(port);
	return fd;
}

/* The connection stays open, as that of Prometheus does. */
static unsigned long timed_scrape(int fd)
{
	static const char request[] = "GET /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n";
	static char reply[1 << 20];
	unsigned long begin = now_ns();
	size_t len = 0, whole = 0;
	ssize_t n;

	if (write(fd, request, strlen(request)) < 0)
		fail("scrape");
	do {
		char *body, *length;

		n = read(fd, reply + len, sizeof(reply) - 1 - len);
		if (n <= 0)
			fail("scrape");
		len += n;
		reply[len] = '\0';
		body = strstr(reply, "\r\n\r\n");
		length = strstr(reply, "Content-Length: ");
		if (!whole && body && length)
			whole = body + 4 - reply + atol(strchr(length, ' '));
	} while (!whole || len < whole);
	if (!strstr(reply, "\nn3_telemetry_up 1\n"))
		exit(1);
	return now_ns() - begin;
}

static void scrape(int rounds, int ports, char **argv)
{
	unsigned long *took = allocate((size_t)rounds * ports, sizeof(*took));
	int *fds = allocate(ports, sizeof(*fds)), nr = 0;

	for (int i = 0; i < ports; i++) {
		fds[i] = connect_to(argv[i]);
		timed_scrape(fds[i]);
	}
	for (int round = 0; round < rounds; round++) {
		usleep(PAUSE_MS * 1000);
		for (int i = 0; i < ports; i++) {
			took[nr] = timed_scrape(fds[i]);
			timed_loop(CLOCK_MONOTONIC, took[nr++]);
		}
	}
	printf("%.0f\n", median(took, nr) * looped / loop_ns);
}

static void write_texts(const char *name, int argc, char **argv)
{
	int fd = open(name, O_WRONLY);

	if (fd < 0)
		fail(name);
	for (int i = 0; i < argc; i++) {
		unsigned long begin = now_ns();

		if (pwrite(fd, argv[i], strlen(argv[i]), 0) < 0)
			fail(name);
		printf("%s %lu\n", argv[i], now_ns() - begin);
	}
}

/* Shorter than a tick by far, so most are not interrupted. Nops cost the host next to nothing. */
static void nops(void)
{
	for (int i = 0; i < 50; i++)
		asm volatile(".rept 997\n\tnop\n\t.endr");
}

static void lose(unsigned long ms)
{
	unsigned long start = now_ns(), end = start + ms * 1000000ul, loops = 0, shortest = -1ul;
	unsigned long last, now;

	for (last = start; last < end; last = now) {
		nops();
		now = now_ns();
		shortest = now - last < shortest ? now - last : shortest;
		loops++;
	}
	printf("%lu %lu\n", last - start - loops * shortest, last - start);
}

int main(int argc, char **argv)
{
	const char *what = argc > 2 ? argv[1] : "";

	if (!strcmp(what, "read") && argc > 4 && atoi(argv[3]) > 0) {
		read_files(atoi(argv[2]), argc - 3, argv + 3);
	} else if (!strcmp(what, "run") && argc > 3 && atoi(argv[2]) > 0) {
		run(atoi(argv[2]), argv + 3);
	} else if (!strcmp(what, "scrape") && argc > 3 && atoi(argv[2]) > 0) {
		scrape(atoi(argv[2]), argc - 3, argv + 3);
	} else if (!strcmp(what, "write") && argc > 3) {
		write_texts(argv[2], argc - 3, argv + 3);
	} else if (!strcmp(what, "lost") && argc == 3 && atoi(argv[2]) > 0) {
		lose(atoi(argv[2]));
	} else {
		fprintf(stderr, "usage: cost read|run|scrape|write|lost ARGUMENT...\n");
		return 2;
	}
	return 0;
}
