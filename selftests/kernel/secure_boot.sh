#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# A kernel that enforces signatures, as under Secure Boot. An unsigned module is rejected, and so is
# one with a signature by an unknown key; n3stat doctor has the reason. A module that is signed with
# a key of the kernel loads: the debug kernel knows that of the signed copy, Debian's does not.
#
# MokManager, which makes keys known to Debian's kernel, needs firmware and is not run.
# machine: sig-enforce
# on: test-long

. "$(dirname "$0")/../lib/lib.sh"
. "$(dirname "$0")/../lib/load.sh"

[ -e "$MODULES/signed" ] || skip_all "needs a signed copy of the module: see qemu/kselftest.sh"

plan 9

installed=/lib/modules/$(uname -r)/updates/dkms
mkdir -p "$installed"

# rejected WHAT REASON - three checks
rejected() {
	cp "$MODULES/n3_telemetry.ko" "$installed/"
	lines=$(dmesg | wc -l)
	load n3_telemetry > "$tmp/said" 2>&1
	same "$1 is refused" "Key was rejected by service" "$(sed 's/.*: //' "$tmp/said")"
	dmesg | tail -n +$((lines + 1)) > "$tmp/log"
	check "the kernel log has the reason: $2" grep "Loading of $2 is rejected" "$tmp/log"
	nothing_left "after $1 was refused"
}

same "signatures are enforced" Y "$(cat /sys/module/module/parameters/sig_enforce)"
remember
rejected "an unsigned module" "unsigned module"
finds 7 error module_unsigned "n3_telemetry.ko is not signed" "sign-file .*mokutil --import"
MODULES=$MODULES/signed
case $(uname -r) in
*-arm64)
	rejected "a module signed with an unknown key" "module with unavailable key"
	finds 7 error key_not_enrolled "n3_telemetry.ko is signed with a key" \
		"mokutil --import .*Enroll MOK"
	;;
*)
	check "a module signed with the kernel's key loads" load n3_telemetry
	works
	check "n3stat doctor finds it loaded" sh -c "n3stat doctor | grep '\[module_loaded\]$'"
	check "it unloads" unload n3_telemetry
	;;
esac
