/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Window of the source's values. */
#ifndef LIBN3TELEMETRY_WINDOW_H
#define LIBN3TELEMETRY_WINDOW_H

#include "source.h"

/*
 * The module's default if the source lacks the setting. Return: false after an error of the source.
 */
bool window_seconds(struct source *source, double *seconds);

#endif
