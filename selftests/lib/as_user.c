// SPDX-License-Identifier: GPL-2.0
/*
 * as_user UID GID[,GID]... COMMAND [ARG]... - runs it as that user, in these groups only
 * as_user -c CAPABILITIES COMMAND [ARG]... - runs it as root without these
 *	capabilities (numbers, separated by commas)
 * as_user -a UID:CAPABILITIES COMMAND [ARG]... - runs it as that user with these
 *	capabilities and no way to others, as a service with AmbientCapabilities=,
 *	CapabilityBoundingSet= and NoNewPrivileges=
 * as_user -n UID COMMAND [ARG]... - runs it as root of a new user namespace, with all
 *	capabilities there; outside of it this is the user UID
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <grp.h>
#include <linux/capability.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

static void die(const char *what)
{
	perror(what);
	exit(125);
}

#define MAX_GROUPS	8

/* The first group is the primary one. */
static void become(uid_t uid, char *groups)
{
	gid_t gids[MAX_GROUPS];
	size_t nr = 0;
	char *word;

	while (nr < MAX_GROUPS && (word = strsep(&groups, ",")))
		gids[nr++] = atoi(word);
	if (setgroups(nr, gids) || setresgid(gids[0], gids[0], gids[0]) ||
	    setresuid(uid, uid, uid))
		die("as_user");
}

/* Permanently: exec does not restore them. */
static void drop(char *capabilities)
{
	struct __user_cap_header_struct header = { .version = _LINUX_CAPABILITY_VERSION_3 };
	struct __user_cap_data_struct data[2];
	char *word;
	int cap;

	if (syscall(SYS_capget, &header, data))
		die("capget");
	while ((word = strsep(&capabilities, ","))) {
		cap = atoi(word);
		if (prctl(PR_CAPBSET_DROP, cap, 0, 0, 0))
			die("prctl");
		data[cap / 32].effective &= ~(1u << cap % 32);
		data[cap / 32].permitted &= ~(1u << cap % 32);
		data[cap / 32].inheritable &= ~(1u << cap % 32);
	}
	if (syscall(SYS_capset, &header, data))
		die("capset");
}

static void become_with(char *who)
{
	struct __user_cap_header_struct header = { .version = _LINUX_CAPABILITY_VERSION_3 };
	struct __user_cap_data_struct data[2] = { 0 };
	char *uid = strsep(&who, ":"), *word;

	while ((word = strsep(&who, ",")))
		data[atoi(word) / 32].permitted |= 1u << atoi(word) % 32;
	for (int cap = 0; prctl(PR_CAPBSET_READ, cap, 0, 0, 0) >= 0; cap++)
		if (!(data[cap / 32].permitted & 1u << cap % 32) &&
		    prctl(PR_CAPBSET_DROP, cap, 0, 0, 0))
			die("prctl");
	if (prctl(PR_SET_KEEPCAPS, 1, 0, 0, 0))
		die("prctl");
	become(atoi(uid), uid);
	for (int i = 0; i < 2; i++) {
		data[i].effective = data[i].permitted;
		data[i].inheritable = data[i].permitted;
	}
	if (syscall(SYS_capset, &header, data))
		die("capset");
	for (int cap = 0; cap < 64; cap++)
		if (data[cap / 32].permitted & 1u << cap % 32 &&
		    prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_RAISE, cap, 0, 0))
			die("prctl");
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))
		die("prctl");
}

static void write_file(const char *name, const char *text)
{
	int fd = open(name, O_WRONLY);

	if (fd < 0 || write(fd, text, strlen(text)) != (ssize_t)strlen(text))
		die(name);
	close(fd);
}

/* The user becomes root there: a process may always map its own ids. */
static void enter_namespace(char *uid)
{
	char map[32];

	become(atoi(uid), strdup(uid));
	/* The files below belong to the user again. */
	if (prctl(PR_SET_DUMPABLE, 1, 0, 0, 0) || unshare(CLONE_NEWUSER))
		die("unshare");
	write_file("/proc/self/setgroups", "deny");
	snprintf(map, sizeof(map), "0 %d 1", atoi(uid));
	write_file("/proc/self/uid_map", map);
	write_file("/proc/self/gid_map", map);
}

int main(int argc, char **argv)
{
	if (argc < 4) {
		fputs("usage: as_user UID GID[,GID]... COMMAND...\n"
		      "       as_user -c CAPABILITIES COMMAND...\n"
		      "       as_user -a UID:CAPABILITIES COMMAND...\n"
		      "       as_user -n UID COMMAND...\n", stderr);
		return 125;
	}
	if (!strcmp(argv[1], "-c"))
		drop(argv[2]);
	else if (!strcmp(argv[1], "-a"))
		become_with(argv[2]);
	else if (!strcmp(argv[1], "-n"))
		enter_namespace(argv[2]);
	else
		become(atoi(argv[1]), argv[2]);
	execvp(argv[3], argv + 3);
	die(argv[3]);
}
