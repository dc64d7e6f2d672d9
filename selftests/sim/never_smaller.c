// SPDX-License-Identifier: GPL-2.0
/*
 * never_smaller READS STOP FILE... - opens and reads flat keyed files in turn, READS times or
 * more and until the file STOP exists. Prints each number that is smaller than in the read
 * before and each key of a file "time" that has disappeared, and last a line "reads NUMBER".
 * Other keys may be absent, as events may be distrusted and the setting replicates may be 0.
 */
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MAX_KEYS	128
#define MAX_KEY		64

struct key {
	unsigned __int128 number;
	char name[MAX_KEY];
	unsigned long read;	/* the newest that has it */
};

struct file {
	const char *name;
	unsigned int nr;
	struct key key[MAX_KEYS];
};

static struct key *find_key(struct file *file, const char *name)
{
	unsigned int i;

	for (i = 0; i < file->nr && strcmp(file->key[i].name, name); i++)
		;
	if (i == MAX_KEYS || strlen(name) >= MAX_KEY) {
		printf("%s: too many keys, or too long: %s\n", file->name, name);
		exit(1);
	}
	if (i == file->nr)
		strcpy(file->key[file->nr++].name, name);
	return &file->key[i];
}

static void check_line(struct file *file, char *line, unsigned long read)
{
	char *digit = strchr(line, ' ');
	unsigned __int128 number = 0;
	struct key *key;

	if (!digit) {
		printf("%s: not a key and a number: %s\n", file->name, line);
		return;
	}
	for (*digit++ = '\0'; *digit; digit++)
		number = 10 * number + *digit - '0';
	key = find_key(file, line);
	if (number < key->number)
		printf("%s: %s is smaller by %llu\n", file->name, key->name,
		       (unsigned long long)(key->number - number));
	key->number = number;
	key->read = read;
}

static void check_file(struct file *file, unsigned long read)
{
	int fd = open(file->name, O_RDONLY);
	static char text[65536];
	ssize_t size = fd < 0 ? -1 : pread(fd, text, sizeof(text) - 1, 0);
	char *line, *next = text;

	if (size < 0) {
		perror(file->name);
		exit(1);
	}
	close(fd);
	text[size] = '\0';
	while ((line = strsep(&next, "\n")) && *line)
		check_line(file, line, read);
	for (unsigned int i = 0; i < file->nr && strstr(file->name, "/time"); i++) {
		if (file->key[i].read == read || !file->key[i].read)
			continue;
		printf("%s: %s has disappeared\n", file->name, file->key[i].name);
		file->key[i].read = 0;
	}
}

int main(int argc, char **argv)
{
	unsigned int nr_files = argc - 3;
	struct file *files = argc > 3 ? calloc(nr_files, sizeof(*files)) : NULL;
	unsigned long reads = 0;

	if (!files) {
		fprintf(stderr, "usage: never_smaller READS STOP FILE...\n");
		return 2;
	}
	for (unsigned int i = 0; i < nr_files; i++)
		files[i].name = argv[i + 3];
	while (reads < strtoul(argv[1], NULL, 10) || access(argv[2], F_OK))
		for (unsigned int i = 0; i < nr_files; i++)
			check_file(&files[i], ++reads);
	printf("reads %lu\n", reads);
	return 0;
}
