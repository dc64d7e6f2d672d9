// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* n3stat selftest: the results of one run, and their JSON, to be sent and read again. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/files.h"
#include "lib/json.h"
#include "lib/memory.h"
#include "lib/plain.h"
#include "libn3telemetry/about.h"
#include "libn3telemetry/catalog.h"
#include "reader/errors.h"
#include "selftest.h"

#define FORMAT	"n3stat selftest 1"	/* changes when old readers would misread it */

struct selftest_cpu *selftest_report_add(struct selftest_report *report, unsigned int nr)
{
	struct selftest_cpu *cpu;

	report->cpus = xreallocarray(report->cpus, report->nr_cpus + 1, sizeof(*report->cpus));
	cpu = &report->cpus[report->nr_cpus++];
	*cpu = (struct selftest_cpu) {
		.cpu = nr,
		.events = xcalloc(catalog_nr_events(), sizeof(*cpu->events)),
		.identities = xcalloc(selftest_nr_identities(), sizeof(*cpu->identities)),
	};
	return cpu;
}

void selftest_report_free(struct selftest_report *report)
{
	for (size_t i = 0; i < report->nr_cpus; i++) {
		free(report->cpus[i].events);
		free(report->cpus[i].identities);
	}
	free(report->cpus);
	*report = (struct selftest_report) { 0 };
}

unsigned int selftest_nr_with(const struct selftest_cpu *cpu, enum selftest_verdict verdict)
{
	unsigned int nr = 0;

	for (int i = 0; i < catalog_nr_events(); i++)
		nr += cpu->events[i].judgement.verdict == verdict;
	return nr;
}

unsigned int selftest_nr_failing(const struct selftest_cpu *cpu)
{
	unsigned int nr = 0;

	for (size_t i = 0; i < selftest_nr_identities(); i++)
		nr += cpu->identities[i].outcome == SELFTEST_FAILS;
	return nr;
}

unsigned int selftest_nr_tested(const struct selftest_cpu *cpu)
{
	int cycles = catalog_find_event("CPU_CYCLES");

	return selftest_nr_with(cpu, SELFTEST_COUNTS) +
	       selftest_nr_with(cpu, SELFTEST_DOES_NOT_COUNT) -
	       (cpu->events[cycles].judgement.verdict == SELFTEST_COUNTS ||
		cpu->events[cycles].judgement.verdict == SELFTEST_DOES_NOT_COUNT);
}

bool selftest_is_simulated(const struct selftest_report *report)
{
	for (size_t i = 0; i < report->nr_cpus; i++)
		if (pmu_is_simulated(report->cpus[i].pmu))
			return true;
	return false;
}

static json_object *event_object(const struct selftest_event *result, int event)
{
	struct catalog_event info = catalog_event(event);
	json_object *object = json_object_new_object();
	char *kernels = selftest_kernel_names(selftest_row(event)->kernels);
	char code[16];

	snprintf(code, sizeof(code), "0x%04x", info.code);
	json_add(object, "name", json_object_new_string(info.name));
	json_add(object, "code", json_object_new_string(code));
	json_add(object, "verdict",
		 json_object_new_string(selftest_verdict_words[result->judgement.verdict]));
	json_add(object, "reason", json_object_new_string(result->judgement.reason));
	json_add(object, "count", json_object_new_int64(result->reading.count));
	json_add(object, "enabled_ns", json_object_new_int64(result->reading.enabled));
	json_add(object, "running_ns", json_object_new_int64(result->reading.running));
	json_add(object, "kernels", json_object_new_string(kernels));
	json_add(object, "named", json_object_new_boolean(result->has_alias));
	free(kernels);
	return object;
}

static json_object *trial_object(const struct selftest_trial *trial, enum selftest_kernel kernel)
{
	json_object *object = json_object_new_object();

	json_add(object, "kernel", json_object_new_string(selftest_kernels[kernel].name));
	json_add(object, "outcome", json_object_new_string(selftest_trial_words[trial->outcome]));
	json_add(object, "percent", json_object_new_double(trial->percent));
	json_add(object, "reason", json_object_new_string(trial->reason));
	return object;
}

static json_object *trials_array(const struct selftest_finding *finding)
{
	json_object *array = json_object_new_array();

	for (unsigned int i = 0; i < NR_SELFTEST_KERNELS; i++)
		json_append(array, trial_object(&finding->trials[i], i));
	return array;
}

static json_object *identity_object(const struct selftest_finding *finding, size_t index)
{
	json_object *object = json_object_new_object();

	json_add(object, "identity", json_object_new_string(selftest_identity(index)->text));
	json_add(object, "outcome",
		 json_object_new_string(selftest_outcome_words[finding->outcome]));
	json_add(object, "found", json_object_new_string(finding->text));
	if (selftest_has_trials(selftest_identity(index)))
		json_add(object, "kernels", trials_array(finding));
	return object;
}

