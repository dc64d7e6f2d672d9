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
done <"$tmp/names" >"$tmp/out" && [ "$(wc -l <"$tmp/names")" -eq 14 ] && [ ! -s "$tmp/out" ]
result $? "the rules in fleet.rst exist"

sed -n '/define "reason"/,/define "machine"/s/.*"reason", "\([^"]*\)".*/\1/p' \
	"$rules/consoles/n3-fleet.html" >"$tmp/reasons"
while read -r reason; do
	grep -q "^       \* - .*$reason" "$guide" || echo "$reason"
done <"$tmp/reasons" >"$tmp/out" && [ "$(wc -l <"$tmp/reasons")" -eq 12 ] && [ ! -s "$tmp/out" ]
result $? "fleet.rst explains the page's reasons"

# /usr/share as packages install it
share=$tmp/share/n3_telemetry
mkdir -p "$share"
cp -r "$rules" "$share/prometheus"
sed -n '/^	rule_files:/,/^$/s/^	//p' "$guide" >"$tmp/prometheus.yml"
name="the configuration in fleet.rst is valid"
if [ -n "${PROMETHEUS:-}" ]; then
	# shellcheck disable=SC2016 # the inner shell expands it
	unshare -rm sh -c 'mount --bind "$1" /usr/share && exec "$2" check config "$3"' - \
		"$tmp/share" "$PROMETHEUS/promtool" "$tmp/prometheus.yml" >"$tmp/out" 2>&1 &&
		grep -q "^Checking /usr/share/n3_telemetry/prometheus/alerts.yml" "$tmp/out"
	result $? "$name"
else
	skip "$name" "PROMETHEUS is not set"
fi

# check NAME PROGRAM ARGUMENTS: a test with Debian's programs
check()
{
	name=$1
	shift
	if [ -n "${PROMETHEUS:-}" ]; then
		timeout 600 "$@" >"$tmp/out" 2>"$tmp/err"
		result $? "$name"
	else
		skip "$name" "PROMETHEUS is not set"
	fi
}

plain_exporter=${plain_n3stat%/*}/n3-exporter
check "n3stat and the rules name the same areas and causes" \
	"$here/answers.py" "${PROMETHEUS:-}" "$plain_n3stat" "$rules"
check "rules load at most half of the samples that they once did" \
	"$here/samples.py" "${PROMETHEUS:-}" "$plain_exporter" "$rules"

cases=$(sed -n 's/^def case_\([a-z_]*\)():  #.*/\1/p' "$here/alerts.py")
for case in $cases; do
	check "alerts: $(sed -n "s/^def case_$case():  # //p" "$here/alerts.py")" \
		"$here/alerts.py" "${PROMETHEUS:-}" "$rules" "$case"
done

for test in check ratio fleet replicates missing labels containers alerts alertmanager restart \
	prometheus; do
	# the sanitized program starts slowly; it runs where it serves
	case $test in
	prometheus) exporter=$built/n3-exporter ;;
	*) exporter=$plain_exporter ;;
	esac
	case ${LONG:-}$test in
	fleet | replicates | missing | labels) continue ;;
	esac
	check "rules: $(sed -n "s/^def test_$test(.*# //p" "$here/rules.py")" \
		"$here/rules.py" "$test" "${PROMETHEUS:-}" "$exporter" "$rules"
done
