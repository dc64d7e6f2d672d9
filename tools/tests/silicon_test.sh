# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# shellcheck shell=sh disable=SC2154 # run.sh and lib.sh set the rest
# dev/silicon.sh without a machine to test: options, the report of hostile texts, the comparison of
# turns. selftests/pmu/silicon.sh has the rest.

silicon=$here/../dev/silicon.sh

# status OPTION...: of a run that must not begin
status()
{
	"$silicon" "$@" >"$tmp/out" 2>"$tmp/err"
	echo $?
}
same "values may follow a blank or =" 0 "$(status --minutes=7 --core n2 --help)"
same "--help succeeds" 0 "$(status --help)"
for option in --core --minutes --module -o; do
	grep -q -- "$option " "$tmp/out" || echo "$option"
done >"$tmp/missing"
[ ! -s "$tmp/missing" ] && [ "$(wc -L <"$tmp/out")" -le 84 ]
result $? "--help has all options"
wrong=$(for options in --minute=3 --minutes=0 --minutes=1441 --minutes=x --minutes=99999 --core \
	--module=/none extra; do
	status $options
done | sort -u | xargs)
same "wrong options are refused" 2 "$wrong"
if [ "$(id -u)" -ne 0 ]; then
	same "without root nothing begins" 1 "$(status --minutes 1)"
fi

# --- report

work=$tmp/silicon
mkdir "$work" "$work/out"
host=$(hostname)
# write_with: the report of lines of results and of the kernel log
write_with()
{
	HERE=$here/../dev OUT=$work/out work=$work host=$host sh -c '
		for file in lib report; do
			. "$HERE/silicon/$file.sh"
		done
		begun=0 MINUTES=1 CORE="" N3STAT=false nr_cpus=1 log_begin=""
		dmesg() { cat "$work/log"; }
		printf "%s\n" "part	id	pass	1 \"2\" \\ 3	ns	\\u0041 <&> %s \$HOME of $host" \
			"log	text	fail			$(printf "\001\033[1m\177") é" \
			"others	reserved	pass	123456789012	12:34:56	$(cat "$work/plain")" \
			"others	yielded	pass	$host		at 0xffff800011223344: fe80::5e:1" >"$work/results"
		write_report' >"$tmp/out" 2>"$tmp/err"
}
echo "123456789012 7.2.13.1 12:34:56 12:34:56.789 ffff1234 0x00000000410fd8e0 0000:00:01.0" \
	>"$work/plain"
cat >"$work/log" <<-END
	n3_telemetry: plain PMU armv8_pmuv3 12:34:56 5.10.0-21 0xd8e
	n3_telemetry: $host ${host%%.*} $host.example x$host
	n3_telemetry: $(sed 's/7.2/version 7.2/' "$work/plain")
	n3_telemetry: ip:192.0.2.77:80, 192.0.2.77. [2001:db8::1%eth0], fe80::5e:ff, 02:00:5E:10:00:01
	n3_telemetry: at ffff800011223344: addr:fe80::5e:1, 0xffff80001122, midr 0x410fd8e0
	n3_telemetry: "quoted" \\ back
END
write_with
python3 - "$work/out/report.json" "$host" "$work/plain" >"$tmp/out" 2>"$tmp/err" <<'END'
import json, re, sys
report = json.load(open(sys.argv[1], encoding="utf-8"))
first, second, third, fourth = report["results"]
plain = open(sys.argv[3], encoding="utf-8").read().strip()
assert first["value"] == '1 "2" \\ 3' and first["unit"] == "ns", first
assert first["detail"].startswith("\\u0041 <&> %s $HOME of "), first
assert (second["part"], second["state"], second["value"]) == ("log", "fail", ""), second
assert (third["value"], third["unit"]) == ("123456789012", "12:34:56"), third
assert third["detail"] == plain, third
assert (fourth["value"], fourth["detail"]) == (sys.argv[2], "at ADDRESS: ADDRESS"), fourth
fourth["value"] = ""
log = report["texts"]["log"]
assert log[2] == "n3_telemetry: " + plain.replace("7.2", "version 7.2"), log
assert "armv8_pmuv3" in log[0] and "5.10.0-21 0xd8e" in log[0], log
assert "midr 0x410fd8e0" in log[4], log
assert log[5].endswith('"quoted" \\ back'), log
text = json.dumps(report)
for secret in ("192.0.2", "2001:db8", "fe80", "5E:10", "ffff8000", "11223344"):
    assert secret not in text, secret
short = sys.argv[2].split(".")[0]
if len(short) > 1 and short not in ("localhost", "linux"):
    assert not re.search(rf"(?<!\w){short}(?!\w)", text, re.I), short
    assert "x" + short in log[1], log
END
result $? "the report is JSON with each character, without host name and addresses"

# --- turns

cat >"$tmp/formulas.awk" <<-'END'
	function value_of(metric, count) {
		if (metric == "ratio") return count["A"] / count["B"]
		if (metric == "stalls") return (count["STALL"] / count["CPU_CYCLES"]) * 100
	}
END
# turn FIRST SECOND A B: state of the comparison of the metric "ratio"
turn()
{
	echo "ratio $1" >"$tmp/first"
	echo "ratio $2" >"$tmp/second"
	printf 'ratio A %s %s\nratio B %s %s\n' "$3" "$3" "$4" "$4" >"$tmp/counts"
	awk -v part=turns -f "$tmp/formulas.awk" -f "$here/../dev/silicon/turns.awk" "$tmp/first" \
		"$tmp/second" "$tmp/counts" | cut -f 3
}
same "equal values pass" pass "$(turn 0.500000 0.500000 50000000 100000000)"
same "a difference of 1 % fails" fail "$(turn 0.505000 0.505000 50000000 100000000)"
same "it passes if the module's turns differ as much" pass \
	"$(turn 0.505000 0.500000 50000000 100000000)"
same "their mean is compared" fail "$(turn 0.500000 0.480000 56200000 100000000)"
same "a value of ten events is not compared" not_run "$(turn 0.000010 0.000010 10 1000000)"
same "0 equals 0" pass "$(turn 0.000000 0.000000 0 100000000)"
same "0 does not equal a million events" fail "$(turn 0.000000 0.000000 1000000 100000000)"
same "a word is not compared" not_run "$(turn unplaced unplaced 1000000 100000000)"
same "an event that perf has not counted is not compared" not_run \
	"$(turn 0.500000 0.500000 '<not_counted>' 100000000)"
# 7 of 10 slots stalled, of which the core counts 10 too many
echo "stalls 70.0000" >"$tmp/first"
printf 'stalls STALL 17000000 17000000\nstalls CPU_CYCLES 10000000 10000000\n' >"$tmp/counts"
for corrected in STALL none; do
	awk -v part=turns -v corrected=$corrected -f "$tmp/formulas.awk" \
		-f "$here/../dev/silicon/turns.awk" "$tmp/first" "$tmp/first" "$tmp/counts" | cut -f 3
done >"$tmp/out"
same "CPU_CYCLES are subtracted from events that the module corrects" "pass fail" \
	"$(xargs <"$tmp/out")"
