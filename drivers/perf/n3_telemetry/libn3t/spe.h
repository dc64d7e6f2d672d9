/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Capabilities of a CPU's SPE (Statistical Profiling Extension), from its registers. */
#ifndef _N3T_SPE_H
#define _N3T_SPE_H

#include <linux/types.h>

/* ID_AA64DFR0_EL1.PMSVer */
#define N3T_SPE_VERSION_MAX	15

/* Longest list of words, with the terminating NUL. */
#define N3T_SPE_WORDS_SIZE	128

/**
 * enum n3t_spe_reason - reason for unusable SPE; the first that applies
 * @N3T_SPE_USABLE: it can be used
 * @N3T_SPE_OFFLINE: the CPU is offline, no register was read
 * @N3T_SPE_NO_FEATURE: the CPU does not have SPE
 * @N3T_SPE_GUEST: the CPU is a Neoverse N3 without SPE: hidden by a hypervisor
 * @N3T_SPE_OWNED: a higher exception level owns the buffer
 * @N3T_SPE_UNKNOWN_FORMAT: the record format is not defined yet
 * @N3T_SPE_UNKNOWN_SIZE: the record size or the buffer alignment is a reserved value
 * @N3T_SPE_NR_REASONS: number of reasons
 */
enum n3t_spe_reason {
	N3T_SPE_USABLE,
	N3T_SPE_OFFLINE,
	N3T_SPE_NO_FEATURE,
	N3T_SPE_GUEST,
	N3T_SPE_OWNED,
	N3T_SPE_UNKNOWN_FORMAT,
	N3T_SPE_UNKNOWN_SIZE,
	N3T_SPE_NR_REASONS,
};

/**
 * struct n3t_spe_regs - registers as read on the CPU
 * @were_read: the CPU was online and ID_AA64DFR0_EL1 was read
 * @is_n3: MIDR_EL1 is that of a Neoverse N3
 * @has_pmbidr: PMBIDR_EL1 was read: PMSVer is not 0
 * @has_pmsidr: PMSIDR_EL1 was read: also, no higher exception level owns the buffer
 * @pmsver: ID_AA64DFR0_EL1.PMSVer
 * @pmbidr: PMBIDR_EL1
 * @pmsidr: PMSIDR_EL1
 */
struct n3t_spe_regs {
	bool were_read;
	bool is_n3;
	bool has_pmbidr;
	bool has_pmsidr;
	u8 pmsver;
	u64 pmbidr;
	u64 pmsidr;
};

/**
 * struct n3t_spe - decoded registers
 * @reason: reason if SPE is unusable; the other fields are set as far as registers were read
 * @version: as in FEAT_SPEv1p2, "unknown" if newer than known
 * @min_interval: smallest recommended interval in operations, 0 if reserved
 * @max_record: size of the largest record in bytes, 0 if reserved
 * @align: alignment of the write pointer and of records in bytes, 0 if reserved
 * @counter_bits: width of the latency counters, 0 if reserved
 * @format: record format
 * @alternate_clock: PMSIDR_EL1.ALTCLK: 0 if none is counted
 * @fixed_records: all records have the same size
 * @buffer_flags: writes to the buffer update access flag and dirty state
 * @external_abort: PMBIDR_EL1.EA: reporting of external aborts
 */
struct n3t_spe {
	enum n3t_spe_reason reason;
	const char *version;
	unsigned int min_interval;
	unsigned int max_record;
	unsigned int align;
	unsigned int counter_bits;
	unsigned int format;
	unsigned int alternate_clock;
	bool fixed_records;
	bool buffer_flags;
	const char *external_abort;
};

bool n3t_spe_is_owned(u64 pmbidr);
void n3t_spe_decode(const struct n3t_spe_regs *regs, struct n3t_spe *spe);
void n3t_spe_filters(u64 pmsidr, char *words);
void n3t_spe_features(u64 pmsidr, char *words);
const char *n3t_spe_reason_word(enum n3t_spe_reason reason);

#endif /* _N3T_SPE_H */
