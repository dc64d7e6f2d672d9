// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Passwords of basic auth.
 *
 * Anybody can make this process hash: one thread does it, few wait, and further ones are refused at
 * once. Passwords that were right are remembered as MACs, so these clients neither wait nor are
 * refused. A MAC includes the stored hash: with another hash, or none, it is never found again.
 *
 * The fields behind the lock are shared with the thread; the others belong to the caller.
 */
#include <crypt.h>
#include <errno.h>
#include <gnutls/crypto.h>
#include <gnutls/gnutls.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <strings.h>
#include <sys/eventfd.h>
#include <sys/queue.h>
#include <unistd.h>

#include "lib/memory.h"
#include "passwords.h"

#define MAX_WAITING	8
#define MAX_REMEMBERED	100
#define MAC_SIZE	32

struct mac {
	unsigned char bytes[MAC_SIZE];
};

/* A login of a request. */
struct check {
	STAILQ_ENTRY(check) next;
	void *context;
	char *name;
	char *password;		/* in the memory of @name */
	size_t size;		/* of both */
	char *hash;
	bool is_user;		/* or a name that no user has */
	bool is_right;
	struct mac mac;
};

STAILQ_HEAD(queue, check);

struct passwords {
	unsigned char key[MAC_SIZE];
	struct mac remembered[MAX_REMEMBERED];
	unsigned long nr_remembered;	/* since the start */
	pthread_t thread;
	struct crypt_data scratch;	/* of the thread */
	int event;

	pthread_mutex_t lock;
	pthread_cond_t changed;
	struct queue waiting;
	unsigned int nr_waiting;
	struct queue done;
	bool is_stopping;
};

/* Return: NULL if it is empty. */
static struct check *take_first(struct queue *queue)
{
	struct check *first = STAILQ_FIRST(queue);

	if (first)
		STAILQ_REMOVE_HEAD(queue, next);
	return first;
}

/* Without a user, the hash only takes its time. */
static bool is_right(struct passwords *passwords, const struct check *check)
{
	const char *hash = crypt_rn(check->password, check->hash, &passwords->scratch,
				    sizeof(passwords->scratch));
	size_t len = strlen(check->hash);
	bool ret = hash && strlen(hash) == len && !gnutls_memcmp(hash, check->hash, len);

	gnutls_memset(&passwords->scratch, 0, sizeof(passwords->scratch));
	return ret && check->is_user;
}

static void *run_thread(void *context)
{
	struct passwords *passwords = context;
	struct check *check;

	pthread_mutex_lock(&passwords->lock);
	while (!passwords->is_stopping) {
		check = take_first(&passwords->waiting);
		if (!check) {
			pthread_cond_wait(&passwords->changed, &passwords->lock);
			continue;
		}
		passwords->nr_waiting--;
		pthread_mutex_unlock(&passwords->lock);
		check->is_right = is_right(passwords, check);
		pthread_mutex_lock(&passwords->lock);
		STAILQ_INSERT_TAIL(&passwords->done, check, next);
		eventfd_write(passwords->event, 1);
	}
	pthread_mutex_unlock(&passwords->lock);
	return NULL;
}

struct passwords *passwords_start(void)
{
	struct passwords *passwords = xcalloc(1, sizeof(*passwords));
	sigset_t all, before;
	int error;

	pthread_mutex_init(&passwords->lock, NULL);
	pthread_cond_init(&passwords->changed, NULL);
	STAILQ_INIT(&passwords->waiting);
	STAILQ_INIT(&passwords->done);
	passwords->event = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	if (passwords->event < 0)
		die(ERR_SYSTEM_ERROR, "eventfd: %s", strerror(errno));
	error = gnutls_rnd(GNUTLS_RND_KEY, passwords->key, sizeof(passwords->key));
	if (error)
		die(ERR_SYSTEM_ERROR, "no random numbers: %s", gnutls_strerror(error));
	/* Signals are for the main thread. */
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	error = pthread_create(&passwords->thread, NULL, run_thread, passwords);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	if (error)
		die(ERR_SYSTEM_ERROR, "cannot start a thread: %s", strerror(error));
	return passwords;
}

/* Return: false if the header is malformed. A zero would hide the rest of a password. */
static bool decode(struct check *check, const char *header)
{
	static const char scheme[] = "Basic ";
	gnutls_datum_t encoded, decoded;

	if (!header || strncasecmp(header, scheme, strlen(scheme)))
		return false;
	encoded.data = (unsigned char *)header + strlen(scheme);
	encoded.size = strlen(header + strlen(scheme));
	if (gnutls_base64_decode2(&encoded, &decoded))
		return false;
	check->size = decoded.size;
	check->name = xcalloc(decoded.size + 1, 1);
	memcpy(check->name, decoded.data, decoded.size);
	gnutls_memset(decoded.data, 0, decoded.size);
	gnutls_free(decoded.data);
	if (strlen(check->name) != check->size)
		return false;
	check->password = check->name;
	strsep(&check->password, ":");
	return check->password;
}

