// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Arm cores whose SPE has the data sources of Neoverse cores. */
#include <stddef.h>

#include "cores.h"
#include "memory.h"

/* Their manuals list the same data sources; other vendors assign other meanings to the values. */
bool core_is_known(uint64_t midr)
{
	static const uint32_t models[] = {
		0x4100d0c0, 0x4100d490, 0x4100d8e0,		/* Neoverse N1, N2, N3 */
		0x4100d400, 0x4100d4f0,				/* Neoverse V1, V2 */
		0x4100d4c0, 0x4100d4e0, 0x4100d850,		/* Cortex-X1C, X3, X925 */
		0x4100d810, 0x4100d890, 0x4100d870,		/* Cortex-A720, A720AE, A725 */
	};

	for (size_t i = 0; i < NR(models); i++)
		if (MIDR_MODEL(midr) == models[i])
			return true;
	return false;
}
