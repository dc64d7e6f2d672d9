// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* n3stat spe info: this machine's SPE features, or the reason why SPE is unusable. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "checks.h"
#include "commands.h"
#include "errors.h"
#include "lib/arguments.h"
#include "lib/finding.h"
#include "lib/json.h"
#include "lib/keys.h"
#include "lib/machine.h"
#include "lib/memory.h"
#include "lib/plain.h"
#include "machine.h"

static const char doc[] =
	"Report the capabilities of the CPUs' SPE (Statistical Profiling Extension), or why it is "
	"unusable and how to fix it, and a recommended period with its data rate."
	"\vExit status: 0 usable, 7 unusable, 3 no such directory.";

static const struct argp_option info_options[] = {
	{ "json", 'j', NULL, 0, "print one JSON object", 1 },
	{ 0 }
};

#define ASSUMED_CLOCK		3e9	/* cycles per second */
#define ASSUMED_OPERATIONS	3.0	/* per cycle */
#define ASSUMED_PER_INSTRUCTION	1.1	/* operations */
#define FEWEST_OPERATIONS	0.1	/* per cycle: fewer are not representative of a busy CPU */
#define USUAL_RECORD		64	/* bytes */

/* Estimated data rate of sampling. */
struct spe_cost {
	unsigned long period;		/* in operations */
	double clock;			/* cycles per second */
	double operations;		/* per cycle */
	bool clock_is_known;		/* from cpufreq; else assumed */
	bool operations_are_measured;	/* from the module; else assumed */
	double records;			/* per second, of one busy CPU */
	double bytes;			/* per second, likewise */
};

