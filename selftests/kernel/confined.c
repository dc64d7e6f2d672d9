// SPDX-License-Identifier: GPL-2.0
/* The filter of n3-exporter and its test, for the emulated machine. */
#include "../../tools/n3exporter/confine.c"
#include "../../tools/n3exporter/tests/confined.c"
