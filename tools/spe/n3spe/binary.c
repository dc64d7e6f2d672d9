// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* A program, a library or the kernel: the file, its debug file, names and lines. */
#include <elfutils/libdwelf.h>
#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <lzma.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "binary.h"
#include "lib/memory.h"

#define URLS		"DEBUGINFOD_URLS"
#define MINI_MAX	1073741824u	/* bytes of .gnu_debugdata, decompressed */
#define LINES		".debug_line"
#define COMPRESSED_ZSTD	2		/* ELFCOMPRESS_ZSTD, which Debian 12's elf.h lacks */

void spe_search_init(struct spe_search *search, const char *root, bool debuginfod)
{
	char *real = *root ? realpath(root, NULL) : NULL;
	const char *urls = getenv(URLS);

	*search = (struct spe_search) { .root = root };
	/* libdwfl takes a relative directory as one beside the file. */
	search->debug = format_string("%s/usr/lib/debug", real ? real : root);
	if (debuginfod && urls && *urls)
		search->urls = xstrdup(urls);
	unsetenv(URLS);
	setenv("DEBUGINFOD_TIMEOUT", "10", 0);
	free(real);
}

void spe_search_free(struct spe_search *search)
{
	free(search->debug);
	free(search->urls);
}

/* Debug file of a module, or -1: by build ID, by name, by name without the root, by debuginfod. */
static int find_debug(Dwfl_Module *module, void **userdata, const char *name, Dwarf_Addr base,
		      const char *path, const char *link, GElf_Word crc, char **found)
{
	struct spe_binary *binary = *userdata;
	const struct spe_search *search = binary->search;
	const unsigned char *id;
	GElf_Addr at;
	int fd = -1;

	/* Without both, libdwfl accepts any file with a suitable name. */
	if (!link && dwfl_module_build_id(module, &id, &at) <= 0)
		return -1;
	for (int i = 0; fd < 0 && i < (search->urls ? 3 : 2); i++) {
		free(binary->path);
		binary->path = format_string("%s%s", i ? "" : ":.debug:", search->debug);
		if (i == 2)
			setenv(URLS, search->urls, 1);
		fd = dwfl_standard_find_debuginfo(module, userdata, name, base,
						  i ? binary->name : path, link, crc, found);
		unsetenv(URLS);
		binary->fetched_debug |= i == 2 && fd >= 0;
		binary->server_failed |= i == 2 && fd < -1 && fd != -ENOENT;
	}
	/* The second file is that of dwz. */
	if (fd >= 0 && !binary->debug_fd)
		binary->debug_fd = fcntl(fd, F_DUPFD_CLOEXEC, 3);
	return fd;
}

/* Return: a file with this build ID, from the debug directory or debuginfod; or -1. */
static int find_by_build_id(struct spe_binary *binary, const struct spe_object *object, size_t size)
{
	Dwfl *dwfl = dwfl_begin(&binary->callbacks);
	Dwfl_Module *module;
	void *userdata = NULL;
	int fd = -1;

	free(binary->path);
	binary->path = xstrdup(binary->search->debug);
	dwfl_report_begin(dwfl);
	module = dwfl_report_module(dwfl, object->name, 0, 1);
	if (!module || !size || dwfl_module_report_build_id(module, object->build_id, size, 0))
		module = NULL;
	for (int i = 0; module && fd < 0 && i < (binary->search->urls ? 2 : 1); i++) {
		char *path = NULL;
		Elf *elf = NULL;

		if (i)
			setenv(URLS, binary->search->urls, 1);
		fd = dwfl_build_id_find_elf(module, &userdata, "", 0, &path, &elf);
		unsetenv(URLS);
		binary->fetched = i && fd >= 0;
		binary->server_failed |= i && fd < -1 && fd != -ENOENT;
		elf_end(elf);
		free(path);
	}
	dwfl_end(dwfl);
	/* Old versions of perf pad build IDs with zeros. */
	if (fd >= 0 || !size || object->build_id[size - 1])
		return fd;
	while (size && !object->build_id[size - 1])
		size--;
	return find_by_build_id(binary, object, size);
}

/* The kernel pads short build IDs with zeros, and truncates them to SPE_BUILD_ID_MAX bytes. */
static enum spe_binary_state check_build_id(Elf *elf, const struct spe_object *object)
{
	uint8_t padded[SPE_BUILD_ID_MAX] = { 0 };
	const void *found;
	ssize_t nr = object->build_id_size ? dwelf_elf_gnu_build_id(elf, &found) : 0;

	if (nr <= 0)
		return object->build_id_size ? SPE_BINARY_NO_BUILD_ID : SPE_BINARY_GOOD;
	memcpy(padded, found, (size_t)nr < sizeof(padded) ? (size_t)nr : sizeof(padded));
	return memcmp(padded, object->build_id, sizeof(padded)) ? SPE_BINARY_OTHER_BUILD :
								  SPE_BINARY_GOOD;
}

