// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Command line parser on top of argp: adds -h for help, and error ids. */
#include <stdlib.h>
#include <string.h>

#include "arguments.h"
#include "util.h"

/* Parser of the current command. */
static argp_parser_t parser;

static error_t parse(int key, char *arg, struct argp_state *state)
{
	/* Without it argp returns instead of exiting; getopt still reports the option. */
	if (key == ARGP_KEY_INIT)
		state->err_stream = NULL;
	if (key == ARGP_KEY_ERROR)
		die(ERR_BAD_OPTION, "bad command line; try: %s --help", state->name);
	if (key != 'h')
		return parser ? parser(key, arg, state) : ARGP_ERR_UNKNOWN;
	argp_state_help(state, state->out_stream, ARGP_HELP_STD_HELP);
	return 0;
}

static size_t count(const struct argp_option *options)
{
	size_t nr = 0;

	while (options && (options[nr].name || options[nr].key || options[nr].doc))
		nr++;
	return nr;
}

/* Return: the options plus a hidden -h; the caller frees it. */
static struct argp_option *with_help(const struct argp_option *options)
{
	size_t nr = count(options);
	struct argp_option *longer = xreallocarray(NULL, nr + 2, sizeof(*longer));

	if (nr)
		memcpy(longer, options, nr * sizeof(*longer));
	longer[nr] = (struct argp_option) { .key = 'h', .flags = OPTION_HIDDEN };
	longer[nr + 1] = (struct argp_option) { 0 };
	return longer;
}

static const struct argp_option *find_option(const struct argp *argp,
					     bool (*is_meant)(const struct argp_option *option,
							      const char *arg),
					     const char *arg)
{
	const struct argp_option *found = NULL;

	for (size_t i = 0; i < count(argp->options); i++)
		if (is_meant(&argp->options[i], arg))
			return &argp->options[i];
	for (const struct argp_child *child = argp->children; child && child->argp && !found; child++)
		found = find_option(child->argp, is_meant, arg);
	return found;
}

static bool is_short(const struct argp_option *option, const char *arg)
{
	return option->key == *arg;
}

/* A long option may be abbreviated; getopt rejects ambiguous ones. */
static bool is_long(const struct argp_option *option, const char *arg)
{
	return option->name && !strncmp(option->name, arg, strlen(arg));
}

/* Return: whether the next word is the argument of an option in this word. */
static bool takes_next(const struct argp *argp, const char *word)
{
	const struct argp_option *option = NULL;

	if (word[1] == '-') {
		if (!strchr(word, '='))
			option = find_option(argp, is_long, word + 2);
		return option && option->arg && !(option->flags & OPTION_ARG_OPTIONAL);
	}
	while (*++word) {
		option = find_option(argp, is_short, word);
		if (option && option->arg)
			return !word[1] && !(option->flags & OPTION_ARG_OPTIONAL);
	}
	return false;
}

int arguments_first(const struct argp *argp, int argc, char **argv)
{
	int at = 1;

	while (at < argc && argv[at][0] == '-' && argv[at][1]) {
		if (!strcmp(argv[at], "--"))
			return at + 1;
		at += 1 + takes_next(argp, argv[at]);
	}
	return at;
}

/* Return: whether an argument is the option "json" of a command that has it. */
static bool is_json(const struct argp_option *options, const char *arg)
{
	for (size_t i = 0; i < count(options); i++)
		if (options[i].name && !strcmp(options[i].name, "json"))
			return (!strncmp(arg, "--j", 3) && is_long(&options[i], arg + 2)) ||
			       (*arg == '-' && arg[1] == options[i].key && !arg[2]);
	return false;
}

/* Needed before the options are parsed, as parsing may fail. */
static bool wants_json(const struct argp *argp, int argc, char **argv)
{
	for (int i = 1; i < argc && strcmp(argv[i], "--"); i++)
		if (is_json(argp->options, argv[i]))
			return true;
	return false;
}

void arguments_parse(const struct argp *argp, int argc, char **argv, unsigned int flags,
		     void *input)
{
	struct argp_option *options = with_help(argp->options);
	struct argp copy = *argp;
	error_t error;

	if (wants_json(argp, argc, argv))
		errors_in_json(true);
	parser = argp->parser;
	copy.options = options;
	copy.parser = parse;
	error = argp_parse(&copy, argc, argv, flags, NULL, input);
	free(options);
	if (error)
		die(ERR_SYSTEM_ERROR, "cannot parse the command line: %s", strerror(error));
}
