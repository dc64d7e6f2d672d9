// SPDX-License-Identifier: GPL-2.0
/*
 * scrape_cost ROUNDS PORT... - median instructions of a scrape of n3-exporter on this CPU, from
 * the request to the end of the reply, of program, kernel and this client. Scrapes each port
 * once a round: an exporter reads values once a second at most. For machines whose
 * time is counted in instructions, one per nanosecond. As other CPUs and interrupts take time,
 * each scrape is followed by a loop of known instructions of about the same duration, and the
 * loops give the share of the time that this CPU gets.
 */
#include <arpa/inet.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#define PAUSE_MS	1100
#define PER_ROUND	2	/* instructions */

static void fail(const char *what)
{
	perror(what);
	exit(1);
}

static unsigned long now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000000000ul + now.tv_nsec;
}

static unsigned long timed_loop(unsigned long instructions)
{
	unsigned long rounds = instructions / PER_ROUND + 1, begin = now_ns();

#ifdef __aarch64__
	asm volatile("1: subs %0, %0, #1\n\tb.ne 1b" : "+r" (rounds) : : "cc");
#else
	while (rounds--)
		asm volatile("");
#endif
	return now_ns() - begin;
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
		fail("scrape_cost");
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
		fail("scrape_cost");
	do {
		char *body, *length;

		n = read(fd, reply + len, sizeof(reply) - 1 - len);
		if (n <= 0)
			fail("scrape_cost");
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

static int compare(const void *a, const void *b)
{
	unsigned long x = *(const unsigned long *)a, y = *(const unsigned long *)b;

	return x < y ? -1 : x > y;
}

int main(int argc, char **argv)
{
	int rounds = argc > 2 ? atoi(argv[1]) : 0, ports = argc - 2, nr = 0;
	double looped = 0, loop_ns = 0;
	unsigned long *took;
	int *fds;

	if (rounds < 1) {
		fprintf(stderr, "usage: scrape_cost ROUNDS PORT...\n");
		return 2;
	}
	took = calloc((size_t)rounds * ports, sizeof(*took));
	fds = calloc(ports, sizeof(*fds));
	if (!took || !fds)
		fail("scrape_cost");
	for (int i = 0; i < ports; i++) {
		fds[i] = connect_to(argv[2 + i]);
		timed_scrape(fds[i]);
	}
	for (int round = 0; round < rounds; round++) {
		usleep(PAUSE_MS * 1000);
		for (int i = 0; i < ports; i++) {
			took[nr] = timed_scrape(fds[i]);
			loop_ns += timed_loop(took[nr]);
			looped += took[nr++];
		}
	}
	qsort(took, nr, sizeof(*took), compare);
	printf("%.0f\n", took[nr / 2] * looped / loop_ns);
	return 0;
}
