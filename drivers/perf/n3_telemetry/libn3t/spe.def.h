/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Tables of single bits of PMSIDR_EL1: filters and features of SPE.
 *
 * SPE_FILTER(<bit of PMSIDR_EL1>, <word>)
 * SPE_FEATURE(<bit of PMSIDR_EL1>, <word>)
 *
 * Single bits of PMSIDR_EL1: criteria for filtering records, and other features of
 * the CPU. Include it with the macros that are needed defined; they are undefined again
 * at the end. The words are ABI.
 */
#ifndef SPE_FILTER
#define SPE_FILTER(bit, word)
#endif
#ifndef SPE_FEATURE
#define SPE_FEATURE(bit, word)
#endif

SPE_FILTER(0, event)			/* FE */
SPE_FILTER(1, operation)		/* FT */
SPE_FILTER(2, latency)			/* FL */
SPE_FILTER(6, not_event)		/* FnE */
SPE_FILTER(7, data_source)		/* FDS */
SPE_FILTER(26, extended_operation)	/* EFT */

SPE_FEATURE(3, whole_instructions)	/* ARCHINST */
SPE_FEATURE(4, load_data_source)	/* LDS */
SPE_FEATURE(5, random_interval)		/* ERND */
SPE_FEATURE(24, previous_branch)	/* PBT */
SPE_FEATURE(25, call_return)		/* CRR */
SPE_FEATURE(27, fp_flag)		/* FPF */
SPE_FEATURE(32, sme)			/* SME */

#undef SPE_FILTER
#undef SPE_FEATURE
