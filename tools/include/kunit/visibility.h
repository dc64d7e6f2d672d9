/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* User space needs no exports. */
#ifndef _N3T_SHIM_KUNIT_VISIBILITY_H
#define _N3T_SHIM_KUNIT_VISIBILITY_H

#define EXPORT_SYMBOL_IF_KUNIT(symbol)

#endif /* _N3T_SHIM_KUNIT_VISIBILITY_H */
