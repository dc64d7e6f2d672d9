/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* The listening socket. */
#ifndef N3EXPORTER_LISTEN_H
#define N3EXPORTER_LISTEN_H

#include <stdbool.h>

/*
 * Return: a non-blocking socket that listens on ADDRESS:PORT, as in 127.0.0.1:9, [::1]:9 or :9 for
 * all addresses (of IPv4 alone where IPv6 is off); exits on errors. Port 0 is any free port.
 */
int listen_on(const char *address);

/* Whether a service manager passes sockets to this process. */
bool listen_is_passed(void);
/* Return: the socket that it passes; exits on errors. */
int listen_passed(void);

/* Prints the URL of the socket on standard output. */
void listen_print(int fd, bool has_tls);

#endif
