// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* n3stat doctor: reasons why sampling fails or counts are missing, with remedies. */
#include <stdlib.h>

#include "commands.h"
#include "doctor.h"
#include "lib/arguments.h"
#include "lib/finding.h"
#include "lib/json.h"
#include "lib/machine.h"
#include "reader/advice.h"
#include "reader/errors.h"

static const char doc[] =
	"Find out why n3_telemetry does not count some or all events: the CPU, the module, its "
	"signature, counters held by others, permissions, a hypervisor. Each finding has the "
	"command that fixes it."
	"\vExit status: 0 no errors, 7 at least one, 3 no such directory.";

#define SCHEMA	"n3stat-doctor-1"

struct doctor_options {
	struct machine_choice choice;
	bool json;
};

enum { OPTION_JSON = 256 };

static const struct argp_option doctor_options[] = {
	{ "json", OPTION_JSON, NULL, 0, "one JSON object with all findings", 1 },
	{ 0 }
};

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
	struct doctor_options *options = state->input;

	(void)arg;
	switch (key) {
	case ARGP_KEY_INIT:
		state->child_inputs[0] = &options->choice;
		return 0;
	case OPTION_JSON:
		options->json = true;
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static void examine(const struct machine *machine)
{
	bool others = false, ready;

	if (machine_is_known(machine) && doctor_cpu(machine)) {
		doctor_pmu(machine);
		doctor_user_access(machine);
	}
	ready = doctor_module(machine) && doctor_settings(machine);
	if (machine_is_known(machine))
		others = doctor_others(machine);
	if (machine_is_known(machine))
		doctor_guests(machine);
	if (ready)
		doctor_cpus(machine, others);
}

static void examine_json(const struct machine *machine)
{
	json_object *object = json_object_new_object(), *findings = json_object_new_array();

	findings_collect(findings);
	examine(machine);
	findings_collect(NULL);
	json_add(object, "schema", json_object_new_string(SCHEMA));
	json_add(object, "simulated", json_of_simulated(machine));
	json_add(object, "findings", findings);
	json_print_line(object);
}

int command_doctor(int argc, char **argv)
{
	static const struct argp_child children[] = { { &options_machine, 0, NULL, 0 }, { 0 } };
	static const struct argp argp = {
		doctor_options, parse_option, NULL, doc, children, NULL, NULL
	};
	struct doctor_options options = { .choice = MACHINE_CHOICE_DEFAULT };
	struct machine machine;

	arguments_parse(&argp, argc, argv, 0, &options);
	machine_open(&options.choice, &machine);
	findings_start(advice_fix);
	if (options.json)
		examine_json(&machine);
	else
		examine(&machine);
	machine_close(&machine);
	return findings_worst() == FINDING_ERROR ? EXIT_FINDINGS : EXIT_SUCCESS;
}