/* Takes the file @fd. */
static enum spe_binary_state take_file(struct spe_binary *binary, const char *path, int fd,
				       const struct spe_object *object)
{
	enum spe_binary_state state;
	struct stat st;
	/* The inode is meaningful only on the machine where the file ran. */
	bool is_same = !object->ambiguous ||
		       (object->inode && !fstat(fd, &st) && st.st_ino == object->inode &&
			major(st.st_dev) == object->major && minor(st.st_dev) == object->minor);
	GElf_Addr bias;
	void **userdata;

	binary->dwfl = dwfl_begin(&binary->callbacks);
	binary->module = dwfl_report_offline(binary->dwfl, object->name, path, fd);
	dwfl_report_end(binary->dwfl, NULL, NULL);
	if (!binary->module) {
		close(fd);
		return SPE_BINARY_NO_ELF;
	}
	dwfl_module_info(binary->module, &userdata, NULL, NULL, NULL, NULL, NULL, NULL);
	*userdata = binary;
	binary->elf = dwfl_module_getelf(binary->module, &bias);
	if (!binary->elf)
		return SPE_BINARY_NO_ELF;
	binary->shift = bias;
	state = check_build_id(binary->elf, object);
	return state == SPE_BINARY_GOOD && !is_same ? SPE_BINARY_AMBIGUOUS : state;
}

/* A kernel module has none, only sections, whose addresses are libdwfl's. */
static void read_segments(struct spe_binary *binary)
{
	struct spe_segments *segments = &binary->segments;
	size_t nr = 0, nr_sections = 0;
	GElf_Phdr header;
	GElf_Shdr place;
	Elf_Scn *section = NULL;

	elf_getphdrnum(binary->elf, &nr);
	elf_getshdrnum(binary->elf, &nr_sections);
	segments->v = xreallocarray(NULL, nr ? nr : nr_sections + 1, sizeof(*segments->v));
	for (size_t i = 0; i < nr; i++)
		if (gelf_getphdr(binary->elf, (int)i, &header) && header.p_type == PT_LOAD)
			segments->v[segments->nr++] = (struct spe_segment) {
				header.p_offset, header.p_filesz, header.p_vaddr,
				header.p_flags & PF_X
			};
	while (!nr && (section = elf_nextscn(binary->elf, section)))
		if (gelf_getshdr(section, &place) && place.sh_flags & SHF_EXECINSTR)
			segments->v[segments->nr++] = (struct spe_segment) {
				place.sh_addr, place.sh_size, place.sh_addr, true
			};
}

/* Return: the section of this name, or its older compressed form, or NULL. */
static Elf_Scn *find_section(Elf *elf, const char *name, GElf_Shdr *header)
{
	Elf_Scn *section = NULL;
	const char *found;
	size_t names;

	if (!elf || elf_getshdrstrndx(elf, &names))
		return NULL;
	while ((section = elf_nextscn(elf, section))) {
		if (!gelf_getshdr(section, header) || header->sh_type == SHT_NOBITS)
			continue;
		found = elf_strptr(elf, names, header->sh_name);
		if (found && (!strcmp(found, name) ||
			      (!strncmp(found, ".z", 2) && !strcmp(found + 2, name + 1))))
			return section;
	}
	return NULL;
}

static void open_lines(struct spe_binary *binary)
{
	Dwarf_Addr bias;
	Dwarf *dwarf = dwfl_module_getdwarf(binary->module, &bias);
	const char *error = dwarf ? NULL : dwfl_errmsg(-1);
	Elf *elf = dwarf ? dwarf_getelf(dwarf) : NULL;
	GElf_Chdr compression;
	GElf_Shdr header;
	Elf_Scn *section;
	Elf_Data *data;

	if (binary->debug_fd)
		binary->debug = elf_begin(binary->debug_fd, ELF_C_READ_MMAP, NULL);
	/* libdw leaves sections compressed that it cannot read. */
	if (gelf_getchdr(find_section(binary->elf, LINES, &header), &compression) ||
	    gelf_getchdr(find_section(binary->debug, LINES, &header), &compression))
		error = compression.ch_type == COMPRESSED_ZSTD ? "compressed by zstd" :
								 "compressed";
	else if (!find_section(dwarf ? elf : binary->elf, LINES, &header))
		error = NULL;
	section = find_section(elf, LINES, &header);
	data = section && !(header.sh_flags & SHF_COMPRESSED) ? elf_getdata(section, NULL) : NULL;
	if (!data && error)
		binary->trouble = error;
	if (!data || elf_getident(elf, NULL)[EI_DATA] != ELFDATA2LSB)
		return;
	binary->shift -= bias;
	binary->lines = spe_lines_open(data->d_buf, data->d_size, dwarf, &binary->segments,
				       binary->shift);
}

