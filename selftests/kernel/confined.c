// SPDX-License-Identifier: GPL-2.0
/* System calls with n3-exporter's filter, for the emulated machine. */
#include "../../tools/n3exporter/tests/confined.c"
