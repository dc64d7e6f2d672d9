# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# shellcheck shell=sh disable=SC2016,SC2154 # test.sh and lib.sh set the rest
# Rules for Prometheus, computed by Debian's programs and in exact fractions.

rules=$here/../prometheus

for generator in rules dashboard; do
	"$here/../../dev/gen-$generator.py" --check || differs=1
done >"$tmp/out" 2>&1
result "${differs:-0}" "rules and dashboard are those of the module's tables"

guide=$here/../../../Documentation/admin-guide/fleet.rst
sed -n 's/^  - alert: //p' "$rules/alerts.yml" | sort >"$tmp/alerts"
sed -n 's/^``\(N3Telemetry[A-Za-z]*\)``$/\1/p' "$guide" | sort |
	diff - "$tmp/alerts" >"$tmp/out" 2>&1 && [ -s "$tmp/alerts" ]
result $? "fleet.rst explains all alerts"
sed -n 's/^``\([a-z]*:[a-z0-9_.:]*\)``  .*/\1/p' "$guide" |
	sed 's/\.\.\./n3_telemetry_/' >"$tmp/names"
while read -r name; do
	grep -q "record: $name\$" "$rules/rules.yml" || echo "$name"
done <"$tmp/names" >"$tmp/out" && [ "$(wc -l <"$tmp/names")" -eq 11 ] && [ ! -s "$tmp/out" ]
result $? "the rules in fleet.rst exist"

name="n3stat and the rules name the same areas and causes"
if [ -n "${PROMETHEUS:-}" ]; then
	timeout 600 "$here/answers.py" "$PROMETHEUS" "$plain_n3stat" "$rules" >"$tmp/out" 2>"$tmp/err"
	result $? "$name"
else
	skip "$name" "PROMETHEUS is not set"
fi

for test in check ratio fleet replicates missing labels alerts prometheus; do
	name=$(sed -n "s/^def test_$test(.*# //p" "$here/rules.py")
	# the sanitized program starts slowly; it runs where it serves
	case $test in
	prometheus) exporter=$built/n3-exporter ;;
	*) exporter=${N3STAT_PLAIN:+${N3STAT_PLAIN%/*}/n3-exporter} ;;
	esac
	case ${LONG:-}$test in
	fleet | replicates | missing | labels) continue ;;
	esac
	if [ -n "${PROMETHEUS:-}" ]; then
		timeout 600 "$here/rules.py" "$test" "$PROMETHEUS" "${exporter:-$built/n3-exporter}" "$rules" \
			>"$tmp/out" 2>"$tmp/err"
		result $? "rules: $name"
	else
		skip "rules: $name" "PROMETHEUS is not set"
	fi
done
