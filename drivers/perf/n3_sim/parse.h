/* SPDX-License-Identifier: GPL-2.0 */
/* Parser for text written to debugfs. */
#ifndef _N3_SIM_PARSE_H
#define _N3_SIM_PARSE_H

#include <linux/types.h>

struct n3_sim_owners;
struct n3_sim_script;

int n3_sim_parse_rates(char *text, u64 *rates);
int n3_sim_parse_program(char *text, struct n3_sim_script *script);
int n3_sim_parse_owners(char *text, struct n3_sim_owners *owners);

#endif /* _N3_SIM_PARSE_H */
