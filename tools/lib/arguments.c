// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Command line parser on top of argp: adds -h for help, and error ids. */
#include <ctype.h>
#include <errno.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#include "arguments.h"
#include "errors.h"
#include "memory.h"
#include "suggest.h"

/* Those of any command, instead of argp's own. */
static const struct argp_option shared_options[] = {
	{ "help", 'h', NULL, 0, "print this text", -1 },
	{ NULL, '?', NULL, OPTION_HIDDEN, NULL, 0 },
	{ "version", 'V', NULL, 0, "print the version", -1 },
	{ 0 }
};

/* Options of a command in the form of getopt_long(). */
struct known_options {
	char *letters;
	struct option *names;
	size_t nr_names;
	bool interval;		/* the first argument */
};

/* Parser of the command, and its input. */
struct parsing {
	argp_parser_t parser;
	void *input;
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
	const struct parsing *parsing = state->input;

	if (key == ARGP_KEY_INIT)
		state->err_stream = NULL;
	/* Options are already checked, so that only an argument can be left. */
	if (key == ARGP_KEY_ERROR)
		die(ERR_TOO_MANY_ARGUMENTS, "too many arguments: '%s'", state->argv[state->next]);
	switch (key) {
	case 'h':
	case '?':
		argp_state_help(state, state->out_stream, ARGP_HELP_STD_HELP);
		return 0;
	case 'V':
		puts(argp_program_version);
		exit(EXIT_SUCCESS);
	default:
		/* argp sets its input before each call. */
		state->input = parsing->input;
		return parsing->parser ? parsing->parser(key, arg, state) : ARGP_ERR_UNKNOWN;
	}
}

static size_t count(const struct argp_option *options)
{
	size_t nr = 0;

	while (options && (options[nr].name || options[nr].key || options[nr].doc))
		nr++;
	return nr;
}

/* Return: the options plus the shared ones; the caller frees it. */
static struct argp_option *with_shared(const struct argp_option *options)
{
	size_t nr = count(options);
	struct argp_option *longer = xreallocarray(NULL, nr + NR(shared_options), sizeof(*longer));

	if (nr)
		memcpy(longer, options, nr * sizeof(*longer));
	memcpy(longer + nr, shared_options, sizeof(shared_options));
	return longer;
}

static void add_letter(struct known_options *known, int letter, int has_arg)
{
	static const char * const marks[] = { "", ":", "::" };
	char *longer = format_string("%s%c%s", known->letters, letter, marks[has_arg]);

	free(known->letters);
	known->letters = longer;
}

static void add_name(struct known_options *known, const char *name, int key, int has_arg)
{
	size_t nr = ++known->nr_names;

	known->names = xreallocarray(known->names, nr + 1, sizeof(*known->names));
	/* Suggestions begin with the dashes. */
	name = format_string("--%s", name) + strlen("--");
	known->names[nr - 1] = (struct option) { name, has_arg, NULL, key };
	known->names[nr] = (struct option) { 0 };
}

static void add_options(struct known_options *known, const struct argp_option *options)
{
	int has_arg = no_argument;

	for (size_t i = 0; i < count(options); i++) {
		const struct argp_option *option = &options[i];

		/* An alias has the argument of the option that it stands for. */
		if (!(option->flags & OPTION_ALIAS))
			has_arg = !option->arg ? no_argument :
				  option->flags & OPTION_ARG_OPTIONAL ? optional_argument :
				  required_argument;
		if (option->key > 0 && option->key < 256 && isalnum(option->key))
			add_letter(known, option->key, has_arg);
		if (option->name)
			add_name(known, option->name, option->key, has_arg);
	}
}

static void add_argp(struct known_options *known, const struct argp *argp)
{
	add_options(known, argp->options);
	for (const struct argp_child *child = argp->children; child && child->argp; child++)
		add_argp(known, child->argp);
}

static void known_options_init(struct known_options *known, const struct argp *argp, bool in_order)
{
	*known = (struct known_options) {
		.letters = xstrdup(in_order ? "+:" : ":"),
		.interval = argp->args_doc && strstr(argp->args_doc, "INTERVAL"),
	};
	add_argp(known, argp);
	add_options(known, shared_options);
}

static void known_options_free(struct known_options *known)
{
	for (size_t i = 0; i < known->nr_names; i++)
		free((char *)known->names[i].name - strlen("--"));
	free(known->letters);
	free(known->names);
}

static int next_option(const struct known_options *known, int argc, char **argv)
{
	opterr = 0;
	return getopt_long(argc, argv, known->letters, known->names, NULL);
}

/* Return: a copy, which getopt_long() may reorder; its next call begins with the first word. */
static char **start_options(int argc, char **argv)
{
	char **copy = xreallocarray(NULL, (size_t)argc + 1, sizeof(*copy));

	for (int i = 0; i < argc; i++)
		copy[i] = argv[i];
	copy[argc] = NULL;
	optind = 0;
	return copy;
}

int arguments_first(const struct argp *argp, int argc, char **argv)
{
	char **words = start_options(argc, argv);
	struct known_options known;

	known_options_init(&known, argp, true);
	while (next_option(&known, argc, words) != -1)
		;
	known_options_free(&known);
	free(words);
	return optind;
}