struct info {
	struct machine_choice choice;
	struct machine machine;
	struct spe_machine spe;
	struct spe_cost cost;
	bool json;
};

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
	struct info *info = state->input;

	(void)arg;
	switch (key) {
	case ARGP_KEY_INIT:
		state->child_inputs[0] = &info->choice;
		return 0;
	case 'j':
		/* program_start() only recognizes the long form. */
		errors_in_json(true);
		info->json = true;
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

/* Return: the system-wide value of a metric, or 0. */
static double value_of(const struct machine *machine, const char *file, const char *metric)
{
	char text[1024];
	size_t len;
	const char *found = module_read(machine, file, text, sizeof(text)) > 0 ?
			    find_value(text, metric, &len) : NULL;
	double value = found ? strtod(found, NULL) : 0;

	return value > 0 && value < 1e6 ? value : 0;
}

static double read_clock(const struct machine *machine)
{
	char text[32];
	double khz;

	machine_read(machine, "/sys/devices/system/cpu/cpu0/cpufreq/cpuinfo_max_freq", text,
		     sizeof(text));
	khz = strtod(text, NULL);
	return khz > 1e3 && khz < 1e8 ? khz * 1e3 : 0;
}

static double read_operations(const struct machine *machine)
{
	double per_cycle = value_of(machine, "system/general", "ipc");
	double per_instruction = value_of(machine, "system/spe_sampling",
					  "spe_uops_per_instruction");
	double operations = per_cycle * (per_instruction ? per_instruction :
					 ASSUMED_PER_INSTRUCTION);

	return operations >= FEWEST_OPERATIONS ? operations : 0;
}

/* The period is the default, unless a device or CPU requires a longer one. */
static void estimate_cost(struct info *info)
{
	double clock = read_clock(&info->machine), operations = read_operations(&info->machine);
	unsigned long record = number_of_key(info->spe.properties, "max_record");
	unsigned long longest = number_of_key(info->spe.properties, "min_interval");
	struct spe_cost *cost = &info->cost;

	for (unsigned int i = 0; i < info->spe.nr_devices; i++)
		if (info->spe.devices[i].min_interval > longest)
			longest = info->spe.devices[i].min_interval;
	*cost = (struct spe_cost) {
		.period = SPE_PERIOD_DEFAULT,
		.clock = clock ? clock : ASSUMED_CLOCK,
		.operations = operations ? operations : ASSUMED_OPERATIONS,
		.clock_is_known = clock,
		.operations_are_measured = operations,
	};
	if (longest > cost->period)
		cost->period = (longest + SPE_PERIOD_UNIT - 1) / SPE_PERIOD_UNIT * SPE_PERIOD_UNIT;
	cost->records = cost->clock * cost->operations / cost->period;
	cost->bytes = cost->records * (record ? record : USUAL_RECORD);
}

/* Array of the words of a text, which is cut up. */
static json_object *words_of(char *text)
{
	json_object *array = json_object_new_array();
	char *word;

	while ((word = strsep(&text, " ")))
		if (*word && strcmp(word, "none"))
			json_append(array, json_object_new_string(word));
	return array;
}

/* 0 is unknown. */
static json_object *number_or_null(unsigned long number)
{
	return number ? json_object_new_int64(number) : NULL;
}

/* Prints what the module reports, or adds it to @object. */
static void show_properties(const struct spe_machine *spe, json_object *object)
{
	static const struct {
		const char *key, *title, *unit;
		enum { TEXT, NUMBER, WORDS } kind;
	} rows[] = {
		{ "version", "version", "", TEXT },
		{ "min_interval", "minimum interval", " operations", NUMBER },
		{ "max_record", "largest record", " bytes", NUMBER },
		{ "counter_bits", "latency counters", " bits, saturating", NUMBER },
		{ "filters", "filters", "", WORDS },
		{ "features", "features", "", WORDS },
	};

	for (size_t i = 0; i < NR(rows); i++) {
		char *value = value_of_key(spe->properties, rows[i].key);

		if (value)
			plain_text(value);
		if (value && object)
			json_add(object, rows[i].key, rows[i].kind == WORDS ? words_of(value) :
				 rows[i].kind == TEXT ? json_object_new_string(value) :
				 number_or_null(strtoul(value, NULL, 10)));
		else if (value)
			printf("%-17s %s%s\n", rows[i].title, value, rows[i].unit);
		free(value);
	}
}

static void print_device(const struct spe_machine *spe, const struct spe_device *device)
{
	printf("%-17s %s, CPUs %s\n", "device", device->name, device->cpus);
	if (!*spe->properties && device->min_interval)
		printf("%-17s %lu operations\n", "minimum interval", device->min_interval);
	if (!*spe->properties && device->counter_bits)
		printf("%-17s %lu bits, saturating\n", "latency counters", device->counter_bits);
	printf("%-17s %s\n", "settings", device->settings);
}

static void print_cost(const struct spe_cost *cost, const char *target)
{
	printf("\nn3stat spe record --period %lu%s\n", cost->period, target);
	printf("  writes %.3g MB/s on each busy CPU: %.3g million records a second\n",
	       cost->bytes / 1e6, cost->records / 1e6);
	printf("  (%.3g GHz %s, %.3g operations a cycle %s)\n", cost->clock / 1e9,
	       cost->clock_is_known ? "at most" : "assumed", cost->operations,
	       cost->operations_are_measured ? "measured" : "assumed");
}

static json_object *device_object(struct spe_device *device)
{
	json_object *object = json_object_new_object();

	json_add(object, "name", json_object_new_string(device->name));
	json_add(object, "cpus", json_object_new_string(device->cpus));
	json_add(object, "min_interval", number_or_null(device->min_interval));
	json_add(object, "counter_bits", number_or_null(device->counter_bits));
	json_add(object, "settings", words_of(device->settings));
	return object;
}

static json_object *cost_object(const struct spe_cost *cost)
{
	json_object *object = json_object_new_object();

	json_add(object, "period", json_object_new_int64(cost->period));
	json_add(object, "records_per_second", json_object_new_double(cost->records));
	json_add(object, "bytes_per_second", json_object_new_double(cost->bytes));
	json_add(object, "clock_hz", json_object_new_double(cost->clock));
	json_add(object, "clock_is_assumed", json_object_new_boolean(!cost->clock_is_known));
	json_add(object, "operations_per_cycle", json_object_new_double(cost->operations));
	json_add(object, "operations_are_assumed",
		 json_object_new_boolean(!cost->operations_are_measured));
	return object;
}

static void print_text(struct info *info)
{
	show_properties(&info->spe, NULL);
	for (unsigned int i = 0; i < info->spe.nr_devices; i++)
		print_device(&info->spe, &info->spe.devices[i]);
	if (*info->spe.properties || info->spe.nr_devices)
		putchar('\n');
	spe_check(&info->machine, &info->spe);
	if (findings_worst() != FINDING_ERROR)
		print_cost(&info->cost, spe_permitted_target(&info->machine));
}

static void print_json(struct info *info)
{
	json_object *object = json_object_new_object(), *devices = json_object_new_array();
	json_object *findings = json_object_new_array();
	bool usable;

	findings_collect(findings);
	spe_check(&info->machine, &info->spe);
	findings_collect(NULL);
	usable = findings_worst() != FINDING_ERROR;
	for (unsigned int i = 0; i < info->spe.nr_devices; i++)
		json_append(devices, device_object(&info->spe.devices[i]));
	json_add(object, "simulated", json_of_simulated(&info->machine));
	json_add(object, "usable", json_object_new_boolean(usable));
	show_properties(&info->spe, object);
	json_add(object, "devices", devices);
	json_add(object, "findings", findings);
	json_add(object, "recommended", usable ? cost_object(&info->cost) : NULL);
	json_print_line(object);
}

int spe_command_info(int argc, char **argv)
{
	static const struct argp_child children[] = { { &options_machine, 0, NULL, 0 }, { 0 } };
	static const struct argp argp = {
		info_options, parse_option, NULL, doc, children, NULL, NULL
	};
	struct info info = { .choice = MACHINE_CHOICE_DEFAULT };

	arguments_parse(&argp, argc, argv, 0, &info);
	machine_open(&info.choice, &info.machine);
	findings_start(spe_fix);
	spe_machine_read(&info.machine, &info.spe);
	estimate_cost(&info);
	if (info.json)
		print_json(&info);
	else
		print_text(&info);
	machine_close(&info.machine);
	return findings_worst() == FINDING_ERROR ? EXIT_FINDINGS : EXIT_SUCCESS;
}
