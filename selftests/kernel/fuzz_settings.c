// SPDX-License-Identifier: GPL-2.0
/*
 * fuzz_settings SEED WRITES RANGES DIRECTORY
 * fuzz_settings SEED LOADS RANGES DIRECTORY MODULE PARAMETER...
 *
 * Writes generated texts to all writable files in the directory: valid ones,
 * mutated ones, and garbage. After each write the file must contain a valid
 * setting: the text if it was accepted, the previous setting if it was refused.
 * Prints the number of accepted and refused texts, by errno.
 *
 * With a module, loads it with such a text as an additional parameter. If it loads
 * its settings must be valid, and it is unloaded again. If not the directory must
 * not exist.
 *
 * RANGES is a file of lines "setting default lowest highest", as in settings.tsv, with one for
 * each word of groups.
 */
#define _GNU_SOURCE
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#define MAX_TEXT	6000
#define MAX_SHOWN	4096
#define MAX_WORDS	64
#define LONGEST_WINDOW_MS	60000

enum kind { NUMBER, WORD, WORDS, CPUS };

struct setting {
	const char *name;
	enum kind kind;
	long min, max;			/* NUMBER: from RANGES */
	bool zero;			/* NUMBER: 0 is valid, too */
	const char *words[MAX_WORDS];	/* WORD, WORDS; of groups from RANGES */
	int fd;
	char before[MAX_SHOWN];
};

static struct setting settings[] = {
	{ .name = "enable", .kind = NUMBER },
	{ .name = "slice_ms", .kind = NUMBER },
	{ .name = "window_ms", .kind = NUMBER },
	{ .name = "reserved_counters", .kind = NUMBER },
	{ .name = "replicates", .kind = NUMBER },
	{ .name = "container_pieces", .kind = NUMBER, .zero = true },
	{ .name = "contention", .kind = WORD, .words = { "yield", "share" } },
	{ .name = "switch", .kind = WORD, .words = { "auto", "in-place", "perf" } },
	{ .name = "groups", .kind = WORDS },
	{ .name = "custom", .kind = WORDS,
	  .words = { "none", "l1d_cache", "L1D_CACHE_REFILL", "0x0066", "0x11", "cpu_cycles",
		     "imp_stall_backend_mcq", "br_mis_pred", "0xffff", "chain", "dead" } },
	{ .name = "anchors", .kind = WORDS,
	  .words = { "auto", "none", "stall_slot_backend", "INST_RETIRED", "0x0066", "0x11",
		     "imp_stall_backend_mcq", "br_mis_pred", "0xffff", "chain", "dead" } },
	{ .name = "distrust", .kind = WORDS,
	  .words = { "none", "stall_slot_frontend", "STALL_SLOT", "INST_RETIRED", "0x0066", "0x11",
		     "imp_stall_backend_mcq", "br_mis_pred", "0xffff", "chain", "dead" } },
	{ .name = "cpus", .kind = CPUS },
};

#define ARRAY_SIZE(array)	(sizeof(array) / sizeof((array)[0]))
#define NR_SETTINGS		ARRAY_SIZE(settings)

static struct setting *find_setting(const char *name)
{
	unsigned int i;

	for (i = 0; i < NR_SETTINGS; i++)
		if (!strcmp(settings[i].name, name))
			return &settings[i];
	return NULL;
}

static void read_range(const char *line)
{
	static unsigned int nr_groups;
	struct setting *setting;
	char name[32], word[32];
	long min, max;
	int nr = sscanf(line, "%31s %31s %ld %ld", name, word, &min, &max);

	setting = nr >= 2 ? find_setting(name) : NULL;
	if (setting && nr == 4) {
		setting->min = min;
		setting->max = max;
	} else if (setting && !strcmp(name, "groups") && nr_groups < MAX_WORDS - 1) {
		setting->words[nr_groups++] = strdup(word);
	}
}

/* Returns whether every number now has a range, and groups have words. */
static bool read_ranges(const char *path)
{
	FILE *file = fopen(path, "r");
	bool complete = true;
	char line[256];
	unsigned int i;

	if (!file)
		return false;
	while (fgets(line, sizeof(line), file))
		read_range(line);
	fclose(file);
	for (i = 0; i < NR_SETTINGS; i++)
		complete &= settings[i].kind == NUMBER ? settings[i].max > settings[i].min :
			    settings[i].kind == CPUS || settings[i].words[0];
	return complete;
}

static unsigned long long state;

/* splitmix64 */
static unsigned long long random_word(void)
{
	unsigned long long z = state += 0x9e3779b97f4a7c15;

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
	z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
	return z ^ (z >> 31);
}

static unsigned int below(unsigned int limit)
{
	return random_word() % limit;
}

static unsigned int nr_words(const struct setting *setting)
{
	unsigned int nr = 0;

	while (setting->words[nr])
		nr++;
	return nr;
}

static size_t make_number(char *text, const struct setting *setting)
{
	static const long long odd[] = { -1, 0, 1, 31, 32, 255, 10000, 10001, 65536, INT_MAX,
					 1LL << 31, UINT_MAX, 1LL << 32, LLONG_MAX, LLONG_MIN };
	long long number = setting->min + below(setting->max - setting->min + 2);

	if (!below(4))
		number = odd[below(ARRAY_SIZE(odd))];
	return sprintf(text, below(20) ? "%lld" : "0%llo", number);
}

