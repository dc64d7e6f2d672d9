/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Path through the decision tree at a place of a recording. */
#ifndef N3REC_RECORDING_PATH_H
#define N3REC_RECORDING_PATH_H

#include "libn3telemetry/path.h"
#include "recording.h"

/* The module's path in the current snapshot. Return: false if it was not recorded. */
bool path_of_recording(struct path *path, const struct recording *recording, size_t place);

#endif
