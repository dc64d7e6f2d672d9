// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* A program, a library or the kernel: the file, its debug file, names and lines. */
#include <elfutils/libdwelf.h>
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
	const char *debug = binary->search->debug;
	const unsigned char *id;
	GElf_Addr at;
	int fd;

	/* Without both, libdwfl accepts any file with a suitable name. */
	if (!link && dwfl_module_build_id(module, &id, &at) <= 0)
		return -1;
	free(binary->path);
	binary->path = format_string(":.debug:%s", debug);
	fd = dwfl_standard_find_debuginfo(module, userdata, name, base, path, link, crc, found);
	if (fd < 0) {
		free(binary->path);
		binary->path = xstrdup(debug);
		fd = dwfl_standard_find_debuginfo(module, userdata, name, base, binary->name, link,
						  crc, found);
	}
	if (fd < 0 && binary->search->urls) {
		setenv(URLS, binary->search->urls, 1);
		fd = dwfl_standard_find_debuginfo(module, userdata, name, base, binary->name, link,
						  crc, found);
		unsetenv(URLS);
		binary->fetched_debug |= fd >= 0;
	}
	/* The second file is that of dwz. */
	if (fd >= 0 && binary->debug_fd < 0)
		binary->debug_fd = fcntl(fd, F_DUPFD_CLOEXEC, 0);
	return fd;
}

static int find_elf_of(Dwfl_Module *module)
{
	void *userdata = NULL;
	char *path = NULL;
	Elf *elf = NULL;
	int fd = dwfl_build_id_find_elf(module, &userdata, "", 0, &path, &elf);

	elf_end(elf);
	free(path);
	return fd;
}

/* Return: a file with this build ID, from the debug directory or debuginfod; or -1. */
static int find_by_build_id(struct spe_binary *binary, const struct spe_object *object)
{
	Dwfl *dwfl = dwfl_begin(&binary->callbacks);
	Dwfl_Module *module;
	int fd = -1;

	free(binary->path);
	binary->path = xstrdup(binary->search->debug);
	dwfl_report_begin(dwfl);
	module = dwfl_report_module(dwfl, object->name, 0, 1);
	if (module && object->build_id_size &&
	    !dwfl_module_report_build_id(module, object->build_id, object->build_id_size, 0)) {
		fd = find_elf_of(module);
		if (fd < 0 && binary->search->urls) {
			setenv(URLS, binary->search->urls, 1);
			fd = find_elf_of(module);
			unsetenv(URLS);
			binary->fetched = fd >= 0;
		}
	}
	dwfl_end(dwfl);
	return fd;
}

/* Return: size of the build ID in a note of the program headers, 0 if absent. */
static size_t loaded_build_id(Elf *elf, const uint8_t **id)
{
	size_t nr = 0, at, name, desc;
	GElf_Phdr header;
	GElf_Nhdr note;

	elf_getphdrnum(elf, &nr);
	for (size_t i = 0; i < nr; i++) {
		Elf_Data *data;

		if (!gelf_getphdr(elf, (int)i, &header) || header.p_type != PT_NOTE)
			continue;
		data = elf_getdata_rawchunk(elf, (int64_t)header.p_offset, header.p_filesz,
					    header.p_align == 8 ? ELF_T_NHDR8 : ELF_T_NHDR);
		for (at = 0; data && (at = gelf_getnote(data, at, &note, &name, &desc)) > 0;)
			if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == 4 &&
			    !memcmp((char *)data->d_buf + name, "GNU", 4)) {
				*id = (uint8_t *)data->d_buf + desc;
				return note.n_descsz;
			}
	}
	return 0;
}

/* The kernel pads short build IDs with zeros, and truncates them to SPE_BUILD_ID_MAX bytes. */
static enum spe_binary_state check_build_id(Elf *elf, const struct spe_object *object)
{
	size_t size = object->build_id_size;
	const void *bits = NULL;
	ssize_t nr = size ? dwelf_elf_gnu_build_id(elf, &bits) : 0;
	size_t found_size = nr > 0 ? (size_t)nr : 0;
	const uint8_t *found = bits;
	bool same;

