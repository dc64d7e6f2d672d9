// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * kunit_test [SUITE] - runs the KUnit suites linked into this program, or n3_telemetry_SUITE;
 * prints a TAP line for each case.
 */
#include <kunit/test.h>

#include "libn3t/formula.h"
#include "libn3t/spec.h"
#include "tap.h"

#define MAX_SUITES	32

static struct kunit_suite *suites[MAX_SUITES];
static unsigned int nr_suites;

void kunit_register_suite(struct kunit_suite *suite)
{
	if (nr_suites == MAX_SUITES)
		abort();
	suites[nr_suites++] = suite;
}

/* Each test gets fresh memory, freed afterwards: sanitizers detect leaks. */
static bool run_once(struct kunit_suite *suite, struct kunit_case *test_case, const void *param)
{
	struct kunit *test = calloc(1, sizeof(*test));
	bool ok;

	if (!test)
		abort();
	test->param_value = param;
	if (suite->init && suite->init(test)) {
		test->failed = true;
	} else {
		if (!setjmp(test->abort))
			test_case->run_case(test);
		if (suite->exit)
			suite->exit(test);
	}
	while (test->nr_memory)
		free(test->memory[--test->nr_memory]);
	ok = !test->failed;
	free(test);
	return ok;
}

static bool run_params(struct kunit_suite *suite, struct kunit_case *test_case)
{
	char description[KUNIT_PARAM_DESC_SIZE] = "";
	const void *param = NULL;
	bool ok = true;

	while ((param = test_case->generate_params(param, description))) {
		if (!run_once(suite, test_case, param)) {
			printf("# with %s\n", description);
			ok = false;
		}
	}
	return ok;
}

static void run_suite(struct kunit_suite *suite)
{
	struct kunit_case *test_case;
	bool ok;

	if (suite->suite_init && suite->suite_init(suite))
		tap_ok(false, "%s: suite_init() succeeds", suite->name);
	for (test_case = suite->test_cases; test_case->run_case; test_case++) {
		if (test_case->generate_params)
			ok = run_params(suite, test_case);
		else
			ok = run_once(suite, test_case, NULL);
		tap_ok(ok, "%s: %s", suite->name, test_case->name);
	}
	if (suite->suite_exit)
		suite->suite_exit(suite);
}

static bool is_chosen(const struct kunit_suite *suite, const char *name)
{
	static const char prefix[] = "n3_telemetry_";

	return !strncmp(suite->name, prefix, strlen(prefix)) &&
	       !strcmp(suite->name + strlen(prefix), name);
}

int main(int argc, char **argv)
{
	unsigned int i, nr = 0;

	/* The module does so when it is loaded; without it values are undefined. */
	tap_ok(!n3t_spec_init() && !n3t_formula_init(), "the tables and formulas initialize");
	if (tap_nr_failed)
		return tap_done();
	for (i = 0; i < nr_suites; i++)
		if (argc < 2 || is_chosen(suites[i], argv[1])) {
			run_suite(suites[i]);
			nr++;
		}
	if (!nr)
		tap_ok(false, "no suite has that name");
	return tap_done();
}
