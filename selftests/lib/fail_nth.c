// SPDX-License-Identifier: GPL-2.0
/*
 * fail_nth [OPTION]... load MODULE [PARAMETER=VALUE]...
 * fail_nth [OPTION]... write FILE TEXT
 *
 * Repeats the operation with the first allocation failing, then the second, until
 * no allocation is left to fail. After each failure the operation is repeated
 * without a failing allocation, which must work. A loaded module is unloaded again.
 *
 *	-b N		start with the Nth allocation (1)
 *	-s N		and continue in steps of N (1)
 *	-t TASK		allocations fail in the task with that ID, not in this one
 *	-u FILE=TEXT	written after each try, to undo it
 *
 * Prints the number of failures, by error. Needs FAULT_INJECTION:
 * Documentation/fault-injection/fault-injection.rst.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#define PARAMETERS_SIZE	4096
#define NR_ERRNOS	134
#define MAX_NR		100000

static char fail_path[64] = "/proc/thread-self/fail-nth";
static const char *undo_file, *undo_text;

static bool loads;			/* or writes */
static const char *target;		/* module or file */
static char parameters[PARAMETERS_SIZE];	/* or text */

static void die(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vfprintf(stderr, format, args);
	va_end(args);
	fprintf(stderr, ": %s\n", strerror(errno));
	exit(1);
}

/* Returns 0 or an errno. */
static int write_file(const char *file, const char *text)
{
	int fd = open(file, O_WRONLY);
	int err = 0;

	if (fd < 0)
		die("%s", file);
	if (write(fd, text, strlen(text)) < 0)
		err = errno;
	close(fd);
	return err;
}

static void set_fail_nth(int fd, unsigned int nr)
{
	char text[16];
	int len = snprintf(text, sizeof(text), "%u", nr);

	if (pwrite(fd, text, len, 0) != len)
		die("%s", fail_path);
}

static unsigned int get_fail_nth(int fd)
{
	char text[16] = "";

	if (pread(fd, text, sizeof(text) - 1, 0) < 0)
		die("%s", fail_path);
	return strtoul(text, NULL, 10);
}

static const char *module_name(void)
{
	static char name[64];
	const char *base = strrchr(target, '/');

	snprintf(name, sizeof(name), "%s", base ? base + 1 : target);
	*strchrnul(name, '.') = '\0';
	return name;
}

/* Loads or writes once; returns 0 or an errno. @fd: of the module or of the file */
static int act(int fd)
{
	if (loads)
		return syscall(SYS_finit_module, fd, parameters, 0) ? errno : 0;
	return pwrite(fd, parameters, strlen(parameters), 0) < 0 ? errno : 0;
}

static void undo(void)
{
	int err;

	if (loads && syscall(SYS_delete_module, module_name(), O_NONBLOCK))
		die("cannot unload %s", module_name());
	if (undo_file) {
		err = write_file(undo_file, undo_text);
		if (err) {
			errno = err;
			die("%s", undo_file);
		}
	}
}

/* Returns whether an allocation with that number took place. */
static bool try_with(unsigned int nr, unsigned int *seen)
{
	int fail = open(fail_path, O_RDWR);
	int fd = open(target, loads ? O_RDONLY : O_WRONLY);
	unsigned int left;
	int err;

	if (fail < 0)
		die("%s", fail_path);
	if (fd < 0)
		die("%s", target);

	set_fail_nth(fail, nr);
	err = act(fd);
	left = get_fail_nth(fail);
	set_fail_nth(fail, 0);

	if (err && left) {
		errno = err;
		die("failed although allocation %u did not", nr);
	}
	seen[err < NR_ERRNOS ? err : 0]++;
	if (err) {
		err = act(fd);
		errno = err;
		if (err)
			die("does not work after failure %u", nr);
	}
	undo();

	close(fd);
	close(fail);
	return !left;
}

static void give_usage(void)
{
	fprintf(stderr, "%s [-b N] [-s N] [-t TASK] [-u FILE=TEXT] load|write TARGET ...\n",
		"usage: fail_nth");
	exit(2);
}

static void parse_undo(char *text)
{
	char *equals = strchr(text, '=');

	if (!equals)
		give_usage();
	*equals = '\0';
	undo_file = text;
	undo_text = equals + 1;
}

int main(int argc, char **argv)
{
	unsigned int nr = 1, step = 1, tries = 0, err;
	unsigned int seen[NR_ERRNOS] = {};
	bool more = true;
	int opt;

	while ((opt = getopt(argc, argv, "+b:s:t:u:")) != -1) {
		switch (opt) {
		case 'b':
			nr = strtoul(optarg, NULL, 10);
			break;
		case 's':
			step = strtoul(optarg, NULL, 10);
			break;
		case 't':
			snprintf(fail_path, sizeof(fail_path), "/proc/%s/task/%s/fail-nth", optarg,
				 optarg);
			break;
		case 'u':
			parse_undo(optarg);
			break;
		default:
			give_usage();
		}
	}
	if (argc - optind < 2 || !step)
		give_usage();
	loads = !strcmp(argv[optind], "load");
	target = argv[optind + 1];
	for (optind += 2; optind < argc; optind++) {
		strncat(parameters, argv[optind], sizeof(parameters) - strlen(parameters) - 2);
		if (optind + 1 < argc)
			strcat(parameters, " ");
	}

	for (; more && nr <= MAX_NR; nr += step, tries++)
		more = try_with(nr, seen);

	printf("tries %u, up to allocation %u%s:", tries, nr - step, more ? "" : " (the last)");
	for (err = 0; err < NR_ERRNOS; err++)
		if (seen[err])
			printf(" %s %u", err ? strerrorname_np(err) : "done", seen[err]);
	printf("\n");
	return 0;
}
