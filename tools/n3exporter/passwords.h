/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Passwords of basic auth. A thread computes the hashes, which take longer than all else; those
 * that were right are remembered.
 */
#ifndef N3EXPORTER_PASSWORDS_H
#define N3EXPORTER_PASSWORDS_H

#include <stdbool.h>

#include "web_config.h"

struct passwords;

enum login {
	LOGIN_RIGHT,
	LOGIN_WRONG,		/* or none */
	LOGIN_CHECKED_LATER,	/* passwords_next() returns its context */
	LOGIN_REFUSED,		/* too many are being checked */
};

/* Starts the thread; exits on errors. */
struct passwords *passwords_start(void);

/*
 * Return: the result for a request with this header Authorization, or NULL without. Where it was
 * LOGIN_CHECKED_LATER, the same call for the same request, then with @is_checked, has the result.
 */
enum login passwords_log_in(struct passwords *passwords, const struct web_config *config,
			    const char *header, bool is_checked, void *context);

/* Return: a descriptor that becomes readable when passwords_next() has something. */
int passwords_descriptor(const struct passwords *passwords);
/* Return: the context of a login that is checked, or NULL. */
void *passwords_next(struct passwords *passwords);

/* Ends the thread. passwords_next() then returns all contexts that are left. */
void passwords_stop(struct passwords *passwords);
void passwords_free(struct passwords *passwords);

#endif
