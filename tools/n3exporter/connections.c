// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Connections of the HTTP server, and their limit. */
#include <math.h>
#include <stddef.h>
#include <sys/socket.h>

#include "connections.h"
#include "lib/clock.h"

/*
 * A new connection does not make room for this time, so that a client that connects again and again
 * does not end the others before their first request.
 */
#define SPARED_SECONDS	0.05

void connections_start(struct connections *connections, struct access *access)
{
	*connections = (struct connections) { .access = access };
	for (size_t i = 0; i < MAX_SOCKETS; i++)
		connections->v[i].fd = -1;
}

static struct connection *find_unused(struct connections *connections)
{
	for (size_t i = 0; i < MAX_SOCKETS; i++)
		if (connections->v[i].fd < 0)
			return &connections->v[i];
	return NULL;
}

static void remove_connection(struct connections *connections, struct connection *own)
{
	connections->nr--;
	connections->nr_ending -= own->is_ending;
	peer_end(&own->peer);
	own->fd = -1;
}

void connections_note(void *cls, struct MHD_Connection *connection, void **context,
		      enum MHD_ConnectionNotificationCode event)
{
	struct connections *connections = cls;
	struct connection *own = *context;

	if (event == MHD_CONNECTION_NOTIFY_CLOSED) {
		if (own)
			remove_connection(connections, own);
		return;
	}
	own = find_unused(connections);
	if (!own)
		return;
	own->fd = MHD_get_connection_info(connection,
					  MHD_CONNECTION_INFO_CONNECTION_FD)->connect_fd;
	own->is_ending = false;
	own->since = monotonic_now();
	own->spared_until = own->since + SPARED_SECONDS;
	access_start_peer(connections->access, &own->peer, connection);
	connections->nr++;
	*context = own;
}

struct connection *connections_find(struct MHD_Connection *connection)
{
	return MHD_get_connection_info(connection,
				       MHD_CONNECTION_INFO_SOCKET_CONTEXT)->socket_context;
}

void connections_note_completed(void *cls __attribute__((__unused__)),
				struct MHD_Connection *connection,
				void **request __attribute__((__unused__)),
				enum MHD_RequestTerminationCode code __attribute__((__unused__)))
{
	struct connection *own = connections_find(connection);

	if (!own)
		return;
	own->peer.is_checked = false;
	own->since = monotonic_now();
	own->spared_until = own->since;
}

/* libmicrohttpd closes a connection when it sees the end of its input. */
static void end_connection(struct connections *connections, struct connection *own)
{
	shutdown(own->fd, SHUT_RDWR);
	own->is_ending = true;
	connections->nr_ending++;
}

static bool is_full(const struct connections *connections)
{
	return connections->nr - connections->nr_ending >= MAX_CONNECTIONS;
}

/* Return: NULL if all are spared; then, *wait is the time until the first one is not. */
static struct connection *find_oldest(struct connections *connections, double *wait)
{
	struct connection *oldest = NULL;
	double now = monotonic_now();

	*wait = SPARED_SECONDS;
	for (size_t i = 0; i < MAX_SOCKETS; i++) {
		struct connection *own = &connections->v[i];

		if (own->fd < 0 || own->is_ending)
			continue;
		if (own->spared_until > now)
			*wait = fmin(*wait, own->spared_until - now);
		else if (!oldest || own->since < oldest->since)
			oldest = own;
	}
	return oldest;
}

int connections_pause(struct connections *connections)
{
	double wait;

	if (!is_full(connections) || find_oldest(connections, &wait))
		return 0;
	return (int)(wait * 1e3) + 1;
}

void connections_make_room(struct connections *connections)
{
	struct connection *oldest;
	double wait;

	if (!is_full(connections))
		return;
	oldest = find_oldest(connections, &wait);
	if (oldest)
		end_connection(connections, oldest);
}

void connections_end_slow(struct connections *connections, double seconds)
{
	double now = monotonic_now();

	for (size_t i = 0; i < MAX_SOCKETS; i++) {
		struct connection *own = &connections->v[i];

		if (own->fd >= 0 && !own->is_ending && now - own->since > seconds)
			end_connection(connections, own);
	}
}
