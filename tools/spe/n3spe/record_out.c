// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Output file of "n3stat spe record", unbuffered: a killed recorder loses no data. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/errors.h"
#include "lib/files.h"
#include "lib/memory.h"
#include "record_options.h"
#include "record_out.h"

static void __noreturn cannot_write(const struct spe_out *out)
{
	die(ERR_CANNOT_WRITE, "cannot write %s: %s; it is readable up to there", out->name,
	    strerror(errno));
}

/* As perf does. Symbols of another recording must not remain in any case. */
static void keep_old(const char *name)
{
	char *old = format_string("%s.old", name), *symbols = format_string("%s.kallsyms", name);
	char *old_symbols = format_string("%s.kallsyms", old);
	struct stat st;

	if (!stat(name, &st) && S_ISREG(st.st_mode) && st.st_size) {
		if (rename(name, old))
			die_of_file(ERR_CANNOT_WRITE, old);
		unlink(old_symbols);
		rename(symbols, old_symbols);
	}
	unlink(symbols);
	free(old);
	free(symbols);
	free(old_symbols);
}

void spe_out_open(struct spe_out *out, const char *name)
{
	keep_old(name);
	*out = (struct spe_out) { .file = create_private(name), .name = name };
	if (lseek(fileno(out->file), 0, SEEK_CUR) < 0)
		die(ERR_CANNOT_WRITE, SPE_NO_PIPE, name);
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
		written = writev(fileno(out->file), parts, nr);
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
	if (pwrite(fileno(out->file), bytes, size, offset) != (ssize_t)size)
		cannot_write(out);
}

void spe_out_close(struct spe_out *out)
{
	/* Network file systems may report a full disk only now. */
	if (fclose(out->file))
		cannot_write(out);
}

void spe_out_free(struct spe_out *out)
{
	for (size_t i = 0; i < out->nr_events; i++) {
		free(out->events[i].name);
		free(out->events[i].ids);
	}
	free(out->events);
	free(out->index);
}

const char *spe_lost_text(enum spe_lost_reason reason)
{
	static const char * const texts[SPE_NR_LOST] = {
		[SPE_LOST_TRUNCATED] = "buffer full or faulty",
		[SPE_LOST_STALLED] = "stopped by the kernel",
		[SPE_LOST_PERF] = "perf's records lost",
		[SPE_LOST_OFFLINE] = "CPU offline",
		[SPE_LOST_UNKNOWN_SIZE] = "impossible size",
	};

	return texts[reason];
}
