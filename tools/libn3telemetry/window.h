/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* How far the source's values look back. */
#ifndef LIBN3TELEMETRY_WINDOW_H
#define LIBN3TELEMETRY_WINDOW_H

/* Return: seconds; the module's own default where the source does not say. */
double window_seconds(void);

#endif