static json_object *summary_object(const struct selftest_cpu *cpu)
{
	static const char * const keys[NR_SELFTEST_VERDICTS] = {
		[SELFTEST_COUNTS] = "counts",
		[SELFTEST_DOES_NOT_COUNT] = "does_not_count",
		[SELFTEST_NOTHING_MOVES] = "nothing_moves",
		[SELFTEST_NOT_TESTED] = "not_tested",
	};
	json_object *object = json_object_new_object();

	for (unsigned int i = 0; i < NR_SELFTEST_VERDICTS; i++)
		json_add(object, keys[i],
			 json_object_new_int64(selftest_nr_with(cpu, i)));
	json_add(object, "identities_that_fail", json_object_new_int64(selftest_nr_failing(cpu)));
	return object;
}

static json_object *cpu_object(const struct selftest_cpu *cpu)
{
	json_object *object = json_object_new_object(), *events = json_object_new_array();
	json_object *identities = json_object_new_array();
	char *core = selftest_core_name(cpu->midr), midr[32];

	snprintf(midr, sizeof(midr), "0x%llx", (unsigned long long)cpu->midr);
	for (int i = 0; i < catalog_nr_events(); i++)
		json_append(events, event_object(&cpu->events[i], i));
	for (size_t i = 0; i < selftest_nr_identities(); i++)
		json_append(identities, identity_object(&cpu->identities[i], i));
	json_add(object, "cpu", json_object_new_int64(cpu->cpu));
	json_add(object, "midr", json_object_new_string(midr));
	json_add(object, "core", json_object_new_string(core));
	json_add(object, "pmu", json_object_new_string(cpu->pmu));
	json_add(object, "counters", json_object_new_int64(cpu->counters));
	json_add(object, "summary", summary_object(cpu));
	json_add(object, "events", events);
	json_add(object, "identities", identities);
	free(core);
	return object;
}

char *selftest_to_json(const struct selftest_report *report)
{
	json_object *object = json_object_new_object(), *cpus = json_object_new_array();
	char *text;

	for (size_t i = 0; i < report->nr_cpus; i++)
		json_append(cpus, cpu_object(&report->cpus[i]));
	json_add(object, "format", json_object_new_string(FORMAT));
	json_add(object, "version", json_object_new_string(report->version));
	json_add(object, "kernel", json_object_new_string(report->kernel));
	json_add(object, "page_size", json_object_new_int64(report->page));
	json_add(object, "guest", json_object_new_string(report->guest));
	json_add(object, "simulated", json_object_new_boolean(selftest_is_simulated(report)));
	json_add(object, "cpus", cpus);
	text = format_string("%s\n",
			     json_object_to_json_string_ext(object, JSON_C_TO_STRING_PLAIN));
	json_object_put(object);
	return text;
}

/* Return: a member of an object; "" or 0 if missing. */
static const char *text_of(json_object *object, const char *key)
{
	json_object *value = json_object_object_get(object, key);
	const char *text = value ? json_object_get_string(value) : NULL;

	return text ? text : "";
}

static uint64_t number_of(json_object *object, const char *key)
{
	return json_object_get_int64(json_object_object_get(object, key));
}

static void copy_text(char *to, size_t size, json_object *object, const char *key)
{
	snprintf(to, size, "%s", text_of(object, key));
	plain_text(to);
}

/* Return: index of the word, nr if not found. */
static unsigned int word_number(const char * const *words, unsigned int nr, const char *word)
{
	unsigned int i = 0;

	while (i < nr && strcmp(words[i], word))
		i++;
	return i;
}

/* Return: false for events missing from these tables. */
static bool take_event(struct selftest_cpu *cpu, json_object *object)
{
	int event = catalog_find_event(text_of(object, "name"));
	unsigned int verdict = word_number(selftest_verdict_words, NR_SELFTEST_VERDICTS,
					   text_of(object, "verdict"));
	struct selftest_event *result;

	if (event < 0 || verdict == NR_SELFTEST_VERDICTS)
		return false;
	result = &cpu->events[event];
	result->judgement.verdict = verdict;
	copy_text(result->judgement.reason, sizeof(result->judgement.reason), object, "reason");
	result->reading.count = number_of(object, "count");
	result->reading.enabled = number_of(object, "enabled_ns");
	result->reading.running = number_of(object, "running_ns");
	result->has_alias = json_object_get_boolean(json_object_object_get(object, "named"));
	return true;
}

/* Return: the array of that name, or NULL. */
static json_object *array_of(json_object *object, const char *key)
{
	json_object *array = json_object_object_get(object, key);

	return json_object_is_type(array, json_type_array) ? array : NULL;
}

