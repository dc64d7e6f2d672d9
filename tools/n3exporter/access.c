// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Access to the HTTP server. */
#include <stdlib.h>

#include "access.h"
#include "lib/memory.h"
#include "passwords.h"
#include "reply.h"

struct access {
	const char *file;
	struct credentials *credentials;
	struct passwords *passwords;
};

struct access *access_start(const char *file)
{
	struct failure failure = { 0 };
	struct credentials *credentials = credentials_read(file, &failure);
	struct access *access;

	if (!credentials)
		die(failure.kind, "%s", failure.text ? failure.text : file);
	access = xcalloc(1, sizeof(*access));
	access->file = file;
	access->credentials = credentials;
	access->passwords = passwords_start();
	return access;
}

bool access_has_tls(const struct access *access)
{
	return access && access->credentials->certificates;
}

void access_reload(struct access *access)
{
	struct failure failure = { 0 };
	struct credentials *fresh = credentials_read(access->file, &failure);

	if (fresh && !fresh->certificates == !access_has_tls(access)) {
		credentials_put(access->credentials);
		access->credentials = fresh;
		return;
	}
	if (fresh) {
		failure_set(&failure, ERR_BAD_VALUE, "%s: restart n3-exporter to turn TLS %s",
			    access->file, fresh->certificates ? "on" : "off");
		credentials_put(fresh);
	}
	warn(failure.kind, "the previous settings stay in force: %s",
	     failure.text ? failure.text : access->file);
	failure_clear(&failure);
}

static gnutls_session_t session_of(struct MHD_Connection *connection)
{
	return MHD_get_connection_info(connection,
				       MHD_CONNECTION_INFO_GNUTLS_SESSION)->tls_session;
}

void access_start_peer(struct access *access, struct peer *peer, struct MHD_Connection *connection)
{
	*peer = (struct peer) { 0 };
	if (access_has_tls(access))
		peer_start_tls(peer, access->credentials, session_of(connection));
}

bool access_permits(struct access *access, struct peer *peer, struct MHD_Connection *connection,
		    enum MHD_Result *ret)
{
	const char *header;

	*ret = MHD_NO;
	if (access_has_tls(access) && !peer_is_admitted(peer, session_of(connection)))
		return false;
	if (!access || !access->credentials->config.nr_users)
		return true;
	header = MHD_lookup_connection_value(connection, MHD_HEADER_KIND,
					     MHD_HTTP_HEADER_AUTHORIZATION);
	switch (passwords_log_in(access->passwords, &access->credentials->config, header,
				 peer->is_checked, connection)) {
	case LOGIN_RIGHT:
		return true;
	case LOGIN_WRONG:
		*ret = reply_once(connection, MHD_HTTP_UNAUTHORIZED, "text/plain",
				  "wrong name or password\n");
		return false;
	case LOGIN_REFUSED:
		*ret = reply_once(connection, MHD_HTTP_SERVICE_UNAVAILABLE, "text/plain",
				  "too many passwords to check\n");
		return false;
	case LOGIN_CHECKED_LATER:
		peer->is_checked = true;
		MHD_suspend_connection(connection);
		*ret = MHD_YES;
		return false;
	}
	return false;
}

int access_descriptor(const struct access *access)
{
	return access ? passwords_descriptor(access->passwords) : -1;
}

void access_resume(struct access *access)
{
	struct MHD_Connection *connection;

	while ((connection = passwords_next(access->passwords)))
		MHD_resume_connection(connection);
}

void access_stop(struct access *access)
{
	if (!access)
		return;
	passwords_stop(access->passwords);
	access_resume(access);
}

void access_free(struct access *access)
{
	if (!access)
		return;
	passwords_free(access->passwords);
	credentials_put(access->credentials);
	free(access);
}
