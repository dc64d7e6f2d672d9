// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Names of cgroups: of kubelet with either of its drivers, container runtimes and systemd.
 *
 *	/kubepods.slice/kubepods-burstable.slice/kubepods-burstable-pod<UID>.slice/
 *		cri-containerd-<ID>.scope, crio-<ID>.scope, docker-<ID>.scope
 *	/kubepods/burstable/pod<UID>/<ID>, /docker/<ID>
 *	/system.slice/containerd.service/kubepods-burstable-pod<UID>.slice:cri-containerd:<ID>
 *	/machine.slice/libpod-<ID>.scope/container, /system.slice/docker-<ID>.scope
 *	/libpod_parent/<pod's ID>/libpod-<ID>, /lxc.payload.<name>/system.slice/ssh.service
 */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "cgroups.h"
#include "lib/memory.h"

#define ID		64	/* letters of a container's id */
#define UID		32	/* least letters of a pod's, without "-" */
#define SHORT_ID	12
#define SHORT_UID	8

/* Part of a path. */
struct part {
	const char *text;
	size_t len;
};

/* The part at @path; *path is behind it. Return: false at the end. */
static bool next_part(const char **path, struct part *part)
{
	part->text = *path + strspn(*path, "/");
	part->len = strcspn(part->text, "/");
	*path = part->text + part->len;
	return part->len;
}

static bool begins_with(const struct part *part, const char *start)
{
	return part->len >= strlen(start) && !strncmp(part->text, start, strlen(start));
}

static bool ends_with(const struct part *part, const char *end)
{
	size_t len = strlen(end);

	return part->len > len && !memcmp(part->text + part->len - len, end, len);
}

static struct part without(struct part part, const char *end)
{
	if (ends_with(&part, end))
		part.len -= strlen(end);
	return part;
}

static bool are_digits(const char *text, size_t len, const char *others)
{
	for (size_t i = 0; i < len; i++)
		if (!isxdigit((unsigned char)text[i]) && !strchr(others, text[i]))
			return false;
	return true;
}

/* Sets the runtime's name, which may be empty, and the id. Return: whether it is a container. */
static bool take_container(const struct part *part, struct part *runtime, struct part *id)
{
	*runtime = without(*part, ".scope");
	if (runtime->len < ID)
		return false;
	runtime->len -= ID;
	*id = (struct part) { runtime->text + runtime->len, ID };
	if (!are_digits(id->text, id->len, ""))
		return false;
	if (!runtime->len)
		return true;
	runtime->len--;
	return runtime->text[runtime->len] == '-' || runtime->text[runtime->len] == ':';
}

/* Also one of LXC, which has units of its own; not a pod of podman. */
static bool is_container(const struct part *part, const struct part *before)
{
	struct part runtime, id;

	return begins_with(part, "lxc.payload.") ||
	       (take_container(part, &runtime, &id) && !begins_with(before, "libpod_parent"));
}

/* Sets the pod's UID. Return: whether the part is the directory of a pod, or has its name. */
static bool take_pod(const struct part *part, struct part *uid)
{
	static const char pod[] = "pod";
	const struct part head = { part->text, part->len ? strcspn(part->text, ":/") : 0 };
	const struct part name = without(head, ".slice");

	for (size_t i = 0; i + strlen(pod) + UID <= name.len; i++) {
		if ((i && name.text[i - 1] != '-') || strncmp(&name.text[i], pod, strlen(pod)))
			continue;
		uid->text = name.text + i + strlen(pod);
		uid->len = name.len - i - strlen(pod);
		if (are_digits(uid->text, uid->len, "-_"))
			return true;
	}
	return false;
}

/* A user's manager has units of its own. */
static bool is_unit(const struct part *part)
{
	static const char * const ends[] = {
		".service", ".scope", ".socket", ".mount", ".swap",
	};

	for (size_t i = 0; i < NR(ends); i++)
		if (ends_with(part, ends[i]))
			return !begins_with(part, "user@");
	return false;
}

/* Below a unit only pods have rows: its own containers are part of it. */
size_t cgroup_row(const char *path)
{
	bool in_pod = false, is_pod;
	const char *at = path;
	struct part part = { 0 }, before, uid;
	size_t unit = 0;

	for (before = part; next_part(&at, &part); before = part) {
		is_pod = take_pod(&part, &uid);
		if (in_pod || ((is_pod || !unit) && is_container(&part, &before)))
			return at - path;
		in_pod = is_pod;
		if (!unit && !in_pod && is_unit(&part))
			unit = at - path;
	}
	return unit ? unit : strlen(path);
}

