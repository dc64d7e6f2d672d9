/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* n3stat selftest: identification of a CPU by MIDR_EL1, from the module's table of cores. */
#ifndef N3CHECK_SELFTEST_CORE_H
#define N3CHECK_SELFTEST_CORE_H

#include <stdint.h>

/* "Neoverse N3 r0p1"; the caller frees it. */
char *selftest_core_name(uint64_t midr);
/* Return: operations issued per cycle at most, 0 if unknown. */
unsigned int selftest_slots(uint64_t midr);

#endif