static size_t make_words(char *text, const struct setting *setting)
{
	static const char * const separators[] = { " ", ",", "\t", ", ", "\n", ",," };
	unsigned int nr = setting->kind == WORD ? 1 : 1 + below(6);
	size_t len = 0;

	while (nr--) {
		len += sprintf(text + len, "%s", setting->words[below(nr_words(setting))]);
		if (nr)
			len += sprintf(text + len, "%s", separators[below(6)]);
	}
	return len;
}

static size_t make_cpus(char *text)
{
	unsigned int nr = 1 + below(3);
	size_t len = 0;

	if (!below(4))
		return sprintf(text, "all");
	while (nr--) {
		len += sprintf(text + len, "%u", below(6));
		if (below(2))
			len += sprintf(text + len, "-%u", below(6));
		if (!below(8))
			len += sprintf(text + len, ":%u/%u", below(4), below(4));
		if (nr)
			text[len++] = ',';
	}
	text[len] = '\0';
	return len;
}

static size_t garbage(char *text)
{
	size_t len = below(8) ? below(64) : below(MAX_TEXT - 64);
	size_t i;

	for (i = 0; i < len; i++)
		text[i] = below(2) ? random_word() : "0123456789 \t\n,-xa"[below(17)];
	return len;
}

/* One to three changes: a byte replaced, removed or inserted, or the text doubled. */
static size_t mutate(char *text, size_t len)
{
	unsigned int times = 1 + below(3);
	size_t at;

	while (times--) {
		at = len ? below(len) : 0;
		switch (below(4)) {
		case 0:
			if (len)
				text[at] = random_word();
			break;
		case 1:
			if (len)
				memmove(text + at, text + at + 1, --len - at);
			break;
		case 2:
			memmove(text + at + 1, text + at, len++ - at);
			text[at] = " ,-\n\t\0x19"[below(9)];
			break;
		default:
			memcpy(text + len, text, len < 512 ? len : 0);
			len += len < 512 ? len : 0;
		}
	}
	return len;
}

static size_t make_text(char *text, const struct setting *setting)
{
	size_t len;

	if (!below(8))
		return garbage(text);

	switch (setting->kind) {
	case NUMBER:
		len = make_number(text, setting);
		break;
	case CPUS:
		len = make_cpus(text);
		break;
	default:
		len = make_words(text, setting);
	}
	if (below(2))
		text[len++] = '\n';
	return below(3) ? len : mutate(text, len);
}

static void get(struct setting *setting, char *text)
{
	ssize_t len = pread(setting->fd, text, MAX_SHOWN - 1, 0);

	if (len < 0) {
		perror(setting->name);
		exit(1);
	}
	text[len] = '\0';
}

/* Two rotations of long slices can need a window longer than the maximum. */
static long most_shown(const struct setting *setting)
{
	return strcmp(setting->name, "window_ms") ? setting->max : LONGEST_WINDOW_MS;
}

static bool is_number(const struct setting *setting, const char *text)
{
	char *end;
	long number = strtol(text, &end, 10);

	if (!isdigit(text[0]) || end[0] != '\n' || end[1])
		return false;
	return (setting->zero && !number) ||
	       (number >= setting->min && number <= most_shown(setting));
}

/* The name of a known event or group, or a number. */
static bool is_name(const char *word)
{
	size_t len = 0;

	while (isalnum((unsigned char)word[len]) || word[len] == '_')
		len++;
	return len && !word[len];
}

static bool has_word(const struct setting *setting, const char *word)
{
	unsigned int i;

	for (i = 0; i < nr_words(setting); i++)
		if (!strcmp(setting->words[i], word))
			return true;
	return false;
}

static bool are_words(const struct setting *setting, const char *shown)
{
	char text[MAX_SHOWN], *rest = text, *word;
	bool exact = setting->kind == WORD || !strcmp(setting->name, "groups");

	strcpy(text, shown);
	if (!*text || text[strlen(text) - 1] != '\n')
		return false;
	text[strlen(text) - 1] = '\0';
	while ((word = strsep(&rest, " ")))
		if (exact ? !has_word(setting, word) : !is_name(word))
			return false;
	return true;
}

static bool is_valid(const struct setting *setting, const char *text)
{
	switch (setting->kind) {
	case NUMBER:
		return is_number(setting, text);
	case CPUS:
		return isdigit(text[0]) && strspn(text, "0123456789,-") == strlen(text) - 1;
	default:
		return are_words(setting, text);
	}
}

/* An accepted number is shown as it was written, apart from whitespace. */
static bool is_taken(const struct setting *setting, const char *text, size_t len, const char *now)
{
	char copy[MAX_TEXT], *end;

	if (setting->kind != NUMBER || !strcmp(setting->name, "window_ms"))
		return true;
	memcpy(copy, text, len);
	copy[len] = '\0';
	return strtoul(copy, &end, 10) == strtoul(now, NULL, 10);
}

