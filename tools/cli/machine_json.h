/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* JSON members shared by commands that examine a machine. */
#ifndef CLI_MACHINE_JSON_H
#define CLI_MACHINE_JSON_H

#include "machine.h"

struct json_object;

/* Return: whether the module's counts are simulated; NULL (JSON null) without a module. */
struct json_object *json_of_simulated(const struct machine *machine);

#endif
