// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* doctor check: tasks that may read the module's counters from user space. */
#include <stdio.h>
#include <string.h>

#include "doctor.h"
#include "lib/finding.h"

/* As the service reads its configuration: the last valid line holds. */
static bool is_permitted(const struct machine *machine)
{
	char text[MACHINE_MAX_TEXT];
	char *rest = text, *line, value[8], more[2];
	bool permitted = false;

	machine_read(machine, "/etc/n3-telemetry.conf", text, sizeof(text));
	while ((line = strsep(&rest, "\n"))) {
		line[strcspn(line, "#")] = '\0';
		if (sscanf(line, " user_access = %7s%1s", value, more) != 1)
			continue;
		if (!strcmp(value, "allow"))
			permitted = true;
		else if (!strcmp(value, "refuse"))
			permitted = false;
	}
	return permitted;
}

void doctor_user_access(const struct machine *machine)
{
	char text[MACHINE_MAX_TEXT];

	machine_read(machine, "/proc/sys/kernel/perf_user_access", text, sizeof(text));
	if (*text == '1' && !is_permitted(machine))
		finding(FINDING_WARNING, "user_access_allowed", NULL,
			"any user may read the module's counters (kernel.perf_user_access); a task "
			"that sleeps whenever a slice ends is not noticed");
}