/* Return: a user of that name, otherwise the one whose hash takes the longest time. */
static const struct web_user *find_user(const struct web_config *config, const char *name)
{
	const struct web_user *costliest = config->users;

	for (const struct web_user *user = config->users; user < config->users + config->nr_users;
	     user++) {
		if (!strcmp(user->name, name))
			return user;
		if (user->cost > costliest->cost)
			costliest = user;
	}
	return costliest;
}

/* With their ends, no other three texts give the same input. */
static void make_mac(const struct passwords *passwords, struct check *check)
{
	gnutls_hmac_hd_t mac;

	if (gnutls_hmac_init(&mac, GNUTLS_MAC_SHA256, passwords->key, sizeof(passwords->key)) ||
	    gnutls_hmac(mac, check->name, strlen(check->name) + 1) ||
	    gnutls_hmac(mac, check->hash, strlen(check->hash) + 1) ||
	    gnutls_hmac(mac, check->password, strlen(check->password) + 1))
		out_of_memory();
	gnutls_hmac_deinit(mac, check->mac.bytes);
}

static bool is_remembered(const struct passwords *passwords, const struct mac *mac)
{
	bool found = false;

	for (size_t i = 0; i < MAX_REMEMBERED && i < passwords->nr_remembered; i++)
		found |= !gnutls_memcmp(&passwords->remembered[i], mac, sizeof(*mac));
	return found;
}

static void free_check(struct check *check)
{
	if (check->name)
		gnutls_memset(check->name, 0, check->size);
	free(check->name);
	free(check->hash);
	free(check);
}

/* Return: whether the thread takes it over. */
static bool hand_over(struct passwords *passwords, struct check *check)
{
	bool has_room;

	pthread_mutex_lock(&passwords->lock);
	has_room = passwords->nr_waiting < MAX_WAITING;
	if (has_room) {
		STAILQ_INSERT_TAIL(&passwords->waiting, check, next);
		passwords->nr_waiting++;
	}
	pthread_cond_signal(&passwords->changed);
	pthread_mutex_unlock(&passwords->lock);
	return has_room;
}

enum login passwords_log_in(struct passwords *passwords, const struct web_config *config,
			    const char *header, bool is_checked, void *context)
{
	struct check *check = xcalloc(1, sizeof(*check));
	enum login ret = LOGIN_WRONG;
	const struct web_user *user;

	check->context = context;
	if (decode(check, header)) {
		user = find_user(config, check->name);
		check->is_user = !strcmp(user->name, check->name);
		check->hash = xstrdup(user->hash);
		make_mac(passwords, check);
		if (is_remembered(passwords, &check->mac))
			ret = LOGIN_RIGHT;
		else if (!is_checked)
			ret = hand_over(passwords, check) ? LOGIN_CHECKED_LATER : LOGIN_REFUSED;
	}
	if (ret != LOGIN_CHECKED_LATER)
		free_check(check);
	return ret;
}

int passwords_descriptor(const struct passwords *passwords)
{
	return passwords->event;
}

void *passwords_next(struct passwords *passwords)
{
	struct check *check;
	eventfd_t nr;
	void *context;

	eventfd_read(passwords->event, &nr);
	pthread_mutex_lock(&passwords->lock);
	check = take_first(&passwords->done);
	pthread_mutex_unlock(&passwords->lock);
	if (!check)
		return NULL;
	/* A wrong password must not displace a right one. */
	if (check->is_right && !is_remembered(passwords, &check->mac))
		passwords->remembered[passwords->nr_remembered++ % MAX_REMEMBERED] = check->mac;
	context = check->context;
	free_check(check);
	return context;
}

void passwords_stop(struct passwords *passwords)
{
	pthread_mutex_lock(&passwords->lock);
	passwords->is_stopping = true;
	pthread_cond_signal(&passwords->changed);
	pthread_mutex_unlock(&passwords->lock);
	pthread_join(passwords->thread, NULL);
	STAILQ_CONCAT(&passwords->done, &passwords->waiting);
}

void passwords_free(struct passwords *passwords)
{
	gnutls_memset(passwords->key, 0, sizeof(passwords->key));
	pthread_cond_destroy(&passwords->changed);
	pthread_mutex_destroy(&passwords->lock);
	close(passwords->event);
	free(passwords);
}
