// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* The listening socket. */
#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "lib/errors.h"
#include "lib/memory.h"
#include "lib/streams.h"
#include "listen.h"

/* The first descriptor that is passed: see sd_listen_fds(3). */
#define FIRST_PASSED	3

static void __noreturn die_bad(const char *address)
{
	die(ERR_BAD_VALUE, "bad --listen '%s'; write a numeric ADDRESS:PORT, as in 127.0.0.1:10303",
	    address);
}

/* Splits ADDRESS:PORT in place; a literal IPv6 address is in brackets. */
static void split(const char *address, char *copy, char **host, char **port)
{
	size_t len;

	*port = strrchr(copy, ':');
	if (!*port)
		die_bad(address);
	*(*port)++ = '\0';
	*host = copy;
	len = strlen(copy);
	if (*copy == '[' && copy[len - 1] == ']') {
		copy[len - 1] = '\0';
		(*host)++;
	} else if (strchr(copy, ':')) {
		die_bad(address);
	}
	len = strspn(*port, "0123456789");
	if (!len || len > 5 || (*port)[len] || strtoul(*port, NULL, 10) > 65535)
		die_bad(address);
}

/* Return: a descriptor or a negative errno. */
static int open_socket(const struct addrinfo *info)
{
	int on = 1, off = 0, error;
	int fd = socket(info->ai_family, info->ai_socktype | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);

	if (fd < 0)
		return -errno;
	/* [::] has the addresses of IPv4, too. */
	if (info->ai_family == AF_INET6)
		setsockopt(fd, IPPROTO_IPV6, IPV6_V6ONLY, &off, sizeof(off));
	if (!setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on)) &&
	    !bind(fd, info->ai_addr, info->ai_addrlen) && !listen(fd, SOMAXCONN))
		return fd;
	error = -errno;
	close(fd);
	return error;
}

static int listen_at(const char *address, const char *host, const char *port)
{
	static const struct addrinfo hints = {
		.ai_flags = AI_NUMERICHOST | AI_NUMERICSERV, .ai_socktype = SOCK_STREAM,
	};
	struct addrinfo *info;
	int fd;

	if (getaddrinfo(host, port, &hints, &info))
		die_bad(address);
	fd = open_socket(info);
	freeaddrinfo(info);
	return fd;
}

int listen_on(const char *address)
{
	char *copy = xstrdup(address), *host, *port;
	int fd;

	split(address, copy, &host, &port);
	fd = listen_at(address, *host ? host : "::", port);
	/* without IPv6 */
	if (!*host && (fd == -EAFNOSUPPORT || fd == -EADDRNOTAVAIL))
		fd = listen_at(address, "0.0.0.0", port);
	free(copy);
	if (fd < 0)
		die(fd == -EACCES ? ERR_PERMISSION_DENIED : ERR_SYSTEM_ERROR,
		    "cannot listen on %s: %s", address, strerror(-fd));
	return fd;
}

bool listen_is_passed(void)
{
	const char *pid = getenv("LISTEN_PID");

	return pid && strtoul(pid, NULL, 10) == (unsigned long)getpid() && getenv("LISTEN_FDS");
}

int listen_passed(void)
{
	int fd = FIRST_PASSED, listening = 0, flags = fcntl(fd, F_GETFL);
	socklen_t len = sizeof(listening);

	if (strcmp(getenv("LISTEN_FDS"), "1"))
		die(ERR_BAD_VALUE, "LISTEN_FDS is not 1: pass one socket");
	if (getsockopt(fd, SOL_SOCKET, SO_ACCEPTCONN, &listening, &len) || !listening)
		die(ERR_BAD_VALUE, "the passed descriptor is not a listening socket (Accept=no)");
	if (fcntl(fd, F_SETFL, flags | O_NONBLOCK) || fcntl(fd, F_SETFD, FD_CLOEXEC))
		die(ERR_SYSTEM_ERROR, "passed socket: %s", strerror(errno));
	return fd;
}

void listen_print(int fd, bool has_tls)
{
	struct sockaddr_storage address;
	socklen_t len = sizeof(address);
	char host[NI_MAXHOST], port[NI_MAXSERV];
	bool is_ipv6;

	if (getsockname(fd, (struct sockaddr *)&address, &len) ||
	    getnameinfo((struct sockaddr *)&address, len, host, sizeof(host), port, sizeof(port),
			NI_NUMERICHOST | NI_NUMERICSERV))
		return;		/* a socket without a port, as of AF_UNIX */
	is_ipv6 = address.ss_family == AF_INET6;
	printf("http%s://%s%s%s:%s/metrics\n", has_tls ? "s" : "", is_ipv6 ? "[" : "", host,
	       is_ipv6 ? "]" : "", port);
	flush_output(stdout);
}
