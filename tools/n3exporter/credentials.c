// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Certificates of this server and of its clients.
 *
 * libmicrohttpd can ask clients for a certificate, but also serves those without one or with a
 * wrong one. So it has none of the certificates: each session is set up here, and GnuTLS calls
 * verify() in its handshake.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <gnutls/x509.h>
#include <string.h>
#include <unistd.h>

#include "credentials.h"
#include "lib/memory.h"

/* Longer names of certificates match none. */
#define MAX_NAME	1024

/* Writes an address as the toolkit does. Return: whether @name is now a text. */
static bool is_text(int type, char name[MAX_NAME], size_t size)
{
	unsigned char address[sizeof(struct in6_addr)];

	if (type == GNUTLS_SAN_IPADDRESS && (size == 4 || size == sizeof(address))) {
		memcpy(address, name, size);
		return inet_ntop(size == 4 ? AF_INET : AF_INET6, address, name, MAX_NAME);
	}
	/* Behind a zero, it could be anything. */
	return (type == GNUTLS_SAN_DNSNAME || type == GNUTLS_SAN_RFC822NAME ||
		type == GNUTLS_SAN_URI) && strlen(name) == size;
}

static bool is_listed(char **names, const char *name)
{
	while (*names && strcmp(*names, name))
		names++;
	return *names;
}

static bool has_allowed_name(const struct web_config *config, gnutls_x509_crt_t certificate)
{
	char name[MAX_NAME];
	size_t size;
	int type;

	for (unsigned int i = 0; ; i++) {
		size = sizeof(name);
		type = gnutls_x509_crt_get_subject_alt_name(certificate, i, name, &size, NULL);
		if (type == GNUTLS_E_SHORT_MEMORY_BUFFER)
			continue;
		if (type < 0)
			return false;
		if (is_text(type, name, size) && is_listed(config->client_allowed_sans, name))
			return true;
	}
}

/* The first certificate is that of the client. */
static bool is_allowed(const struct web_config *config, const gnutls_datum_t *sent)
{
	gnutls_x509_crt_t certificate;
	bool ret;

	if (!config->client_allowed_sans)
		return true;
	if (gnutls_x509_crt_init(&certificate))
		return false;
	ret = !gnutls_x509_crt_import(certificate, sent, GNUTLS_X509_FMT_DER) &&
	      has_allowed_name(config, certificate);
	gnutls_x509_crt_deinit(certificate);
	return ret;
}

static bool requires_certificate(const struct credentials *credentials)
{
	return credentials->config.client_auth_type == REQUIRE_ANY_CLIENT_CERT ||
	       credentials->config.client_auth_type == REQUIRE_AND_VERIFY_CLIENT_CERT;
}

/* Return: the alert for a client that is not admitted, or -1. */
static int alert_for(const struct credentials *credentials, gnutls_session_t session)
{
	/* A certificate of a server is none of a client. */
	gnutls_typed_vdata_st purpose = {
		GNUTLS_DT_KEY_PURPOSE_OID, (unsigned char *)GNUTLS_KP_TLS_WWW_CLIENT, 0
	};
	unsigned int nr = 0, status = GNUTLS_CERT_INVALID;
	const gnutls_datum_t *sent = gnutls_certificate_get_peers(session, &nr);

	if (!sent || !nr)
		return requires_certificate(credentials) ? GNUTLS_A_CERTIFICATE_REQUIRED : -1;
	if (credentials->config.client_auth_type < VERIFY_CLIENT_CERT_IF_GIVEN)
		return -1;
	if (gnutls_certificate_verify_peers(session, &purpose, 1, &status))
		return GNUTLS_A_BAD_CERTIFICATE;
	if (status & GNUTLS_CERT_EXPIRED)
		return GNUTLS_A_CERTIFICATE_EXPIRED;
	if (status & GNUTLS_CERT_SIGNER_NOT_FOUND)
		return GNUTLS_A_UNKNOWN_CA;
	if (status || !is_allowed(&credentials->config, sent))
		return GNUTLS_A_BAD_CERTIFICATE;
	return -1;
}

/* Called in the handshake. The alert lets the client report the reason. */
static int verify(gnutls_session_t session)
{
	struct peer *peer = gnutls_session_get_ptr(session);
	int alert = alert_for(peer->credentials, session);

	peer->is_verified = alert < 0;
	if (peer->is_verified)
		return 0;
	gnutls_alert_send(session, GNUTLS_AL_FATAL, alert);
	return GNUTLS_E_CERTIFICATE_ERROR;
}