/* The parts that a name is made of; absent ones have no letters. */
struct parts {
	struct part last, before, user;
};

static struct parts divide(const char *path)
{
	struct parts parts = { 0 };
	struct part part;

	while (next_part(&path, &part)) {
		parts.before = parts.last;
		parts.last = part;
		if (ends_with(&parts.before, ".slice") && begins_with(&parts.before, "user-"))
			parts.user = without(parts.before, ".slice");
	}
	return parts;
}

static struct part shortened(struct part part, size_t len)
{
	if (part.len > len)
		part.len = len;
	return part;
}

/* systemd writes "-" as "\x2d". */
static void unescape(char *text)
{
	static const char dash[] = "\\x2d";
	char *at;

	while ((at = strstr(text, dash))) {
		*at = '-';
		memmove(at + 1, at + strlen(dash), strlen(at + strlen(dash)) + 1);
	}
}

#define ARGS(part)	(int)(part).len, (part).text

/* By the name that users know from the runtime's command. */
static void name_container(char name[CGROUP_NAME], const struct parts *parts, struct part runtime,
			   struct part id)
{
	static const struct {
		const char *of;
		const char *name;
	} known[] = {
		{ "cri-containerd", "containerd" }, { "libpod", "podman" },
	};
	const char *before = "";

	if (!runtime.len)
		runtime = parts->before;
	for (size_t i = 0; i < NR(known); i++)
		if (begins_with(&runtime, known[i].of)) {
			before = known[i].name;
			runtime.text += strlen(known[i].of);
			runtime.len -= strlen(known[i].of);
		}
	snprintf(name, CGROUP_NAME, "%s%.*s-%.*s", before, ARGS(runtime),
		 ARGS(shortened(id, SHORT_ID)));
}

static void name_pod(char name[CGROUP_NAME], struct part uid, const struct part *last)
{
	static const char monitor[] = "conmon-";
	struct part runtime, id;

	uid = shortened(uid, SHORT_UID);
	if (take_container(last, &runtime, &id))
		id = shortened(id, SHORT_ID);
	else
		id = *last;
	if (id.text - last->text >= (int)strlen(monitor) &&
	    !strncmp(id.text - strlen(monitor), monitor, strlen(monitor))) {
		id.text -= strlen(monitor);
		id.len += strlen(monitor);
	}
	snprintf(name, CGROUP_NAME, "pod-%.*s/%.*s", ARGS(uid), ARGS(id));
}

/* Whether the escape at @text could stand for a character that is none of ASCII, or for "\". */
static bool is_ambiguous(const char *text)
{
	unsigned int code;

	return sscanf(text, "\\x%2x", &code) == 1 &&
	       (code < ' ' || code > '~' || code == '\\');
}

void cgroup_escape(char *to, size_t size, const char *text)
{
	for (; *text && size > 1; text++) {
		bool plain = *text >= ' ' && *text <= '~' && !is_ambiguous(text);
		size_t len = snprintf(to, size, plain ? "%c" : "\\x%02x", (unsigned char)*text);

		if (len >= size)
			break;
		to += len;
		size -= len;
	}
	*to = '\0';
}

void cgroup_name(char escaped[CGROUP_NAME], const char *path)
{
	const struct parts parts = divide(path);
	struct part uid, runtime, id;
	char name[CGROUP_NAME];

	if (!parts.last.len)
		snprintf(name, CGROUP_NAME, "%s", CGROUP_KERNEL);
	else if (take_container(&parts.last, &runtime, &id) ?
		 take_pod(&parts.last, &uid) || take_pod(&parts.before, &uid) :
		 take_pod(&parts.before, &uid))
		name_pod(name, uid, &parts.last);
	else if (take_pod(&parts.last, &uid))
		snprintf(name, CGROUP_NAME, "pod-%.*s", ARGS(shortened(uid, SHORT_UID)));
	else if (take_container(&parts.last, &runtime, &id))
		name_container(name, &parts, runtime, id);
	else if (parts.user.len)
		snprintf(name, CGROUP_NAME, "%.*s/%.*s", ARGS(parts.user), ARGS(parts.last));
	else
		snprintf(name, CGROUP_NAME, "%.*s", ARGS(parts.last));
	unescape(name);
	cgroup_escape(escaped, CGROUP_NAME, name);
}
