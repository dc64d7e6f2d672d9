// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * HTTP server of the series, in one thread.
 *
 * Connections are accepted here and handed to libmicrohttpd, which would leave further ones waiting
 * at its limit of connections. It closes silent connections, but not those that send a byte now and
 * then; those are closed here after MAX_SECONDS without a complete request.
 */
#include <errno.h>
#include <microhttpd.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include "connections.h"
#include "exporter.h"
#include "lib/clock.h"
#include "lib/errors.h"
#include "lib/memory.h"
#include "lib/signals.h"
#include "listen.h"
#include "process.h"
#include "reader/errors.h"
#include "reader/telemetry.h"
#include "reply.h"
#include "request.h"

#define SILENT_SECONDS	10u
#define MAX_SECONDS	30.0
#define MAX_HEADERS	16384u
/* Values are not read more often. */
#define MIN_AGE		1.0
/* Interval of checks for MAX_SECONDS, and pause after accept() failed. */
#define TICK_MS		500
/* Rounds in which libmicrohttpd completes replies, and the pause between further ones */
#define QUIET_ROUNDS	256u
#define QUIET_MS	20

struct server {
	struct exporter *exporter;
	struct access *access;
	struct MHD_Daemon *daemon;
	int listener;
	struct connections connections;
	/* Series that were read last, and when; clients share them. */
	struct document series;
	double time;
	double start;		/* Unix time */
	unsigned int nr_quiet;	/* rounds without an event */
};

/* Too many series fail the scrape: "up 0" would hide the reason. */
static void read_series(struct server *server)
{
	const struct failure *failure = &telemetry.failure;
	unsigned int status = MHD_HTTP_OK;
	size_t len;
	bool ok;
	char *text = exporter_read_and_warn(server->exporter, &len, &ok);

	if (!ok && failure->kind == ERR_TOO_MANY_SERIES) {
		free(text);
		text = format_string("%s\n", failure->text);
		status = MHD_HTTP_INTERNAL_SERVER_ERROR;
	} else {
		process_append(&text, server->start);
	}
	document_set(&server->series, status, text, strlen(text));
	server->time = monotonic_now();
}

static enum MHD_Result reply_series(struct server *server, struct MHD_Connection *connection)
{
	if (!server->series.plain || monotonic_now() - server->time >= MIN_AGE)
		read_series(server);
	return document_reply(&server->series, connection);
}

static enum MHD_Result answer(void *cls, struct MHD_Connection *connection, const char *url,
			      const char *method, const char *version __attribute__((__unused__)),
			      const char *data __attribute__((__unused__)), size_t *data_size,
			      void **request)
{
	static const char page[] =
		"<!DOCTYPE html><title>n3-exporter</title><h1>n3-exporter</h1>"
		"<p><a href=\"/metrics\">Metrics</a> of Neoverse N3 CPUs</p>\n";
	struct connection *own = connections_find(connection);
	const char *path = request_path(url);
	struct server *server = cls;
	bool is_first = *request != cls;
	enum MHD_Result ret = MHD_NO;

	if (is_first && request_is_bad(connection, *request))
		return reply_once(connection, MHD_HTTP_BAD_REQUEST, "text/plain", "bad request\n");
	if (strcmp(method, MHD_HTTP_METHOD_GET) && strcmp(method, MHD_HTTP_METHOD_HEAD))
		return reply_once(connection, MHD_HTTP_METHOD_NOT_ALLOWED, "text/plain",
				  "only GET and HEAD\n");
	/* The first call is for the headers alone, later ones discard a body. */
	if (is_first || *data_size) {
		*request = cls;
		*data_size = 0;
		return MHD_YES;
	}
	if (!own || !access_permits(server->access, &own->peer, connection, &ret))
		return ret;
	if (!strcmp(path, "/metrics"))
		return reply_series(server, connection);
	if (!strcmp(path, "/"))
		return reply_once(connection, MHD_HTTP_OK, "text/html; charset=utf-8", page);
	return reply_once(connection, MHD_HTTP_NOT_FOUND, "text/plain", "see /metrics\n");
}

/* Return: false if there is no descriptor or memory for a connection. */
static bool accept_connection(struct server *server)
{
	struct sockaddr_storage address;
	socklen_t len = sizeof(address);
	int fd = accept4(server->listener, (struct sockaddr *)&address, &len,
			 SOCK_NONBLOCK | SOCK_CLOEXEC);

	if (fd < 0)
		return errno != EMFILE && errno != ENFILE && errno != ENOBUFS && errno != ENOMEM;
	connections_make_room(&server->connections);
	/* Closes the socket on failure. */
	MHD_add_connection(server->daemon, fd, (struct sockaddr *)&address, len);
	return true;
}