/* Return: false for kernels missing from these tables. */
static bool take_trial(struct selftest_finding *finding, json_object *object)
{
	const char *name = text_of(object, "kernel");
	unsigned int outcome = word_number(selftest_trial_words, NR_SELFTEST_OUTCOMES,
					   text_of(object, "outcome"));
	unsigned int kernel = 0;

	while (kernel < NR_SELFTEST_KERNELS && strcmp(selftest_kernels[kernel].name, name))
		kernel++;
	if (kernel == NR_SELFTEST_KERNELS || outcome == NR_SELFTEST_OUTCOMES)
		return false;
	finding->trials[kernel].outcome = outcome;
	finding->trials[kernel].percent =
		json_object_get_double(json_object_object_get(object, "percent"));
	copy_text(finding->trials[kernel].reason, sizeof(finding->trials[kernel].reason), object,
		  "reason");
	return true;
}

/* The outcome and the text follow from the trials. */
static bool take_trials(struct selftest_finding *finding, json_object *array)
{
	bool good = array;

	for (size_t i = 0; good && i < json_object_array_length(array); i++)
		good = take_trial(finding, json_object_array_get_idx(array, i));
	selftest_add_up(finding);
	return good;
}

static bool take_identity(struct selftest_cpu *cpu, json_object *object)
{
	const char *name = text_of(object, "identity");
	unsigned int outcome = word_number(selftest_outcome_words, NR_SELFTEST_OUTCOMES,
					   text_of(object, "outcome"));

	for (size_t i = 0; i < selftest_nr_identities(); i++) {
		struct selftest_finding *finding = &cpu->identities[i];

		if (strcmp(selftest_identity(i)->text, name) || outcome == NR_SELFTEST_OUTCOMES)
			continue;
		if (selftest_has_trials(selftest_identity(i)))
			return take_trials(finding, array_of(object, "kernels"));
		finding->outcome = outcome;
		copy_text(finding->text, sizeof(finding->text), object, "found");
		return true;
	}
	return false;
}

/* Events unknown to an older n3stat count as not tested. */
static void all_untested(struct selftest_cpu *cpu)
{
	for (int i = 0; i < catalog_nr_events(); i++)
		cpu->events[i].judgement = (struct selftest_judgement) {
			.verdict = SELFTEST_NOT_TESTED, .reason = "not in the report",
		};
	for (size_t i = 0; i < selftest_nr_identities(); i++) {
		cpu->identities[i] = (struct selftest_finding) {
			.outcome = SELFTEST_UNTESTED, .text = "not in the report",
		};
		for (unsigned int k = 0; k < NR_SELFTEST_KERNELS; k++)
			cpu->identities[i].trials[k] = selftest_untested("not in the report");
	}
}

static bool take_cpu(struct selftest_report *report, json_object *object)
{
	json_object *identities = array_of(object, "identities");
	json_object *events = array_of(object, "events");
	struct selftest_cpu *cpu;
	bool good = events && identities;

	if (!good)
		return false;
	cpu = selftest_report_add(report, number_of(object, "cpu"));
	cpu->midr = strtoull(text_of(object, "midr"), NULL, 16);
	copy_text(cpu->pmu, sizeof(cpu->pmu), object, "pmu");
	cpu->counters = number_of(object, "counters");
	all_untested(cpu);
	for (size_t i = 0; i < json_object_array_length(events); i++)
		good &= take_event(cpu, json_object_array_get_idx(events, i));
	for (size_t i = 0; i < json_object_array_length(identities); i++)
		good &= take_identity(cpu, json_object_array_get_idx(identities, i));
	return good;
}

void selftest_read(const char *path, struct selftest_report *report)
{
	json_object *object, *cpus;
	bool good;

	*report = (struct selftest_report) { 0 };
	if (access(path, R_OK))
		die(ERR_CANNOT_READ, "%s: %s", path, strerror(errno));
	object = json_object_from_file(path);
	if (!object)
		die(ERR_NOT_A_REPORT, "%s: cannot be read as JSON", path);
	cpus = array_of(object, "cpus");
	good = cpus && json_object_array_length(cpus) && !strcmp(text_of(object, "format"), FORMAT);
	copy_text(report->version, sizeof(report->version), object, "version");
	copy_text(report->kernel, sizeof(report->kernel), object, "kernel");
	copy_text(report->guest, sizeof(report->guest), object, "guest");
	report->page = number_of(object, "page_size");
	for (size_t i = 0; good && i < json_object_array_length(cpus); i++)
		good = take_cpu(report, json_object_array_get_idx(cpus, i));
	json_object_put(object);
	if (!good)
		die(ERR_NOT_A_REPORT, "%s: no report of n3stat selftest", path);
}

void selftest_check_output(const char *path)
{
	struct output output;
	struct stat st;

	if (lstat(path, &st) || S_ISREG(st.st_mode)) {
		output_open(&output, path);
		output_drop(&output);
		return;
	}
	/* Opened only when there is something to write. */
	if (!stat(path, &st) && S_ISDIR(st.st_mode))
		die(ERR_CANNOT_WRITE, "%s: %s", path, strerror(EISDIR));
	if (access(path, W_OK))
		die_of_file(ERR_CANNOT_WRITE, path);
}

void selftest_write(const char *path, const char *text)
{
	struct output output;

	output_open(&output, path);
	fputs(text, output.file);
	output_close(&output);
}
