#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# version.sh [FILE] - prints the version of everything: module, tools, packages, DKMS. FILE is
# another n3t.h.

sed -n 's/^#define N3T_VERSION[[:blank:]]*"\(.*\)"$/\1/p' \
	"${1:-"$(dirname "$0")/../../drivers/perf/n3_telemetry/libn3t/n3t.h"}"
