// SPDX-License-Identifier: GPL-2.0
/*
 * kernel_text FUNCTION BYTES - writes the kernel's instructions from the start of the function to
 * stdout. Static branches are part of them: that of a tracepoint without probes is a nop. No file
 * shows probes that modules register. Exits with 4 without /proc/kcore.
 */
#include <elf.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MAX_BYTES	65536
#define MAX_SEGMENTS	64
#define SKIP		4

static unsigned long address_of(const char *function)
{
	FILE *file = fopen("/proc/kallsyms", "r");
	unsigned long address, found = 0;
	char line[512], name[256];

	while (file && !found && fgets(line, sizeof(line), file))
		if (sscanf(line, "%lx %*c %255s", &address, name) == 2 && !strcmp(name, function))
			found = address;
	if (file)
		fclose(file);
	return found;
}

static int read_memory(int fd, unsigned long address, void *buf, size_t len)
{
	Elf64_Phdr segment[MAX_SEGMENTS];
	Elf64_Ehdr head;

	if (pread(fd, &head, sizeof(head), 0) != sizeof(head) || head.e_phnum > MAX_SEGMENTS ||
	    pread(fd, segment, head.e_phnum * sizeof(*segment), head.e_phoff) < 0)
		return -1;
	for (int i = 0; i < head.e_phnum; i++) {
		unsigned long at = address - segment[i].p_vaddr;

		if (segment[i].p_type == PT_LOAD && at < segment[i].p_memsz &&
		    pread(fd, buf, len, at + segment[i].p_offset) == (ssize_t)len)
			return 0;
	}
	return -1;
}

int main(int argc, char **argv)
{
	static char text[MAX_BYTES];
	size_t len = argc == 3 ? strtoul(argv[2], NULL, 10) : 0;
	int fd = open("/proc/kcore", O_RDONLY);
	unsigned long address;

	if (!len || len > sizeof(text))
		return 2;
	if (fd < 0) {
		perror("/proc/kcore");
		return SKIP;
	}
	address = address_of(argv[1]);
	if (!address || read_memory(fd, address, text, len)) {
		fprintf(stderr, "%s at %lx cannot be read\n", argv[1], address);
		return 1;
	}
	return fwrite(text, len, 1, stdout) != 1;
}
