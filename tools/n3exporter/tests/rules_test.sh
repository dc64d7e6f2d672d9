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
grep -o '^``N3Telemetry.*' "$guide" | grep -o 'N3Telemetry[A-Za-z]*' | sort |
	diff - "$tmp/alerts" >"$tmp/out" 2>&1 && [ -s "$tmp/alerts" ]
result $? "fleet.rst explains all alerts"
sed -n "s/.*runbook_url: '.*#\(.*\)'$/\1/p" "$rules/alerts.yml" >"$tmp/links"
while read -r link; do
	grep -q "^\.\. _$link:$" "$guide" || echo "$link"
done <"$tmp/links" >"$tmp/out" && [ "$(wc -l <"$tmp/links")" -eq "$(wc -l <"$tmp/alerts")" ] &&
	[ ! -s "$tmp/out" ]
result $? "each alert links to its text"
sed -n 's/^``\([a-z]*:[a-z0-9_.:]*\)``  .*/\1/p' "$guide" |
	sed 's/\.\.\./n3_telemetry_/' >"$tmp/names"
while read -r name; do
	grep -q "record: $name\$" "$rules/rules.yml" || echo "$name"
done <"$tmp/names" >"$tmp/out" && [ "$(wc -l <"$tmp/names")" -eq 13 ] && [ ! -s "$tmp/out" ]
result $? "the rules in fleet.rst exist"

name="n3stat and the rules name the same areas and causes"
if [ -n "${PROMETHEUS:-}" ]; then
	timeout 600 "$here/answers.py" "$PROMETHEUS" "$plain_n3stat" "$rules" >"$tmp/out" 2>"$tmp/err"
	result $? "$name"
else
	skip "$name" "PROMETHEUS is not set"
fi

cases=$(sed -n 's/^def case_\([a-z_]*\)():  #.*/\1/p' "$here/alerts.py")
for case in $cases; do
	name="alerts: $(sed -n "s/^def case_$case():  # //p" "$here/alerts.py")"
	if [ -n "${PROMETHEUS:-}" ]; then
		timeout 600 "$here/alerts.py" "$PROMETHEUS" "$rules" "$case" >"$tmp/out" 2>"$tmp/err"
		result $? "$name"
	else
		skip "$name" "PROMETHEUS is not set"
	fi
done

for test in check ratio fleet replicates missing labels alerts alertmanager restart prometheus; do
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
