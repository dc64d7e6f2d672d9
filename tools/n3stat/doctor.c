// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* n3stat doctor: why it does not work or does not count, and what fixes it. */
#include <stdlib.h>

#include "arguments.h"
#include "commands.h"
#include "common.h"
#include "doctor_cpus.h"
#include "doctor_guests.h"
#include "doctor_machine.h"
#include "doctor_module.h"
#include "doctor_pmu.h"
#include "finding.h"
#include "machine_choice.h"

static const char doc[] =
	"Look for what keeps n3_telemetry from counting, or from counting all: the CPU, the "
	"module, its signature, counters that others hold, permissions, a hypervisor. Each "
	"finding comes with the command that fixes it."
	"\vExit status: 0 no errors, 7 at least one, 3 no such directory.";

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
	(void)arg;
	if (key != ARGP_KEY_INIT)
		return ARGP_ERR_UNKNOWN;
	state->child_inputs[0] = state->input;
	return 0;
}

int command_doctor(int argc, char **argv)
{
	static const struct argp_child children[] = { { &options_machine, 0, NULL, 0 }, { 0 } };
	static const struct argp argp = { NULL, parse_option, NULL, doc, children, NULL, NULL };
	struct machine_choice choice = MACHINE_CHOICE_DEFAULT;
	bool others = false, ready;
	struct machine machine;

	arguments_parse(&argp, argc, argv, 0, &choice);
	machine_open(&choice, &machine);

	if (machine_is_known(&machine) && doctor_cpu(&machine))
		doctor_pmu(&machine);
	ready = doctor_module(&machine) && doctor_settings(&machine);
	if (machine_is_known(&machine))
		others = doctor_others(&machine);
	if (machine_is_known(&machine))
		doctor_guests(&machine);
	if (ready)
		doctor_cpus(&machine, others);
	machine_close(&machine);
	flush_output(stdout);
	return finding_worst() == FINDING_ERROR ? EXIT_FINDINGS : EXIT_SUCCESS;
}
