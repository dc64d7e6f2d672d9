// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* The fuzzer's machines for doctor: nearly valid files in memory. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "lib/machine.h"
#include "lib/memory.h"

#define MODULE		FUZZ_MODULE
#define CPUS		"sys/devices/system/cpu"
#define SPE	"usable yes\nreason none\nversion 1.2\nmin_interval 1024\nmax_record 64\n" \
		"counter_bits 12\nfilters event latency\nfeatures none\n"
#define NO_SPE	"usable no\nreason guest\nversion none\n"
#define TOPDOWN	"frontend_bound 21.3174\nbackend_bound idle\nbad_speculation 4.1120\n" \
		"retiring 31.5685\n"
#define RELEASE		"6.1.0-test"
#define DKMS		"var/lib/dkms/n3-telemetry/0.1"
#define SIGNATURE	"~Module signature appended~\n"
#define PERF_EVENT	"anon_inode:[perf_event]"
#define ARM_N3		"0x00000000410fd8e1\n"
#define ARM_OTHER	"0x00000000411fd490\n"

struct file {
	const char *path;
	const char *usual;
	const char *other;
};

static const struct file machine_files[] = {
	{ "proc/sys/kernel/osrelease", RELEASE "\n", "5.10.0-old\n" },
	{ "proc/sys/kernel/nmi_watchdog", "0\n", "1\n" },
	{ "proc/cmdline", "root=/dev/vda quiet\n",
	  "irqchip.gicv3_pseudo_nmi=1 reserved_host_counters=2\n" },
	{ "var/log/dmesg", "hw perfevents: enabled with armv8_pmuv3_0 PMU driver, 7 counters\n",
	  "hw perfevents: enabled with armv8_pmuv3_0 PMU driver, 1 counters\nn3_telemetry: x" },
	{ "sys/class/dmi/id/product_name", "Google Compute Engine\n", "" },
	{ "boot/config-" RELEASE, "#\nCONFIG_HARDLOCKUP_DETECTOR_BUDDY=y\n",
	  "#\nCONFIG_HARDLOCKUP_DETECTOR_PERF=y\n" },
	{ CPUS "/isolated", "\n", "1,3\n" },
	{ CPUS "/nohz_full", "(null)\n", "2-3\n" },
	{ "proc/modules", "sunrpc 1 0 - Live 0x0\n",
	  "sunrpc 1 0 - Live 0x0\nn3_telemetry 1 0 - Live 0x0 (OE)\n" },
	{ "proc/1/comm", "init\n", "" },
	{ "proc/1/fd/0", "/dev/null", PERF_EVENT },
	{ "proc/4711/comm", "perf\n", "a b\033[m\n" },
	{ "proc/4711/fd/3", PERF_EVENT, "socket:[1]" },
	{ "proc/4711/fd/4", PERF_EVENT, PERF_EVENT PERF_EVENT PERF_EVENT },
	{ "lib/modules/" RELEASE "/updates/n3_telemetry.ko", "x" SIGNATURE, "x" },
	{ "lib/modules/" RELEASE "/kernel/fs/fat.ko", "x", "" },
	{ "lib/modules/" RELEASE "/modules.dep", "kernel/fs/fat.ko:\n", "" },
	{ "lib/modules/5.10.0-old/n3_telemetry.ko.xz", "x", "" },
	{ "sys/bus/event_source/devices/armv8_pmuv3_0/type", "8\n", "" },
	{ "sys/bus/event_source/devices/arm_spe_0/cpumask", "0-3\n", "\033[m\n" },
	{ "sys/bus/event_source/devices/arm_spe_0/caps/min_interval", "1024\n", "-1\n" },
	{ "sys/bus/event_source/devices/arm_spe_0/format/load_filter", "config:33\n", "" },
	{ "sys/bus/platform/devices/spe-pmu/modalias",
	  "of:Nspe-pmuT(null)Carm,statistical-profiling-extension-v1\n", "of:Nrtc\n" },
	{ "proc/self/status", "Name:\tn3stat\nCapEff:\t000001ffffffffff\n", "CapEff:" },
	{ "proc/sys/kernel/perf_event_paranoid", "2\n", "-1\n" },
	{ "proc/sys/kernel/perf_user_access", "0\n", "1\n" },
	{ "etc/n3-telemetry.conf", "switch = in-place\n#\n", "user_access = allow\r\n= #\n" },
	{ "sys/kernel/security/lockdown", "[none] integrity confidentiality\n",
	  "none integrity [confidentiality]\n" },
	/* Its attributes contain 0 bytes, which are ignored. */
	{ "sys/firmware/efi/efivars/SecureBoot-8be4df61-93ca-11d2-aa0d-00e098032b8c",
	  "\006\006\006\006\001", "\006\006\006\006\002" },
	{ "sys/module/module/parameters/sig_enforce", "N\n", "Y\n" },
	{ "sys/firmware/efi/efivars/MokListRT-605dab50-e046-4300-abb6-3dd810dd8b23", "key", "" },
	{ "var/lib/dkms/mok.pub", "key", "another" },
	{ DKMS "/source", "/usr/src/n3-telemetry-0.1", "/nowhere" },
	{ "usr/src/n3-telemetry-0.1/dkms.conf", "x", "" },
	{ DKMS "/build/make.log", "DKMS make.log for kernel " RELEASE " (aarch64)\nx.c: error: y\n",
	  " for kernel " RELEASE " (***" },
	{ "lib/modules/" RELEASE "/build/include/x", "x", "" },
};

