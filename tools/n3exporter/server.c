// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * HTTP server of the series, in one thread.
 *
 * Connections are accepted here and handed to libmicrohttpd: at its limit of connections, it would
 * leave further ones waiting. It closes silent connections, but not those that send a byte now and
 * then; those are closed here after MAX_SECONDS without a complete request.
 */
#include <errno.h>
#include <microhttpd.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <string.h>
#include <strings.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include "exporter.h"
#include "lib/clock.h"
#include "lib/errors.h"
#include "lib/memory.h"
#include "lib/signals.h"
#include "listen.h"
#include "reader/errors.h"
#include "reader/telemetry.h"

#define MAX_CONNECTIONS	64u
#define SILENT_SECONDS	10u
#define MAX_SECONDS	30.0
#define MAX_HEADERS	16384u
/* Values are not read more often. */
#define MIN_AGE		1.0
/* Interval of checks for MAX_SECONDS, and pause after accept() failed. */
#define TICK_MS		500

#define TEXT_TYPE	"text/plain; version=0.0.4; charset=utf-8"

/* @since: start of the connection or end of its last request. */
struct connection {
	int fd;			/* -1: unused */
	double since;
};

struct server {
	struct exporter *exporter;
	struct MHD_Daemon *daemon;
	int listener;
	struct connection connections[MAX_CONNECTIONS];
	/* Series that were read last; clients share them. */
	struct MHD_Response *response;
	unsigned int status;
	double time;
};

/* Takes over @text, which malloc() allocated. */
static struct MHD_Response *make_response(char *text, size_t len, const char *type)
{
	struct MHD_Response *response;

	response = MHD_create_response_from_buffer(len, text, MHD_RESPMEM_MUST_FREE);
	if (!response || !MHD_add_response_header(response, "Content-Type", type))
		out_of_memory();
	return response;
}

static enum MHD_Result reply_once(struct MHD_Connection *connection, unsigned int status,
				  const char *type, const char *text)
{
	struct MHD_Response *response = make_response(xstrdup(text), strlen(text), type);
	enum MHD_Result ret;

	if (status == MHD_HTTP_METHOD_NOT_ALLOWED &&
	    !MHD_add_response_header(response, "Allow", "GET, HEAD"))
		out_of_memory();
	ret = MHD_queue_response(connection, status, response);
	MHD_destroy_response(response);
	return ret;
}

/* Too many series fail the scrape: "up 0" would hide the reason. */
static void read_series(struct server *server)
{
	const struct failure *failure = &telemetry.failure;
	size_t len;
	bool ok;
	char *text = exporter_read_and_warn(server->exporter, &len, &ok);

	server->status = MHD_HTTP_OK;
	if (!ok && failure->kind == ERR_TOO_MANY_SERIES) {
		free(text);
		text = format_string("%s\n", failure->text);
		len = strlen(text);
		server->status = MHD_HTTP_INTERNAL_SERVER_ERROR;
	}
	if (server->response)
		MHD_destroy_response(server->response);
	server->response = make_response(text, len, TEXT_TYPE);
	server->time = monotonic_now();
}

static enum MHD_Result reply_series(struct server *server, struct MHD_Connection *connection)
{
	if (!server->response || monotonic_now() - server->time >= MIN_AGE)
		read_series(server);
	return MHD_queue_response(connection, server->status, server->response);
}

/* Proxies send absolute URLs, which a server accepts, too (RFC 9112, 3.2.2). */
static const char *path_of(const char *url)
{
	static const char scheme[] = "http://";
	const char *path;

	if (strncasecmp(url, scheme, strlen(scheme)))
		return url;
	path = strchr(url + strlen(scheme), '/');
	return path ? path : "/";
}

static enum MHD_Result answer(void *cls, struct MHD_Connection *connection, const char *url,
			      const char *method, const char *version __attribute__((__unused__)),
			      const char *data __attribute__((__unused__)), size_t *data_size,
			      void **request)
{
	static const char page[] =
		"<!DOCTYPE html><title>n3-exporter</title><h1>n3-exporter</h1>"
		"<p><a href=\"/metrics\">Metrics</a> of Neoverse N3 CPUs</p>\n";
	const char *path = path_of(url);

	if (strcmp(method, MHD_HTTP_METHOD_GET) && strcmp(method, MHD_HTTP_METHOD_HEAD))
		return reply_once(connection, MHD_HTTP_METHOD_NOT_ALLOWED, "text/plain",
				  "only GET and HEAD\n");
	/* The first call is for the headers alone, later ones discard a body. */
	if (!*request || *data_size) {
		*request = cls;
		*data_size = 0;
		return MHD_YES;
	}
	if (!strcmp(path, "/metrics"))
		return reply_series(cls, connection);
	if (!strcmp(path, "/"))
		return reply_once(connection, MHD_HTTP_OK, "text/html; charset=utf-8", page);
	return reply_once(connection, MHD_HTTP_NOT_FOUND, "text/plain", "see /metrics\n");
}

static struct connection *find_unused(struct server *server)
{
	for (size_t i = 0; i < MAX_CONNECTIONS; i++)
		if (server->connections[i].fd < 0)
			return &server->connections[i];
	return NULL;
}

