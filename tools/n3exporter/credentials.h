/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Certificates of this server and of its clients. Connections keep the ones that they began with,
 * so that a file can be read again meanwhile.
 */
#ifndef N3EXPORTER_CREDENTIALS_H
#define N3EXPORTER_CREDENTIALS_H

#include <gnutls/abstract.h>
#include <stdbool.h>

#include "web_config.h"

struct credentials {
	struct web_config config;
	gnutls_certificate_credentials_t certificates;	/* NULL: without TLS */
	gnutls_priority_t priority;
	unsigned int references;
};

/* The other end of a connection. */
struct peer {
	struct credentials *credentials;	/* NULL: without TLS */
	bool is_verified;	/* its certificate, as far as client_auth_type demands */
	bool is_checked;	/* the password of its request */
};

/* Return: NULL after an error; a file's errors name the line. */
struct credentials *credentials_read(const char *file, struct failure *failure);
void credentials_put(struct credentials *credentials);

/*
 * Before the handshake of a new session, which fails for clients that are not admitted. @peer stays
 * at its address until peer_end(), after the session.
 */
void peer_start_tls(struct peer *peer, struct credentials *credentials, gnutls_session_t session);
void peer_end(struct peer *peer);

/* Return: whether a request may be answered. The handshake has ensured that. */
bool peer_is_admitted(const struct peer *peer, gnutls_session_t session);

/* For libmicrohttpd: a handshake without peer_start_tls() fails. */
gnutls_certificate_retrieve_function2 credentials_of_no_server;

#endif
