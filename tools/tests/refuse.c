// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Preloaded into n3stat: simulates a kernel that refuses access. Paths in /sys, /proc/self and
 * /proc/sys are below $STUB_ROOT; files of the module and opening a perf event fail with
 * $STUB_ERROR: EPERM, as from the module, at read(2) and write(2), other errors at open(2). If it
 * is 0, the event can be opened, but its buffers cannot be mapped.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#define MODULE	"/sys/kernel/n3_telemetry/"

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

static bool is_refused(int error)
{
	return error == atoi(getenv("STUB_ERROR"));
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
	if (!strncmp(path, MODULE, strlen(MODULE)) && !is_refused(EPERM))
		return refuse();
	return openat(AT_FDCWD, moved(path, to, sizeof(to)), flags, mode);
}

static bool is_of_module(int fd)
{
	char name[32], to[4096];
	ssize_t len;

	snprintf(name, sizeof(name), "/proc/self/fd/%d", fd);
	len = readlinkat(AT_FDCWD, name, to, sizeof(to) - 1);
	to[len < 0 ? 0 : len] = '\0';
	return strstr(to, MODULE);
}

ssize_t read(int fd, void *buf, size_t size)
{
	ssize_t (*real)(int fd, void *buf, size_t size) = dlsym(RTLD_NEXT, "read");

	return is_of_module(fd) ? refuse() : real(fd, buf, size);
}

ssize_t pread(int fd, void *buf, size_t size, off_t at)
{
	ssize_t (*real)(int fd, void *buf, size_t size, off_t at) = dlsym(RTLD_NEXT, "pread");

	return is_of_module(fd) ? refuse() : real(fd, buf, size, at);
}

ssize_t write(int fd, const void *buf, size_t size)
{
	ssize_t (*real)(int fd, const void *buf, size_t size) = dlsym(RTLD_NEXT, "write");

	return is_of_module(fd) ? refuse() : real(fd, buf, size);
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
	if (nr == SYS_perf_event_open && is_refused(0))
		return openat(AT_FDCWD, "/dev/null", O_RDWR);
	return nr == SYS_perf_event_open ? refuse() : real(nr, v[0], v[1], v[2], v[3], v[4], v[5]);
}