static void show(const char *text, size_t len)
{
	size_t i;

	for (i = 0; i < len && i < 80; i++)
		printf(isprint((unsigned char)text[i]) ? "%c" : "\\%03o", (unsigned char)text[i]);
	printf("\n");
}

/* Returns 0, the errno of a refused write, or -1 on a failed check. */
static int try_one(struct setting *setting, unsigned long nr)
{
	char text[MAX_TEXT + 1024], now[MAX_SHOWN];
	size_t len = make_text(text, setting);
	int err = 0;

	get(setting, setting->before);
	if (pwrite(setting->fd, text, len, 0) < 0)
		err = errno;
	get(setting, now);

	if (is_valid(setting, now) &&
	    (err || !len ? !strcmp(now, setting->before) : is_taken(setting, text, len, now)))
		return err;

	printf("%s: write %lu of %zu bytes (error %d): ", setting->name, nr, len, err);
	show(text, len);
	printf("before: %snow: %s", setting->before, now);
	return -1;
}

static int open_all(const char *directory)
{
	char path[PATH_MAX];
	unsigned int i;

	for (i = 0; i < NR_SETTINGS; i++) {
		snprintf(path, sizeof(path), "%s/%s", directory, settings[i].name);
		settings[i].fd = open(path, O_RDWR);
		if (settings[i].fd < 0)
			return -1;
	}
	return 0;
}

static void close_all(void)
{
	unsigned int i;

	for (i = 0; i < NR_SETTINGS; i++)
		close(settings[i].fd);
}

/* Whether all settings of a module that was just loaded are valid: 0 or -1. Unloads it. */
static int check_loaded(const char *directory, const char *name, const char *parameters)
{
	char now[MAX_SHOWN];
	unsigned int i;
	int wrong = 0;

	if (open_all(directory)) {
		perror(directory);
		return -1;
	}
	for (i = 0; i < NR_SETTINGS; i++) {
		get(&settings[i], now);
		if (!is_valid(&settings[i], now)) {
			printf("loaded with %s, %s is %s", parameters, settings[i].name, now);
			wrong = -1;
		}
	}
	close_all();
	if (syscall(SYS_delete_module, name, O_NONBLOCK)) {
		perror(name);
		wrong = -1;
	}
	return wrong;
}

/* Returns as try_one(). */
static int load_one(const char *module, const char *directory, const char *fixed)
{
	struct setting *setting = &settings[below(NR_SETTINGS)];
	char text[MAX_TEXT + 1024], parameters[MAX_TEXT + 4096], name[64];
	const char *base = strrchr(module, '/');
	int err = 0, fd = open(module, O_RDONLY);

	if (fd < 0) {
		perror(module);
		exit(1);
	}
	text[make_text(text, setting)] = '\0';
	snprintf(parameters, sizeof(parameters), "%s %s=\"%.1000s\"", fixed, setting->name, text);
	if (syscall(SYS_finit_module, fd, parameters, 0))
		err = errno;
	close(fd);

	snprintf(name, sizeof(name), "%s", base ? base + 1 : module);
	*strchrnul(name, '.') = '\0';
	if (!err)
		return check_loaded(directory, name, parameters);
	if (access(directory, F_OK))
		return err;
	printf("not loaded with %s (error %d), but %s exists\n", parameters, err, directory);
	return -1;
}

/*
 * Sampling is disabled most of the time: that is faster, and most texts are
 * validated independently of sampling.
 */
static void mostly_disable(void)
{
	if (below(16))
		pwrite(settings[0].fd, "0", 1, 0);
}

int main(int argc, char **argv)
{
	unsigned long nr, times, seen[256] = {}, wrong = 0;
	char fixed[1024] = "";
	unsigned int i;
	int err, arg;

	if (argc < 5) {
		fprintf(stderr, "usage: fuzz_settings SEED TIMES RANGES DIRECTORY %s\n",
			"[MODULE [PARAMETER]...]");
		return 2;
	}
	state = strtoull(argv[1], NULL, 10);
	times = strtoul(argv[2], NULL, 10);
	if (!read_ranges(argv[3])) {
		fprintf(stderr, "%s: not a range for each number\n", argv[3]);
		return 2;
	}
	for (arg = 6; arg < argc; arg++) {
		strncat(fixed, argv[arg], sizeof(fixed) - strlen(fixed) - 2);
		strcat(fixed, " ");
	}
	if (argc == 5 && open_all(argv[4])) {
		perror(argv[4]);
		return 1;
	}

	for (nr = 0; nr < times && wrong < 10; nr++) {
		if (argc == 5 && nr % 8 == 0)
			mostly_disable();
		err = argc == 5 ? try_one(&settings[below(NR_SETTINGS)], nr) :
				  load_one(argv[5], argv[4], fixed);
		if (err < 0)
			wrong++;
		else
			seen[err & 255]++;
	}

	printf("times %lu wrong %lu taken %lu", nr, wrong, seen[0]);
	for (i = 1; i < 256; i++)
		if (seen[i])
			printf(" %s %lu", strerrorname_np(i), seen[i]);
	printf("\n");
	return wrong ? 1 : 0;
}
