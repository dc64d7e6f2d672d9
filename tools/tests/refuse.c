// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Preloaded into n3stat: simulates a kernel that refuses access. Paths in /sys, /proc/self and
 * /proc/sys are below $STUB_ROOT; reading a file of the module and opening a perf event fail with
 * $STUB_ERROR. If that is 0, the event can be opened, but its buffers cannot be mapped.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

static const char *moved(const char *path, char *to, size_t size)
{
	if (strncmp(path, "/sys/", 5) && strncmp(path, "/proc/self/", 11) &&
	    strncmp(path, "/proc/sys/", 10))
		return path;
	snprintf(to, size, "%s%s", getenv("STUB_ROOT"), path);
	return to;
}

static int refuse(void)
{
	errno = atoi(getenv("STUB_ERROR"));
	return -1;
}

int open(const char *path, int flags, ...)
{
	char to[4096];
	mode_t mode = 0;
	va_list args;

	va_start(args, flags);
	if (flags & O_CREAT)
		mode = va_arg(args, int);
	va_end(args);
	if (!strncmp(path, "/sys/kernel/n3_telemetry/", 25))
		return refuse();
	return openat(AT_FDCWD, moved(path, to, sizeof(to)), flags, mode);
}

int stat(const char *restrict path, struct stat *restrict st)
{
	char to[4096];

	return fstatat(AT_FDCWD, moved(path, to, sizeof(to)), st, 0);
}

ssize_t readlink(const char *restrict path, char *restrict buf, size_t size)
{
	char to[4096];

	return readlinkat(AT_FDCWD, moved(path, to, sizeof(to)), buf, size);
}

DIR *opendir(const char *path)
{
	char to[4096];
	int fd = openat(AT_FDCWD, moved(path, to, sizeof(to)), O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	return fd < 0 ? NULL : fdopendir(fd);
}

long syscall(long nr, ...)
{
	long (*real)(long nr, ...) = dlsym(RTLD_NEXT, "syscall");
	long v[6];
	va_list args;

	va_start(args, nr);
	for (int i = 0; i < 6; i++)
		v[i] = va_arg(args, long);
	va_end(args);
	if (nr == SYS_perf_event_open && !strcmp(getenv("STUB_ERROR"), "0"))
		return openat(AT_FDCWD, "/dev/null", O_RDWR);
	return nr == SYS_perf_event_open ? refuse() : real(nr, v[0], v[1], v[2], v[3], v[4], v[5]);
}
