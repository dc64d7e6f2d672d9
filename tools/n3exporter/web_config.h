/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * The file of --web.config.file, in the format of Prometheus' exporter-toolkit, without the keys
 * that only matter to Go.
 */
#ifndef N3EXPORTER_WEB_CONFIG_H
#define N3EXPORTER_WEB_CONFIG_H

#include <stdbool.h>
#include <stddef.h>

#include "libn3telemetry/errors.h"

/* Demands on certificates of clients. The last two need client_ca_file. */
enum client_auth {
	NO_CLIENT_CERT,
	REQUEST_CLIENT_CERT,
	REQUIRE_ANY_CLIENT_CERT,
	VERIFY_CLIENT_CERT_IF_GIVEN,
	REQUIRE_AND_VERIFY_CLIENT_CERT,
};

struct web_user {
	char *name;
	char *hash;		/* of bcrypt */
	unsigned long cost;	/* of the hash */
};

struct web_config {
	char *cert_file;	/* NULL: without TLS */
	char *key_file;
	char *client_ca_file;	/* or NULL */
	unsigned int client_auth_type;	/* enum client_auth */
	char **client_allowed_sans;	/* NULL-terminated; NULL: any */
	unsigned int min_version;	/* N of TLS 1.N */
	unsigned int max_version;
	unsigned int http2;	/* not used: the server has HTTP/1.1 only */
	struct web_user *users;
	size_t nr_users;	/* 0: without passwords */
};

/* Return: false after an error, with the line. web_config_free() is due in any case. */
bool web_config_read(struct web_config *config, const char *file, struct failure *failure);
void web_config_free(struct web_config *config);

#endif
