/* SPDX-License-Identifier: GPL-2.0 */
/* How far values can be trusted, and what they lead to: quality/ and bottleneck. */
#ifndef _N3T_INSIGHT_H
#define _N3T_INSIGHT_H

struct attribute_group;
struct kobj_attribute;

extern const struct attribute_group n3t_insight_quality_group;
extern struct kobj_attribute n3t_insight_bottleneck;

void n3t_insight_init_files(void);

#endif /* _N3T_INSIGHT_H */
