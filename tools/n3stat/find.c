// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* n3stat find: the tree, then the commands that find its code. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "commands.h"
#include "lib/arguments.h"
#include "lib/child.h"
#include "lib/memory.h"
#include "lib/text.h"
#include "reader/errors.h"
#include "reader/path_advice.h"
#include "reader/telemetry.h"
#include "tree.h"

#define AND		" && "
/* Own time of functions, as text. */
#define PERF_REPORT	"perf report"
#define PERF_OPTIONS	" --stdio --no-children -g none --percent-limit 1"

static const char doc[] =
	"Find the functions that lose the most: print the decision tree, record samples by SPE or "
	"else by perf, and report their functions. Each command is shown before it runs."
	"\vThe code is that of the first place or of the processes. The recording is perf.data in "
	"the current directory. The commands run with the rights of the user.";

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
	if (key == ARGP_KEY_INIT)
		for (size_t i = 0; i < 3; i++)
			state->child_inputs[i] = state->input;
	if (key == ARGP_KEY_ARG)
		die(ERR_TOO_MANY_ARGUMENTS, "too many arguments: '%s'", arg);
	return key == ARGP_KEY_INIT ? 0 : ARGP_ERR_UNKNOWN;
}

static void __noreturn neither(const struct advice_facts *facts, const char *metric,
			       bool has_spe)
{
	const char *spe = "SPE cannot be used on these CPUs (n3stat spe info)";

	if (facts->spe)
		spe = has_spe ? "SPE has no samples of it" : "n3spe is not installed";
	die(ERR_NOT_INSTALLED, "no functions for %s: no command 'perf' in PATH, and %s", metric,
	    spe);
}

/* Return: the commands, joined by AND, or NULL if they would be of another machine. */
static char *choose_commands(const struct options *options, const struct tree_end *end)
{
	struct advice_facts facts = path_facts(&end->place), usable;
	bool has_spe = has_spe_command();
	char *text;

	facts.where = end->where;
	usable = facts;
	usable.spe &= has_spe;
	text = path_find_it_text(end->metric, &usable, &end->place);
	if (facts.simulated || (!source_is_live(&telemetry) && !options->proc)) {
		printf("\nnot run, as %s: %s\n", facts.simulated ?
		       "the counts are simulated" : "this is a copy", text);
		free(text);
		return NULL;
	}
	if (!strncmp(text, "perf ", strlen("perf ")) && !child_has_command("perf"))
		neither(&facts, end->metric, has_spe);
	return text;
}

/* Return: the exit status of the first command that fails, or 0. */
static int run_all(char *commands)
{
	char *next, *line;
	int status = 0;

	for (char *command = commands; command && !status; command = next) {
		next = strstr(command, AND);
		if (next) {
			*next = '\0';
			next += strlen(AND);
		}
		line = format_string("%s%s", command,
				     strcmp(command, PERF_REPORT) ? "" : PERF_OPTIONS);
		printf("\n$ %s\n", line);
		status = run_command(line);
		free(line);
	}
	return status;
}

static void show_tree(int argc, char **argv)
{
	printf("$ n3stat tree");
	for (int i = 1; i < argc; i++) {
		char *word;

		/* for processes alone */
		if (!strcmp(argv[i], "--proc") && ++i)
			continue;
		word = shell_word(argv[i]);

		printf(" %s", word);
		free(word);
	}
	putchar('\n');
}

int command_find(int argc, char **argv)
{
	static const struct argp_child children[] = {
		{ &options_places, 0, NULL, 0 },
		{ &options_source, 0, NULL, 0 },
		{ &options_who, 0, NULL, 0 },
		{ 0 }
	};
	static const struct argp argp = { NULL, parse_option, NULL, doc, children, NULL, NULL };
	struct options options = OPTIONS_DEFAULT;
	struct tree_end end;
	char *commands;
	int status = EXIT_SUCCESS;

	arguments_parse(&argp, argc, argv, 0, &options);
	must(source_open(&telemetry, options.root));
	if (who_names_any(&options.who))
		options_check_who(&options);
	show_tree(argc, argv);
	tree_print(&options, &end);
	commands = end.metric ? choose_commands(&options, &end) : NULL;
	if (!end.metric)
		status = EXIT_FAILURE;
	if (commands)
		status = run_all(commands);
	free(commands);
	free(end.where);
	return status;
}