static void note_connection(void *cls, struct MHD_Connection *connection, void **context,
			    enum MHD_ConnectionNotificationCode event)
{
	struct connection *own = *context;

	if (event == MHD_CONNECTION_NOTIFY_CLOSED) {
		if (own)
			own->fd = -1;
		return;
	}
	own = find_unused(cls);
	if (!own)
		return;
	own->fd = MHD_get_connection_info(connection,
					  MHD_CONNECTION_INFO_CONNECTION_FD)->connect_fd;
	own->since = monotonic_now();
	*context = own;
}

static void note_completed(void *cls __attribute__((__unused__)),
			   struct MHD_Connection *connection,
			   void **request __attribute__((__unused__)),
			   enum MHD_RequestTerminationCode code __attribute__((__unused__)))
{
	struct connection *own;

	own = MHD_get_connection_info(connection,
				      MHD_CONNECTION_INFO_SOCKET_CONTEXT)->socket_context;
	if (own)
		own->since = monotonic_now();
}

/* libmicrohttpd closes the connection when it sees the end of its input. */
static void end_slow_connections(struct server *server)
{
	double now = monotonic_now();

	for (size_t i = 0; i < MAX_CONNECTIONS; i++)
		if (server->connections[i].fd >= 0 &&
		    now - server->connections[i].since > MAX_SECONDS)
			shutdown(server->connections[i].fd, SHUT_RDWR);
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
	/* Closes the socket on failure, and at the limit of connections. */
	MHD_add_connection(server->daemon, fd, (struct sockaddr *)&address, len);
	return true;
}

static void start_daemon(struct server *server)
{
	for (size_t i = 0; i < MAX_CONNECTIONS; i++)
		server->connections[i].fd = -1;
	server->daemon = MHD_start_daemon(MHD_USE_EPOLL | MHD_USE_NO_LISTEN_SOCKET, 0, NULL, NULL,
					  answer, server,
					  MHD_OPTION_CONNECTION_LIMIT, MAX_CONNECTIONS,
					  MHD_OPTION_CONNECTION_TIMEOUT, SILENT_SECONDS,
					  MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)MAX_HEADERS,
					  MHD_OPTION_NOTIFY_CONNECTION, note_connection, server,
					  MHD_OPTION_NOTIFY_COMPLETED, note_completed, server,
					  MHD_OPTION_END);
	if (!server->daemon)
		die(ERR_SYSTEM_ERROR, "cannot start the HTTP server");
}

/* Return: a descriptor that becomes readable at a signal that ends the program. */
static int signal_descriptor(void)
{
	sigset_t ending;
	int fd;

	signals_to_wait_for(&ending);
	sigprocmask(SIG_BLOCK, &ending, NULL);
	fd = signalfd(-1, &ending, SFD_CLOEXEC);
	if (fd < 0)
		die(ERR_SYSTEM_ERROR, "signalfd: %s", strerror(errno));
	return fd;
}

enum { LISTENER, CONNECTIONS, SIGNALS, NR_FDS };

static bool has_connection(const struct server *server)
{
	return MHD_get_daemon_info(server->daemon,
				   MHD_DAEMON_INFO_CURRENT_CONNECTIONS)->num_connections;
}

/* Waits for connections, requests, timeouts or a signal; without connections only for events. */
static void wait_for_events(struct server *server, struct pollfd fds[NR_FDS])
{
	MHD_UNSIGNED_LONG_LONG ms;
	int timeout = TICK_MS;

	if (MHD_get_timeout(server->daemon, &ms) && ms < TICK_MS)
		timeout = (int)ms;
	else if (!has_connection(server) && fds[LISTENER].fd >= 0)
		timeout = -1;
	for (size_t i = 0; i < NR_FDS; i++)
		fds[i].revents = 0;
	poll(fds, NR_FDS, timeout);
}

void server_run(struct exporter *exporter, int listener)
{
	struct server server = { .exporter = exporter, .listener = listener };
	struct pollfd fds[NR_FDS];
	bool may_accept = true;

	start_daemon(&server);
	fds[SIGNALS] = (struct pollfd) { .fd = signal_descriptor(), .events = POLLIN };
	fds[CONNECTIONS] = (struct pollfd) { .events = POLLIN };
	fds[CONNECTIONS].fd = MHD_get_daemon_info(server.daemon,
						  MHD_DAEMON_INFO_EPOLL_FD)->epoll_fd;
	/* From here on a signal ends the program with status 0. */
	listen_print(listener);
	do {
		/* A pause if there was no descriptor or memory. */
		fds[LISTENER] = (struct pollfd) { may_accept ? listener : -1, POLLIN, 0 };
		wait_for_events(&server, fds);
		may_accept = !fds[LISTENER].revents || accept_connection(&server);
		end_slow_connections(&server);
		MHD_run(server.daemon);
	} while (!fds[SIGNALS].revents);
	MHD_stop_daemon(server.daemon);
	close(fds[SIGNALS].fd);
	close(listener);
	if (server.response)
		MHD_destroy_response(server.response);
}
