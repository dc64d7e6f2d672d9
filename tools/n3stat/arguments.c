// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* The command line of every command: argp, and -h beside its -? for the help. */
#include <stdlib.h>
#include <string.h>

#include "arguments.h"
#include "common.h"

/* Of the command whose arguments are being parsed: one at a time. */
static argp_parser_t parser;

static error_t parse(int key, char *arg, struct argp_state *state)
{
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

/* Return: the options and a hidden one more, to be freed. */
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

void arguments_parse(const struct argp *argp, int argc, char **argv, unsigned int flags,
		     void *input)
{
	struct argp_option *options = with_help(argp->options);
	struct argp copy = *argp;
	error_t error;

	parser = argp->parser;
	copy.options = options;
	copy.parser = parse;
	error = argp_parse(&copy, argc, argv, flags, NULL, input);
	free(options);
	if (error)
		die(EXIT_OTHER, "cannot parse the command line: %s", strerror(error));
}