bool spe_binary_open(struct spe_binary *binary, const struct spe_search *search,
		     const struct spe_object *object)
{
	char *path = format_string("%s%s", search->root, object->name);
	struct stat st;
	int fd = -1;

	*binary = (struct spe_binary) {
		.search = search, .name = xstrdup(object->name), .state = SPE_BINARY_NO_FILE,
		.callbacks = {
			.find_debuginfo = find_debug,
			.section_address = dwfl_offline_section_address,
			.debuginfo_path = &binary->path,
		},
	};
	/* A recording may name devices and files of /proc, where opening has effects. */
	errno = ENOEXEC;
	if (!stat(path, &st) && S_ISREG(st.st_mode) && st.st_size)
		fd = open(path, O_RDONLY | O_CLOEXEC);
	binary->error = errno;
	if (fd >= 0)
		binary->state = take_file(binary, path, fd, object);
	free(path);
	if (binary->state == SPE_BINARY_NO_FILE || binary->state == SPE_BINARY_OTHER_BUILD) {
		fd = find_by_build_id(binary, object, object->build_id_size);
		if (fd >= 0) {
			dwfl_end(binary->dwfl);
			binary->state = take_file(binary, object->name, fd, object);
		}
	}
	if (binary->state != SPE_BINARY_GOOD)
		return false;
	read_segments(binary);
	open_lines(binary);
	return true;
}

/* Return: the file in .gnu_debugdata, or NULL; libdwfl uses none beside a symbol table. */
static Elf *open_mini(struct spe_binary *binary)
{
	GElf_Shdr header;
	Elf_Scn *section = find_section(binary->elf, ".gnu_debugdata", &header);
	Elf_Data *data = section ? elf_rawdata(section, NULL) : NULL;
	lzma_ret result = LZMA_BUF_ERROR;

	for (size_t max = data ? 8 * data->d_size + 1 : MINI_MAX;
	     result == LZMA_BUF_ERROR && max < MINI_MAX; max *= 4) {
		uint64_t memory = MINI_MAX;
		size_t in = 0, size = 0;

		binary->mini_bytes = xreallocarray(binary->mini_bytes, max, 1);
		result = lzma_stream_buffer_decode(&memory, 0, NULL, data->d_buf, &in,
						   data->d_size, binary->mini_bytes, &size, max);
		if (result == LZMA_OK)
			return elf_memory(binary->mini_bytes, size);
	}
	return NULL;
}

bool spe_binary_symbol(struct spe_binary *binary, const char *name, uint64_t *address)
{
	int nr = dwfl_module_getsymtab(binary->module);
	GElf_Addr found, bias;
	GElf_Word section;
	GElf_Sym symbol;
	Elf *elf;

	dwfl_module_getelf(binary->module, &bias);
	for (int i = 0; i < nr; i++) {
		const char *other = dwfl_module_getsym_info(binary->module, i, &symbol, &found,
							    &section, &elf, NULL);

		symbol.st_value = found - bias;
		*address = symbol.st_value;
		if (name && other && !strcmp(other, name))
			return true;
		if (!name)
			spe_symbols_add_sym(&binary->symbols, elf, &symbol, other,
					    &binary->segments);
	}
	return false;
}

void spe_binary_read_names(struct spe_binary *binary)
{
	GElf_Ehdr header;
	bool is_module = gelf_getehdr(binary->elf, &header) && header.e_type == ET_REL;
	uint64_t address;

	if (is_module || !elf_nextscn(binary->elf, NULL))
		spe_binary_symbol(binary, NULL, &address);
	if (!is_module) {
		binary->mini = open_mini(binary);
		spe_symbols_add_elf(&binary->symbols, binary->elf, &binary->segments);
		spe_symbols_add_elf(&binary->symbols, binary->debug, &binary->segments);
		spe_symbols_add_elf(&binary->symbols, binary->mini, &binary->segments);
	}
	spe_symbols_ready(&binary->symbols, NULL, NULL);
}

void spe_binary_close(struct spe_binary *binary)
{
	spe_symbols_free(&binary->symbols);
	if (binary->lines)
		spe_lines_close(binary->lines);
	elf_end(binary->debug);
	elf_end(binary->mini);
	dwfl_end(binary->dwfl);
	if (binary->debug_fd)
		close(binary->debug_fd);
	free(binary->mini_bytes);
	free(binary->segments.v);
	free(binary->name);
	free(binary->path);
	*binary = (struct spe_binary) { 0 };
}

bool spe_binary_address(const struct spe_binary *binary, uint64_t offset, uint64_t *address)
{
	for (size_t i = 0; i < binary->segments.nr; i++) {
		const struct spe_segment *segment = &binary->segments.v[i];

		if (!segment->is_code || offset - segment->offset >= segment->size)
			continue;
		*address = offset - segment->offset + segment->address;
		return true;
	}
	return false;
}

bool spe_binary_line(struct spe_binary *binary, uint64_t address, const char **file, int *line)
{
	uint64_t loaded;

	return binary->lines && spe_binary_address(binary, address, &loaded) &&
	       spe_lines_find(binary->lines, loaded + binary->shift, file, line);
}
