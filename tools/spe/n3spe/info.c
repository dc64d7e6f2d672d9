// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* n3stat spe info: this machine's SPE features, or the reason why SPE is unusable. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "checks.h"
#include "commands.h"
#include "cost.h"
#include "errors.h"
#include "lib/arguments.h"
#include "lib/finding.h"
#include "lib/json.h"
#include "lib/keys.h"
#include "lib/machine.h"
#include "lib/memory.h"
#include "machine.h"

static const char doc[] =
	"Report the capabilities of the CPUs' SPE (Statistical Profiling Extension), or why it is "
	"unusable and how to fix it, and a recommended period with its data rate."
	"\vExit status: 0 usable, 7 unusable, 3 no such directory.";

static const struct argp_option info_options[] = {
	{ "json", 'j', NULL, 0, "print one JSON object", 1 },
	{ 0 }
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

/* Return: a number reported by the module, 0 if absent. */
static unsigned long number_of(const struct spe_machine *spe, const char *key)
{
	char *value = value_of_key(spe->properties, key);
	unsigned long number = value ? strtoul(value, NULL, 10) : 0;

	free(value);
	return number;
}

/* The smallest interval accepted by all devices and CPUs. */
static unsigned long min_interval(const struct spe_machine *spe)
{
	unsigned long longest = number_of(spe, "min_interval");

	for (unsigned int i = 0; i < spe->nr_devices; i++)
		if (spe->devices[i].min_interval > longest)
			longest = spe->devices[i].min_interval;
	return longest;
}

/* Properties reported by the module: key, and the text around the value. */
static const struct {
	const char *key;
	const char *title;
	const char *unit;
	enum { TEXT, NUMBER, WORDS } kind;
} rows[] = {
	{ "version", "version", "", TEXT },
	{ "min_interval", "minimum interval", " operations", NUMBER },
	{ "max_record", "largest record", " bytes", NUMBER },
	{ "counter_bits", "latency counters", " bits, saturating", NUMBER },
	{ "filters", "filters", "", WORDS },
	{ "features", "features", "", WORDS },
};

static void print_properties(const struct spe_machine *spe)
{
	for (size_t i = 0; i < NR(rows); i++) {
		char *value = value_of_key(spe->properties, rows[i].key);

		if (value)
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

static bool print_text(struct info *info)
{
	bool usable;

	print_properties(&info->spe);
	for (unsigned int i = 0; i < info->spe.nr_devices; i++)
		print_device(&info->spe, &info->spe.devices[i]);
	if (*info->spe.properties || info->spe.nr_devices)
		putchar('\n');
	spe_check(&info->machine, &info->spe);
	usable = findings_worst() != FINDING_ERROR;
	if (usable)
		print_cost(&info->cost, spe_permitted_target(&info->machine));
	return usable;
}

/* Array of the words of a text. */
static json_object *words_of(const char *text)
{
	json_object *array = json_object_new_array();

	if (!strcmp(text, "none"))
		return array;
	while (*text) {
		size_t len = strcspn(text, " ");

		if (len)
			json_append(array, json_object_new_string_len(text, len));
		text += len;
		text += strspn(text, " ");
	}
	return array;
}

/* 0 is unknown. */
static json_object *number_or_null(unsigned long number)
{
	return number ? json_object_new_int64(number) : NULL;
}

static json_object *property_object(size_t row, const char *value)
{
	switch (rows[row].kind) {
	case NUMBER:
		return number_or_null(strtoul(value, NULL, 10));
	case WORDS:
		return words_of(value);
	default:
		return json_object_new_string(value);
	}
}

static void add_properties(json_object *object, const struct spe_machine *spe)
{
	for (size_t i = 0; i < NR(rows); i++) {
		char *value = value_of_key(spe->properties, rows[i].key);

		if (value)
			json_add(object, rows[i].key, property_object(i, value));
		free(value);
	}
}

static json_object *device_object(const struct spe_device *device)
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

static bool print_json(struct info *info)
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
	add_properties(object, &info->spe);
	json_add(object, "devices", devices);
	json_add(object, "findings", findings);
	json_add(object, "recommended", usable ? cost_object(&info->cost) : NULL);
	puts(json_object_to_json_string_ext(object, JSON_C_TO_STRING_PLAIN));
	json_object_put(object);
	return usable;
}

int spe_command_info(int argc, char **argv)
{
	static const struct argp_child children[] = { { &options_machine, 0, NULL, 0 }, { 0 } };
	static const struct argp argp = {
		info_options, parse_option, NULL, doc, children, NULL, NULL
	};
	struct info info = { .choice = MACHINE_CHOICE_DEFAULT };
	bool usable;

	arguments_parse(&argp, argc, argv, 0, &info);
	machine_open(&info.choice, &info.machine);
	findings_start(spe_fix);
	spe_machine_read(&info.machine, &info.spe);
	spe_cost_estimate(&info.machine, min_interval(&info.spe),
			  number_of(&info.spe, "max_record"), &info.cost);
	usable = info.json ? print_json(&info) : print_text(&info);
	machine_close(&info.machine);
	return usable ? EXIT_SUCCESS : EXIT_FINDINGS;
}