	if (!size)
		return SPE_BINARY_GOOD;
	if (!found_size)
		found_size = loaded_build_id(elf, &found);
	if (!found_size)
		return SPE_BINARY_NO_BUILD_ID;
	same = !memcmp(found, object->build_id, found_size < size ? found_size : size) &&
	       (found_size <= size || size == SPE_BUILD_ID_MAX);
	for (size_t i = found_size; i < size; i++)
		same = same && !object->build_id[i];
	return same ? SPE_BINARY_GOOD : SPE_BINARY_OTHER_BUILD;
}

/* Whether the open file is the same inode; meaningful only on the machine where it ran. */
static bool is_inode(int fd, const struct spe_object *object)
{
	struct stat st;

	return object->inode && !fstat(fd, &st) && st.st_ino == object->inode &&
	       major(st.st_dev) == object->major && minor(st.st_dev) == object->minor;
}

/* Takes the file @fd. */
static enum spe_binary_state take_file(struct spe_binary *binary, const char *path, int fd,
				       const struct spe_object *object)
{
	bool is_same = !object->ambiguous || is_inode(fd, object);
	enum spe_binary_state state;
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

static void add_segment(struct spe_binary *binary, struct spe_segment segment)
{
	struct spe_segments *segments = &binary->segments;

	segments->v = xreallocarray(segments->v, segments->nr + 1, sizeof(*segments->v));
	segments->v[segments->nr++] = segment;
}

/* A kernel module has none, only sections, whose addresses are libdwfl's. */
static void read_segments(struct spe_binary *binary)
{
	size_t nr = 0;
	GElf_Phdr header;
	GElf_Shdr place;
	Elf_Scn *section = NULL;

	elf_getphdrnum(binary->elf, &nr);
	for (size_t i = 0; i < nr; i++)
		if (gelf_getphdr(binary->elf, (int)i, &header) && header.p_type == PT_LOAD)
			add_segment(binary, (struct spe_segment) {
				header.p_offset, header.p_filesz, header.p_vaddr,
				header.p_flags & PF_X
			});
	while (!nr && (section = elf_nextscn(binary->elf, section)))
		if (gelf_getshdr(section, &place) && place.sh_flags & SHF_EXECINSTR)
			add_segment(binary, (struct spe_segment) {
				place.sh_addr, place.sh_size, place.sh_addr, true
			});
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

/* Return: whether there is a section of lines that libdw left compressed. */
static bool is_compressed(Elf *elf, GElf_Chdr *compression)
{
	GElf_Shdr header;
	Elf_Scn *section = find_section(elf, ".debug_line", &header);

	return section && header.sh_flags & SHF_COMPRESSED && gelf_getchdr(section, compression);
}

static void open_lines(struct spe_binary *binary)
{
	const struct spe_segments *segments = &binary->segments;
	Dwarf_Addr bias;
	Dwarf *dwarf = dwfl_module_getdwarf(binary->module, &bias);
	const char *error = dwarf ? NULL : dwfl_errmsg(-1);
	Elf *elf = dwarf ? dwarf_getelf(dwarf) : NULL;
	GElf_Chdr compression;
	GElf_Shdr header;
	Elf_Scn *section;
	Elf_Data *data;
	size_t nr = 0;

	if (binary->debug_fd >= 0)
		binary->debug = elf_begin(binary->debug_fd, ELF_C_READ_MMAP, NULL);
	if (is_compressed(binary->elf, &compression) ||
	    is_compressed(binary->debug, &compression))
		error = compression.ch_type == COMPRESSED_ZSTD ? "compressed by zstd" :
								 "compressed";
	else if (!find_section(dwarf ? elf : binary->elf, ".debug_line", &header))
		error = NULL;
	section = find_section(elf, ".debug_line", &header);
	data = section && !(header.sh_flags & SHF_COMPRESSED) ? elf_getdata(section, NULL) : NULL;
	if (!data && error)
		binary->trouble = xstrdup(error);
	if (!data || elf_getident(elf, NULL)[EI_DATA] != ELFDATA2LSB)
		return;
	binary->shift -= bias;
	binary->code = xreallocarray(NULL, segments->nr, sizeof(*binary->code));
	for (size_t i = 0; i < segments->nr; i++)
		if (segments->v[i].is_code)
			binary->code[nr++] = (struct spe_extent) {
				segments->v[i].address + binary->shift,
				segments->v[i].address + binary->shift + segments->v[i].size
			};
	binary->lines = spe_lines_open(data->d_buf, data->d_size, dwarf, binary->code, nr);
}

enum spe_binary_state spe_binary_open(struct spe_binary *binary, const struct spe_search *search,
				      const struct spe_object *object)
{
	char *path = format_string("%s%s", search->root, object->name);
	enum spe_binary_state state = SPE_BINARY_NO_FILE;
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);

	*binary = (struct spe_binary) {
		.search = search, .name = xstrdup(object->name), .debug_fd = -1,
		.callbacks = {
			.find_debuginfo = find_debug,
			.section_address = dwfl_offline_section_address,
			.debuginfo_path = &binary->path,
		},
	};
	if (fd >= 0)
		state = take_file(binary, path, fd, object);
	free(path);
	if (state == SPE_BINARY_NO_FILE || state == SPE_BINARY_OTHER_BUILD) {
		fd = find_by_build_id(binary, object);
		if (fd >= 0) {
			dwfl_end(binary->dwfl);
			state = take_file(binary, object->name, fd, object);
		}
	}
	if (state != SPE_BINARY_GOOD)
		return state;
	read_segments(binary);
	open_lines(binary);
	return state;
}

/* Return: the file in .gnu_debugdata, or NULL. */
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

/* Symbols that libdwfl finds without section headers, or relocates. */
static void add_by_libdwfl(struct spe_binary *binary)
{
	int nr = dwfl_module_getsymtab(binary->module);
	GElf_Addr address, bias;
	GElf_Word section;
	GElf_Sym symbol;
	Elf *elf;

	dwfl_module_getelf(binary->module, &bias);
	for (int i = 0; i < nr; i++) {
		const char *name = dwfl_module_getsym_info(binary->module, i, &symbol, &address,
							   &section, &elf, NULL);

		symbol.st_value = address - bias;
		spe_symbols_add_sym(&binary->symbols, elf, &symbol, name, &binary->segments);
	}
}

void spe_binary_read_names(struct spe_binary *binary)
{
	GElf_Ehdr header;

	if (gelf_getehdr(binary->elf, &header) && header.e_type == ET_REL) {
		add_by_libdwfl(binary);
	} else {
		binary->mini = open_mini(binary);
		if (!elf_nextscn(binary->elf, NULL))
			add_by_libdwfl(binary);
		spe_symbols_add_elf(&binary->symbols, binary->elf, &binary->segments);
		spe_symbols_add_elf(&binary->symbols, binary->debug, &binary->segments);
		spe_symbols_add_elf(&binary->symbols, binary->mini, &binary->segments);
	}
	spe_symbols_ready(&binary->symbols);
}

bool spe_binary_symbol(struct spe_binary *binary, const char *name, uint64_t *address)
{
	int nr = dwfl_module_getsymtab(binary->module);
	GElf_Addr bias, found;
	GElf_Sym symbol;

	dwfl_module_getelf(binary->module, &bias);
	for (int i = 0; i < nr; i++) {
		const char *other = dwfl_module_getsym_info(binary->module, i, &symbol, &found,
							    NULL, NULL, NULL);

		if (other && !strcmp(other, name)) {
			*address = found - bias;
			return true;
		}
	}
	return false;
}

void spe_binary_close(struct spe_binary *binary)
{
	spe_symbols_free(&binary->symbols);
	if (binary->lines)
		spe_lines_close(binary->lines);
	elf_end(binary->debug);
	elf_end(binary->mini);
	dwfl_end(binary->dwfl);
	if (binary->debug_fd >= 0)
		close(binary->debug_fd);
	free(binary->mini_bytes);
	free(binary->segments.v);
	free(binary->code);
	free(binary->name);
	free(binary->path);
	free(binary->trouble);
}

bool spe_binary_address(const struct spe_binary *binary, uint64_t offset, uint64_t *address)
{
	for (size_t i = 0; i < binary->segments.nr; i++) {
		const struct spe_segment *segment = &binary->segments.v[i];

		if (offset - segment->offset >= segment->size)
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