static const struct file module_files[] = {
	{ MODULE "/enable", "1\n", "0\n" },
	{ MODULE "/reserved_counters", "0\n", "2\n" },
	{ MODULE "/contention", "yield\n", "share\n" },
	{ MODULE "/cpus", "0-3\n", "0,2\n" },
	{ MODULE "/groups", "topdown_l1 general\n", "general\n" },
	{ MODULE "/spec", "pmu armv8_pmuv3_0\nsimulated 0\nevents 224\n"
	  "group topdown_l1 stage 1 metrics 4\ngroup general stage 2 metrics 1\n", "simulated 1" },
	{ MODULE "/status", "state sampling\nswitch in-place\nversion 0.2\n", "switch perf" },
};

/* Up to the length read by doctor, or longer; one line or many. */
static char *repeat(const char *text)
{
	int len = fuzz_below(2) ? strcspn(text, "\n") : strlen(text);
	unsigned int nr = fuzz_below(4 * MACHINE_MAX_TEXT / (len + 1));
	char *many;
	size_t size;
	FILE *out = fuzz_begin(&many, &size);

	while (nr-- > 0)
		fwrite(text, 1, len, out);
	fclose(out);
	return many;
}

static void add_file(const struct file *file)
{
	const char *text = fuzz_below(8) ? file->usual : file->other;

	if (fuzz_below(20))
		fuzz_add_damaged(xstrdup(file->path),
				 fuzz_below(250) ? xstrdup(text) : repeat(text));
}

static char *make_status(void)
{
	char *text;
	size_t size;
	FILE *out = fuzz_begin(&text, &size);

	fprintf(out, "state %s\nbudget ", fuzz_below(8) ? "sampling" : fuzz_word());
	if (fuzz_below(4))
		fputc('6', out);
	else
		fuzz_number(out);
	fputs("\nsets 13\n", out);
	fclose(out);
	return text;
}

static void add_cpu(unsigned int cpu, bool loaded)
{
	fuzz_add_damaged(format_string(CPUS "/cpu%u/regs/identification/midr_el1", cpu),
			 xstrdup(fuzz_below(8) ? ARM_N3 : ARM_OTHER));
	if (!loaded)
		return;
	fuzz_add_damaged(format_string(MODULE "/cpu%u/status", cpu), make_status());
	fuzz_add_damaged(format_string(MODULE "/cpu%u/spe", cpu),
			 xstrdup(fuzz_below(2) ? SPE : NO_SPE));
	fuzz_add_damaged(format_string(MODULE "/cpu%u/topdown_l1", cpu), xstrdup(TOPDOWN));
}

/* Adds something where doctor looks, at any depth. */
static void add_odd(void)
{
	static const char * const directories[] = {
		"proc", "proc/4711/fd", "lib/modules", "lib/modules/" RELEASE, CPUS, MODULE,
		"sys/bus/event_source/devices"
	};
	static const char * const names[] = {
		"cpu", "cpu0x", "cpu007", "cpu8191", "cpu8192", "cpufreq", "node0", "build",
		"source", "n3_telemetry", "n3_telemetry.ko", "n3_telemetry.ko.xz", "armv8_", "0",
		"99999999999999999999", "fd", "comm", "status", "topdown_l1", "regs"
	};
	char *path = xstrdup(directories[fuzz_below(NR(directories))]), *longer;

	for (unsigned int i = 1 + fuzz_below(fuzz_below(16) + 1); i > 0; i--) {
		longer = format_string("%s/%s", path, fuzz_below(4) ?
				       names[fuzz_below(NR(names))] : fuzz_word());
		free(path);
		path = longer;
	}
	fuzz_add_damaged(path, xstrdup(fuzz_below(2) ? PERF_EVENT : fuzz_word()));
}

void fuzz_machine_make(void)
{
	bool loaded = fuzz_below(4);

	fuzz_tree_clear();
	for (size_t i = 0; i < NR(machine_files); i++)
		add_file(&machine_files[i]);
	for (size_t i = 0; loaded && i < NR(module_files); i++)
		add_file(&module_files[i]);
	for (unsigned int cpu = fuzz_below(5); cpu > 0; cpu--)
		add_cpu(cpu - 1, loaded);
	for (unsigned int i = fuzz_below(4); i > 0; i--)
		add_odd();
}
