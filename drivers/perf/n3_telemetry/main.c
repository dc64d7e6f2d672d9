// SPDX-License-Identifier: GPL-2.0
/* Module load and unload, module parameters. */
#include <linux/module.h>

#include "alias.h"
#include "config.h"
#include "containers.h"
#include "control.h"
#include "debugfs.h"
#include "libn3t/formula.h"
#include "libn3t/n3t.h"
#include "libn3t/spec.h"
#include "pmu.h"
#include "settings.h"
#include "sysfs.h"

static char *pmu = "";
module_param(pmu, charp, 0);
MODULE_PARM_DESC(pmu, "perf PMUs to use, separated by commas, for tests (default: those of the Neoverse N3 cores)");
static char *core = "";
module_param(core, charp, 0);
MODULE_PARM_DESC(core, "Cores to sample instead of Neoverse N3, for rehearsal: MIDR parts or names, separated by commas (0xd4f, n2)");

static int __init n3t_init(void)
{
	int ret;

	ret = n3t_spec_init() ?: n3t_formula_init();
	if (ret)
		return ret;

	ret = n3t_pmu_init(pmu, core);
	if (ret)
		return ret;

	ret = n3t_control_init(n3t_settings_init());
	if (ret)
		goto out_put_pmu;

	ret = n3t_containers_init(n3t_settings_init()->container_pieces);
	if (ret)
		goto out_exit_containers;

	ret = n3t_alias_init();
	if (ret)
		goto out_exit_containers;

	ret = n3t_control_start();
	if (ret)
		goto out_remove_aliases;

	ret = n3t_sysfs_init();
	if (ret)
		goto out_stop_control;

	n3t_debugfs_init();
	return 0;

out_stop_control:
	n3t_control_stop();
out_remove_aliases:
	n3t_alias_exit();
out_exit_containers:
	n3t_containers_exit();
	n3t_control_exit();
out_put_pmu:
	n3t_pmu_exit();
	return ret;
}
module_init(n3t_init);

static void __exit n3t_exit(void)
{
	n3t_debugfs_exit();
	n3t_sysfs_exit();
	n3t_control_stop();
	n3t_alias_exit();
	n3t_containers_exit();
	n3t_control_exit();
	n3t_pmu_exit();
}
module_exit(n3t_exit);

MODULE_DESCRIPTION("Telemetry of Arm Neoverse N3 cores: where the cycles go");
MODULE_AUTHOR("The n3_telemetry developers");
MODULE_VERSION(N3T_VERSION);
MODULE_LICENSE("GPL");
