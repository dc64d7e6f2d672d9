/* SPDX-License-Identifier: GPL-2.0 */
/* Loading, and changing settings. */
#ifndef _N3T_CONTROL_H
#define _N3T_CONTROL_H

struct n3t_config;
struct n3t_settings;

int n3t_control_init(const struct n3t_settings *settings);
int n3t_control_start(void);
void n3t_control_exit(void);
void n3t_control_stop(void);
struct n3t_config *n3t_control_begin(void);
int n3t_control_commit(struct n3t_config *config);
void n3t_control_abort(struct n3t_config *config);

#endif /* _N3T_CONTROL_H */
