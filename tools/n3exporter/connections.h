/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Connections of the HTTP server, and their limit.
 *
 * At the limit, the connection that has gone longest without completing a request makes room for a
 * new one: clients that hold connections, whatever they send, do not keep others out.
 */
#ifndef N3EXPORTER_CONNECTIONS_H
#define N3EXPORTER_CONNECTIONS_H

#include <microhttpd.h>
#include <stdbool.h>

#include "access.h"

#define MAX_CONNECTIONS	128u
/* With those that are shut down, but that libmicrohttpd has not closed yet. */
#define MAX_SOCKETS	(MAX_CONNECTIONS + 32u)

/* @since: start of the connection or end of its last request. */
struct connection {
	int fd;			/* -1: unused */
	bool is_ending;		/* shut down */
	double since;
	double spared_until;	/* does not make room before */
	struct peer peer;
};

struct connections {
	struct connection v[MAX_SOCKETS];
	unsigned int nr;
	unsigned int nr_ending;
	struct access *access;	/* NULL: everybody has */
};

void connections_start(struct connections *connections, struct access *access);

/* For MHD_OPTION_NOTIFY_CONNECTION with the connections, and MHD_OPTION_NOTIFY_COMPLETED. */
void connections_note(void *cls, struct MHD_Connection *connection, void **context,
		      enum MHD_ConnectionNotificationCode event);
void connections_note_completed(void *cls, struct MHD_Connection *connection, void **request,
				enum MHD_RequestTerminationCode code);

/* Return: NULL if there were too many. */
struct connection *connections_find(struct MHD_Connection *connection);

/* Return: milliseconds until a connection may be accepted, 0: now. */
int connections_pause(struct connections *connections);
/* Shuts one down if they are at the limit. */
void connections_make_room(struct connections *connections);
/* Shuts down those that have not completed a request for @seconds. */
void connections_end_slow(struct connections *connections, double seconds);

#endif
