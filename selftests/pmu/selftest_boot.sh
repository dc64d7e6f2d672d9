#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# The step of n3-telemetry-selftest.service, with the capabilities of the unit and Debian's default
# kernel.perf_event_paranoid=3: the first run tests and keeps a report, a later boot applies it
# without a test, a report of another hypervisor is replaced, an undecided test changes nothing.
# machine: n3-hidden
# on: test-long
# timeout: 600

. "$(dirname "$0")/../lib/n3.sh"
. "$(dirname "$0")/../lib/perf.sh"

UNIT=/boot/n3-telemetry-selftest.service
PARANOID=/proc/sys/kernel/perf_event_paranoid
[ -e $UNIT ] || skip_all "needs the unit and its script in /boot: see qemu/run.sh"

plan 15

STATE_DIRECTORY=$tmp/state
export STATE_DIRECTORY
mkdir "$STATE_DIRECTORY"
report=$STATE_DIRECTORY/selftest-$(uname -r).json
config=/etc/n3-telemetry.conf
hidden=$(hidden_events | xargs)

# boot_with CAPABILITY... - the step of the unit, with these capabilities of linux/capability.h
# only; the number of tests is in $tmp/tests
boot_with() {
	: > "$tmp/tests"
	PATH=$tmp/bin:$PATH "$LIB/as_user" -c "$(caps_but "$@")" sh /boot/boot.sh selftest 2>&1
}

# shellcheck disable=SC2046 # one argument a capability
boot() {
	boot_with $(sed -n 's/^CapabilityBoundingSet=//p' $UNIT |
		sed 's/\bCAP_SYS_ADMIN\b/21/; s/\bCAP_PERFMON\b/38/')
}

# notes each call that tests
mkdir "$tmp/bin"
cat > "$tmp/bin/n3stat" <<END
#!/bin/sh
case \$* in
*--input*) ;;
*) echo test >> $tmp/tests ;;
esac
exec /usr/bin/n3stat "\$@"
END
chmod +x "$tmp/bin/n3stat"

paranoid=$(cat $PARANOID)
cleanup() {
	echo "$paranoid" > $PARANOID
	rm -f $config
}

check "n3_telemetry loads" load n3_telemetry
awake
echo 3 > $PARANOID
echo 'selftest = off' > $config
check "with selftest = off the step succeeds" boot
same "it does not test then" "0 " "$(wc -l < "$tmp/tests") $(ls "$STATE_DIRECTORY")"
rm $config
check "without CAP_SYS_ADMIN the step succeeds" boot_with 38
same "the test is undecided then, as it may not write a setting" "1 none" \
	"$(wc -l < "$tmp/tests") $(cat $N3T/distrust)"
same "an undecided test leaves no report" "" "$(ls "$STATE_DIRECTORY")"

check "the first run succeeds" boot
same "it tests once, and keeps a report" "1 ${report##*/}" \
	"$(wc -l < "$tmp/tests") $(ls "$STATE_DIRECTORY")"
same "distrust has exactly the hidden events" "$hidden" "$(cat $N3T/distrust)"
cp "$report" "$tmp/first"
echo none > $N3T/distrust
check "a later boot succeeds" boot
same "it applies the report without a test" "0 $hidden" \
	"$(wc -l < "$tmp/tests") $(cat $N3T/distrust)"

sed 's/"guest":"/&another-/' "$tmp/first" > "$report"
cp "$report" "$tmp/other"
echo 0 > $N3T/enable
hold_counters -a
check "a report of another hypervisor, while others hold all counters: the step succeeds" boot
same "the undecided test changes nothing" "1 $hidden" \
	"$(wc -l < "$tmp/tests") $(cat $N3T/distrust)"
check "it keeps the old report" cmp "$report" "$tmp/other"
release_counters
echo 1 > $N3T/enable
boot > "$tmp/out"
same "once counters are free, a boot replaces that report" "1 0" \
	"$(wc -l < "$tmp/tests") $(grep -c another- "$report")"