void peer_start_tls(struct peer *peer, struct credentials *credentials, gnutls_session_t session)
{
	bool asks = credentials->config.client_auth_type != NO_CLIENT_CERT;

	credentials->references++;
	peer->credentials = credentials;
	/* libmicrohttpd uses this pointer for pre-shared keys only. */
	gnutls_session_set_ptr(session, peer);
	gnutls_session_set_verify_function(session, verify);
	gnutls_certificate_server_set_request(session, asks ? GNUTLS_CERT_REQUEST :
					      GNUTLS_CERT_IGNORE);
	if (gnutls_credentials_set(session, GNUTLS_CRD_CERTIFICATE, credentials->certificates) ||
	    gnutls_priority_set(session, credentials->priority))
		out_of_memory();
}

void peer_end(struct peer *peer)
{
	if (peer->credentials)
		credentials_put(peer->credentials);
	peer->credentials = NULL;
}

bool peer_is_admitted(const struct peer *peer, gnutls_session_t session)
{
	unsigned int nr;

	return peer->is_verified || (!requires_certificate(peer->credentials) &&
				     !gnutls_certificate_get_peers(session, &nr));
}

int credentials_of_no_server(gnutls_session_t session __attribute__((__unused__)),
			     const gnutls_datum_t *names __attribute__((__unused__)),
			     int nr_names __attribute__((__unused__)),
			     const gnutls_pk_algorithm_t *kinds __attribute__((__unused__)),
			     int nr_kinds __attribute__((__unused__)),
			     struct gnutls_pcert_st **certificates __attribute__((__unused__)),
			     unsigned int *nr __attribute__((__unused__)),
			     gnutls_privkey_t *key __attribute__((__unused__)))
{
	return -1;
}

static bool is_readable(const char *file, struct failure *failure)
{
	return !access(file, R_OK) ||
	       failure_set(failure, ERR_CANNOT_READ, "cannot read %s: %s", file, strerror(errno));
}

static bool load_certificates(struct credentials *credentials, struct failure *failure)
{
	const struct web_config *config = &credentials->config;
	const char *ca = config->client_ca_file;
	int error;

	if (!is_readable(config->cert_file, failure) || !is_readable(config->key_file, failure) ||
	    (ca && !is_readable(ca, failure)))
		return false;
	error = gnutls_certificate_set_x509_key_file(credentials->certificates, config->cert_file,
						     config->key_file, GNUTLS_X509_FMT_PEM);
	if (error < 0)
		return failure_set(failure, ERR_CANNOT_READ, "%s with %s: %s", config->cert_file,
				   config->key_file, gnutls_strerror(error));
	error = !ca ? 1 : gnutls_certificate_set_x509_trust_file(credentials->certificates, ca,
								 GNUTLS_X509_FMT_PEM);
	if (error <= 0)
		return failure_set(failure, ERR_CANNOT_READ, "%s: %s", ca,
				   error ? gnutls_strerror(error) : "no certificate");
	return true;
}

static bool start_tls(struct credentials *credentials, struct failure *failure)
{
	char *versions = xstrdup("NORMAL:-VERS-ALL");
	int error;

	for (unsigned int i = credentials->config.min_version;
	     i <= credentials->config.max_version; i++)
		append_text(&versions, ":", "+VERS-TLS1.%u", i);
	error = gnutls_priority_init(&credentials->priority, versions, NULL);
	free(versions);
	if (error)
		return failure_set(failure, ERR_BAD_VALUE, "min_version to max_version: %s",
				   gnutls_strerror(error));
	if (gnutls_certificate_allocate_credentials(&credentials->certificates))
		out_of_memory();
	return load_certificates(credentials, failure);
}

struct credentials *credentials_read(const char *file, struct failure *failure)
{
	struct credentials *credentials = xcalloc(1, sizeof(*credentials));

	credentials->references = 1;
	if (web_config_read(&credentials->config, file, failure) &&
	    (!credentials->config.cert_file || start_tls(credentials, failure)))
		return credentials;
	credentials_put(credentials);
	return NULL;
}

void credentials_put(struct credentials *credentials)
{
	if (--credentials->references)
		return;
	if (credentials->certificates)
		gnutls_certificate_free_credentials(credentials->certificates);
	if (credentials->priority)
		gnutls_priority_deinit(credentials->priority);
	web_config_free(&credentials->config);
	free(credentials);
}
