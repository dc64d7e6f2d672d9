// SPDX-License-Identifier: GPL-2.0
/* The file spe of a CPU: what its SPE can do, from registers read when it came online. */
#include <linux/kobject.h>
#include <linux/sysfs.h>

#include "access.h"
#include "cpu.h"
#include "cpus.h"
#include "directory.h"
#include "libn3t/spe.h"
#include "spe_file.h"

static int emit_number(char *buf, int at, const char *key, bool was_read, unsigned int number)
{
	if (!was_read)
		return sysfs_emit_at(buf, at, "%s none\n", key);
	if (!number)
		return sysfs_emit_at(buf, at, "%s reserved\n", key);
	return sysfs_emit_at(buf, at, "%s %u\n", key, number);
}

static int emit_word(char *buf, int at, const char *key, bool was_read, const char *word)
{
	return sysfs_emit_at(buf, at, "%s %s\n", key, was_read ? word : "none");
}

static int emit_register(char *buf, int at, const char *key, bool was_read, u64 value)
{
	if (!was_read)
		return sysfs_emit_at(buf, at, "%s none\n", key);
	return sysfs_emit_at(buf, at, "%s 0x%llx\n", key, value);
}

static int emit_pmsidr(char *buf, int at, const struct n3t_spe_regs *regs,
		       const struct n3t_spe *spe)
{
	const int start = at;
	bool is = regs->has_pmsidr;
	char words[N3T_SPE_WORDS_SIZE];

	at += emit_number(buf, at, "min_interval", is, spe->min_interval);
	at += emit_number(buf, at, "max_record", is, spe->max_record);
	at += emit_word(buf, at, "records", is, spe->fixed_records ? "fixed" : "variable");
	at += emit_number(buf, at, "counter_bits", is, spe->counter_bits);
	at += sysfs_emit_at(buf, at, is ? "format %u\n" : "format none\n", spe->format);
	at += sysfs_emit_at(buf, at, is && spe->alternate_clock ? "alternate_clock %u\n" :
			    "alternate_clock none\n", spe->alternate_clock);
	n3t_spe_filters(regs->pmsidr, words);
	at += emit_word(buf, at, "filters", is, words);
	n3t_spe_features(regs->pmsidr, words);
	at += emit_word(buf, at, "features", is, words);
	return at - start;
}

static int emit_pmbidr(char *buf, int at, const struct n3t_spe_regs *regs,
		       const struct n3t_spe *spe)
{
	const int start = at;
	bool is = regs->has_pmbidr;

	at += emit_number(buf, at, "align", is, spe->align);
	at += emit_word(buf, at, "buffer_flags", is, spe->buffer_flags ? "updated" : "ignored");
	at += emit_word(buf, at, "external_abort", is, spe->external_abort);
	return at - start;
}

/* None of a CPU that is offline. */
static const struct n3t_spe_regs *regs_of(const struct n3t_cpu *cpu)
{
	static const struct n3t_spe_regs not_read;

	/* Pairs with smp_store_release() in n3t_cpus_online(). */
	return smp_load_acquire(&cpu->state) == N3T_CPU_OFFLINE ? &not_read : &cpu->spe;
}

static ssize_t spe_show(struct kobject *kobj, struct kobj_attribute *attr, char *buf)
{
	const struct n3t_spe_regs *regs = regs_of(n3t_cpus_get(n3t_directory_of(kobj)->id));
	struct n3t_spe spe;
	int at = 0;

	n3t_spe_decode(regs, &spe);
	at += sysfs_emit_at(buf, at, "usable %s\n", spe.reason == N3T_SPE_USABLE ? "yes" : "no");
	at += sysfs_emit_at(buf, at, "reason %s\n", n3t_spe_reason_word(spe.reason));
	at += sysfs_emit_at(buf, at, "version %s\n", spe.version);
	at += emit_pmsidr(buf, at, regs, &spe);
	at += emit_pmbidr(buf, at, regs, &spe);
	at += sysfs_emit_at(buf, at, regs->were_read ? "pmsver %u\n" : "pmsver none\n",
			    regs->pmsver);
	at += emit_register(buf, at, "pmsidr", regs->has_pmsidr, regs->pmsidr);
	at += emit_register(buf, at, "pmbidr", regs->has_pmbidr, regs->pmbidr);
	return at;
}

static struct kobj_attribute spe_attribute = __ATTR(spe, 0400, spe_show, NULL);
static struct attribute *spe_attrs[] = {
	&spe_attribute.attr,
	NULL
};

const struct attribute_group n3t_spe_file = {
	.is_visible = n3t_access_mode,
	.attrs = spe_attrs,
};
