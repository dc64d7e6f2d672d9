// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Output file of "n3stat spe record", unbuffered: a killed recorder loses no data. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/errors.h"
#include "lib/files.h"
#include "record_sink.h"

static void __noreturn cannot_write(const struct spe_out *out)
{
	/* The reader closed the pipe: not an error. */
	if (errno == EPIPE)
		exit(EXIT_SUCCESS);
	die(ERR_CANNOT_WRITE,
	    "cannot write %s: %s; it is readable up to there", out->name,
	    strerror(errno));
}

void spe_out_open(struct spe_out *out, const char *name)
{
	FILE *file;

	*out = (struct spe_out) { .fd = STDOUT_FILENO, .name = "the standard output" };
	if (!strcmp(name, "-"))
		return;
	file = create_private(name);
	out->fd = fcntl(fileno(file), F_DUPFD_CLOEXEC, 0);
	out->name = name;
	fclose(file);
	if (out->fd < 0)
		die(ERR_CANNOT_WRITE, "%s: %s", name, strerror(errno));
}

/* Advances the parts past the written bytes. Return: how many are left. */
static int advance(struct iovec **parts, int nr, size_t written)
{
	while (nr && written >= (*parts)->iov_len) {
		written -= (*parts)->iov_len;
		++*parts;
		nr--;
	}
	if (nr) {
		(*parts)->iov_base = (char *)(*parts)->iov_base + written;
		(*parts)->iov_len -= written;
	}
	return nr;
}

void spe_out_writev(struct spe_out *out, struct iovec *parts, int nr)
{
	ssize_t written;

	nr = advance(&parts, nr, 0);
	while (nr) {
		written = writev(out->fd, parts, nr);
		if (written < 0 && errno == EINTR)
			continue;
		if (written < 0)
			cannot_write(out);
		out->bytes += written;
		nr = advance(&parts, nr, written);
	}
}

void spe_out_write(struct spe_out *out, const void *bytes, size_t size)
{
	struct iovec part = { (void *)bytes, size };

	spe_out_writev(out, &part, 1);
}

void spe_out_overwrite(struct spe_out *out, const void *bytes, size_t size, uint64_t offset)
{
	if (pwrite(out->fd, bytes, size, offset) != (ssize_t)size)
		cannot_write(out);
}

void spe_out_close(struct spe_out *out)
{
	/* Network file systems may report a full disk only now. */
	if (out->fd != STDOUT_FILENO && close(out->fd))
		cannot_write(out);
}