static void start_daemon(struct server *server)
{
	unsigned int flags = MHD_USE_EPOLL | MHD_USE_NO_LISTEN_SOCKET | MHD_ALLOW_SUSPEND_RESUME;

	if (access_has_tls(server->access))
		flags |= MHD_USE_TLS;
	connections_start(&server->connections, server->access);
	server->daemon = MHD_start_daemon(flags, 0, NULL, NULL, answer, server,
					  MHD_OPTION_STRICT_FOR_CLIENT, 1,
					  MHD_OPTION_CONNECTION_LIMIT, MAX_SOCKETS,
					  MHD_OPTION_CONNECTION_TIMEOUT, SILENT_SECONDS,
					  MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)MAX_HEADERS,
					  MHD_OPTION_URI_LOG_CALLBACK, request_begin, NULL,
					  MHD_OPTION_NOTIFY_CONNECTION, connections_note,
					  &server->connections,
					  MHD_OPTION_NOTIFY_COMPLETED, connections_note_completed,
					  NULL,
					  MHD_OPTION_HTTPS_CERT_CALLBACK, credentials_of_no_server,
					  MHD_OPTION_END);
	if (!server->daemon)
		die(ERR_SYSTEM_ERROR, "cannot start the HTTP server");
}

/* Return: a descriptor that becomes readable at one of these signals. */
static int signal_descriptor(const sigset_t *signals)
{
	int fd;

	sigprocmask(SIG_BLOCK, signals, NULL);
	fd = signalfd(-1, signals, SFD_CLOEXEC | SFD_NONBLOCK);
	if (fd < 0)
		die(ERR_SYSTEM_ERROR, "signalfd: %s", strerror(errno));
	return fd;
}

enum { LISTENER, CONNECTIONS, PASSWORDS, RELOADING, ENDING, NR_FDS };

/*
 * Waits for connections, requests, a signal, or @timeout milliseconds; without connections only for
 * events.
 */
static void wait_for_events(struct server *server, struct pollfd fds[NR_FDS], int timeout)
{
	MHD_UNSIGNED_LONG_LONG ms;
	/* libmicrohttpd does not want to wait for the other end of an unfinished handshake. */
	bool is_stuck = access_has_tls(server->access) && server->nr_quiet > QUIET_ROUNDS;
	int least = is_stuck ? QUIET_MS : 0;

	if (MHD_get_timeout(server->daemon, &ms) && ms < (unsigned int)timeout)
		timeout = (int)ms > least ? (int)ms : least;
	else if (!server->connections.nr && fds[LISTENER].fd >= 0)
		timeout = -1;
	for (size_t i = 0; i < NR_FDS; i++)
		fds[i].revents = 0;
	server->nr_quiet = poll(fds, NR_FDS, timeout) ? 0 : server->nr_quiet + 1;
}

static void start_events(struct server *server, struct pollfd fds[NR_FDS])
{
	sigset_t ending, hangup;

	signals_to_wait_for(&ending);
	sigemptyset(&hangup);
	sigaddset(&hangup, SIGHUP);
	fds[ENDING].fd = signal_descriptor(&ending);
	fds[RELOADING].fd = signal_descriptor(&hangup);
	fds[PASSWORDS].fd = access_descriptor(server->access);
	fds[CONNECTIONS].fd = MHD_get_daemon_info(server->daemon,
						  MHD_DAEMON_INFO_EPOLL_FD)->epoll_fd;
	for (size_t i = 0; i < NR_FDS; i++)
		fds[i].events = POLLIN;
}

/* Before connections are served. */
static void follow_access(struct access *access, const struct pollfd fds[NR_FDS])
{
	struct signalfd_siginfo info;
	bool reload = fds[RELOADING].revents &&
		      read(fds[RELOADING].fd, &info, sizeof(info)) > 0;

	if (access && reload)
		access_reload(access);
	if (access && fds[PASSWORDS].revents)
		access_resume(access);
}

void server_run(struct exporter *exporter, int listener, struct access *access)
{
	struct server server = {
		.exporter = exporter, .listener = listener, .access = access, .start = unix_now(),
	};
	struct pollfd fds[NR_FDS];
	bool may_accept = true;
	int pause;

	start_daemon(&server);
	start_events(&server, fds);
	/* From here on a signal ends the program with status 0. */
	listen_print(listener, access_has_tls(access));
	do {
		/* Also if there was no descriptor or memory. */
		pause = may_accept ? connections_pause(&server.connections) : TICK_MS;
		fds[LISTENER].fd = pause ? -1 : listener;
		wait_for_events(&server, fds, pause ? pause : TICK_MS);
		may_accept = !fds[LISTENER].revents || accept_connection(&server);
		connections_end_slow(&server.connections, MAX_SECONDS);
		follow_access(access, fds);
		MHD_run(server.daemon);
	} while (!fds[ENDING].revents);
	access_stop(access);
	MHD_stop_daemon(server.daemon);
	access_free(access);
	close(fds[RELOADING].fd);
	close(fds[ENDING].fd);
	close(listener);
	document_free(&server.series);
}
