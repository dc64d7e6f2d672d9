// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Linked with --wrap=read: returns one byte at a time, with interrupts in between. */
#include <errno.h>
#include <unistd.h>

ssize_t __real_read(int fd, void *buf, size_t count);
ssize_t __wrap_read(int fd, void *buf, size_t count);

ssize_t __wrap_read(int fd, void *buf, size_t count)
{
	static unsigned int calls;

	if (++calls % 3 == 0) {
		errno = EINTR;
		return -1;
	}
	return __real_read(fd, buf, count ? 1 : 0);
}
