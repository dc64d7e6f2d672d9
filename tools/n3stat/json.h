/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Values as JSON; the schema is described in n3stat(1). */
#ifndef N3STAT_JSON_H
#define N3STAT_JSON_H

#include <json-c/json.h>

#include "snapshot.h"

#define JSON_SCHEMA	"n3stat-1"

json_object *json_of_snapshot(const struct snapshot *snapshot, const struct choice *choice,
			      const size_t *order);
void json_add(json_object *object, const char *key, json_object *value);

#endif
