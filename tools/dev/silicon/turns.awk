# SPDX-License-Identifier: GPL-2.0
# Compares metrics of two turns of the module with perf's counts in between.
#
#	-v part=NAME
#	-v corrected=EVENTS	events from which the module subtracts CPU_CYCLES
#	-v units=FILE		"metric<tab>unit"
#	FIRST SECOND		"metric value" of the module
#	PERF			"metric event count raw": scaled by perf, and as counted
#
# Prints results; exits with 1 if one fails. The mean of the module's turns is compared. The tolerance
# is three times their difference, and the change by 0.2 % and three standard deviations of each
# count.

function size(x) { return x < 0 ? -x : x + 0 }
function is_number(text) { return text ~ /^-?[0-9]/ }

# busybox may lack the functions of mathematics.
function root(x,    i, guess) {
	guess = x > 1 ? x : 1
	for (i = 0; i < 60; i++)
		guess = (guess + x / guess) / 2
	return guess
}

# A digit of the last place that is printed.
function last_digit(text,    digit, i) {
	digit = 1
	for (i = match(text, /[.].*/) ? RLENGTH : 1; i > 1; i--)
		digit /= 10
	return digit
}

function report(metric, state, value, detail) {
	failed += state == "fail"
	printf "%s\t%s\t%s\t%s\t%s\t%s\n", part, metric, state, value,
		value == "" ? "" : unit[metric], detail
}

# From the correction of the module, which knows the cycles of each slice.
function correct(event, count) {
	if (index(" " corrected " ", " " event " ") && cycles)
		count -= cycles
	return count > 0 ? count : 0
}

# How far the value moves with this share and three standard deviations of each count.
function uncertainty(metric, value, nr, event, share,    i, kept, scale, sum) {
	for (i = 1; i <= nr; i++) {
		kept = count[event[i]]
		scale = raw[metric, event[i]] ? scaled[metric, event[i]] / raw[metric, event[i]] : 1
		count[event[i]] += share * kept + 3 * root(raw[metric, event[i]] + 1) * scale
		sum += size(value_of(metric, count) - value)
		count[event[i]] = kept
	}
	return sum
}

function compare(metric,    nr, event, i, value, noise, tolerance, text) {
	if (!(is_number(first[metric]) && is_number(second[metric]))) {
		report(metric, "not_run", "", "the module: " first[metric] \
			(first[metric] == second[metric] ? "" : ", then " second[metric]))
		return
	}
	nr = split(events[metric], event, " ")
	split("", count)
	cycles = scaled[metric, "CPU_CYCLES"]
	for (i = 1; i <= nr; i++) {
		if (!is_number(scaled[metric, event[i]])) {
			report(metric, "not_run", first[metric],
				"perf: " event[i] " " scaled[metric, event[i]])
			return
		}
		count[event[i]] = correct(event[i], scaled[metric, event[i]])
		# a denominator of 0 would end awk
		if (count[event[i]] == 0)
			count[event[i]] = 1e-9
	}
	value = value_of(metric, count)
	noise = 3 * size(first[metric] - second[metric]) + uncertainty(metric, value, nr, event, 0)
	tolerance = noise + uncertainty(metric, value, nr, event, 0.002) + \
		2 * last_digit(first[metric])
	text = sprintf("perf %.6g, the module again %s, tolerance %.2g", value, second[metric],
		tolerance)
	if (noise > size(value) / 2 && (first[metric] != 0 || second[metric] != 0 || value > 1e-6))
		report(metric, "not_run", first[metric], "too few events to compare; " text)
	else if (size(value - (first[metric] + second[metric]) / 2) <= tolerance)
		report(metric, "pass", first[metric], text)
	else
		report(metric, "fail", first[metric], text)
}

BEGIN {
	while (units != "" && (getline line < units) > 0) {
		split(line, word, "\t")
		unit[word[1]] = word[2]
	}
}
FNR == 1 { file++ }
file == 1 { first[$1] = $2 }
file == 2 { second[$1] = $2 }
file == 3 {
	if (!($1 in events))
		order[++nr_metrics] = $1
	events[$1] = events[$1] " " $2
	scaled[$1, $2] = $3
	raw[$1, $2] = $4
}

END {
	for (i = 1; i <= nr_metrics; i++)
		compare(order[i])
	exit failed > 0
}