/* Return: the names that a word abbreviates, each after a blank; the caller frees them. */
static char *find_names(const struct known_options *known, const char *word)
{
	char *list = xstrdup("");

	for (size_t i = 0; i < known->nr_names; i++) {
		const char *name = known->names[i].name;
		char *longer;

		if (strncmp(name, word + 2, strcspn(word + 2, "=")))
			continue;
		longer = format_string("%s --%s", list, name);
		free(list);
		list = longer;
	}
	return list;
}

static const struct letter_habit *habits;

void arguments_set_habits(const struct letter_habit *table)
{
	habits = table;
}

/* Return: the name of an option with its dashes, or NULL. */
static const char *spelt(const struct known_options *known, const char *name)
{
	for (size_t i = 0; i < known->nr_names; i++)
		if (!strcmp(known->names[i].name, name))
			return known->names[i].name - strlen("--");
	return NULL;
}

static char *unknown_letter(const struct known_options *known, char letter)
{
	char other = (char)(isupper(letter) ? tolower(letter) : toupper(letter));
	const char *name = NULL;

	for (const struct letter_habit *habit = habits; habit && habit->letter && !name; habit++)
		if (habit->letter == letter)
			name = spelt(known, habit->name);
	if (name)
		return format_string("unknown option '-%c'; did you mean %s?", letter, name);
	if (strchr("dIin", letter) && known->interval)
		return format_string("unknown option '-%c'; INTERVAL and COUNT are arguments",
				     letter);
	if (isalpha(letter) && strchr(known->letters, other))
		return format_string("unknown option '-%c'; did you mean -%c?", letter, other);
	return format_string("unknown option '-%c'", letter);
}

static char *unknown_name(const struct known_options *known, const char *word)
{
	char *name = xstrdup(word), *error;
	struct suggestion suggestion;

	name[strcspn(name, "=")] = '\0';
	suggest_begin(&suggestion, name);
	for (size_t i = 0; i < known->nr_names; i++)
		suggest_name(&suggestion, known->names[i].name - strlen("--"));
	error = format_string("unknown option '%s'%s", word, suggest_end(&suggestion, ""));
	free(name);
	return error;
}

/* Return: the error, which the caller frees. @word is the last one that was read entirely. */
static char *describe_error(const struct known_options *known, int key, const char *word)
{
	bool is_name = word[0] == '-' && word[1] == '-';
	char letter[] = { '-', (char)optopt, '\0' };
	char *names, *error;

	if (key == ':')
		return format_string("option '%s' requires an argument", is_name ? word : letter);
	if (optopt > 0 && optopt < 256 && !strchr(known->letters, optopt))
		return unknown_letter(known, letter[1]);
	if (optopt)
		return format_string("option '%s' allows no argument", word);
	names = find_names(known, word);
	error = *names ? format_string("option '%s' is ambiguous:%s", word, names) :
			 unknown_name(known, word);
	free(names);
	return error;
}

/* Help and version end the program. -? is not among the known letters. */
static bool is_last(int key)
{
	return key == -1 || key == 'h' || key == 'V' || (key == '?' && optopt == '?');
}

void arguments_check(const struct argp *argp, int argc, char **argv, bool in_order)
{
	char **words = start_options(argc, argv), *error = NULL;
	struct known_options known;
	int key;

	known_options_init(&known, argp, in_order);
	do {
		key = next_option(&known, argc, words);
	} while (!is_last(key) && key != '?' && key != ':');
	if (!is_last(key))
		error = describe_error(&known, key, words[optind - 1]);
	known_options_free(&known);
	free(words);
	if (error)
		die(ERR_BAD_OPTION, "%s; try: %s --help", error, basename(argv[0]));
}

void arguments_parse(const struct argp *argp, int argc, char **argv, unsigned int flags,
		     void *input)
{
	struct argp_option *options = with_shared(argp->options);
	struct parsing parsing = { argp->parser, input };
	struct argp copy = *argp;
	error_t error;

	copy.options = options;
	copy.parser = parse;
	arguments_check(argp, argc, argv, flags & ARGP_IN_ORDER);
	error = argp_parse(&copy, argc, argv, flags | ARGP_NO_HELP, NULL, &parsing);
	free(options);
	if (error == ENOMEM)
		out_of_memory();
}

int arguments_split(int argc, char **argv, char ***command)
{
	for (int i = 1; i < argc; i++) {
		if (strcmp(argv[i], "--"))
			continue;
		*command = argv[i + 1] ? argv + i + 1 : NULL;
		argv[i] = NULL;
		return i;
	}
	return argc;
}

double arguments_seconds(const char *what, const char *arg)
{
	double seconds;
	char *end;

	seconds = strtod(arg, &end);
	/* strtod() also accepts inf, nan, 0x10 and 1e9 */
	if (strspn(arg, "0123456789.") != strlen(arg) || end == arg || *end ||
	    seconds < 0.01 || seconds > 1e6)
		die(ERR_BAD_VALUE, "bad %s '%s'; write seconds, 0.01 to 1000000", what, arg);
	return seconds;
}
