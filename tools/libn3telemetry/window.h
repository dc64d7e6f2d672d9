/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Window of the source's values. */
#ifndef LIBN3TELEMETRY_WINDOW_H
#define LIBN3TELEMETRY_WINDOW_H

/* Return: seconds; the module's default if the source lacks the setting. */
double window_seconds(void);

#endif
