# SPDX-License-Identifier: GPL-2.0
# Compares sampled sums of containers with the truth: see containers_truth.sh.
#
#	-v parts=N	snapshots of a window
#	-v least=N	pieces of a cgroup in a window; quotients of few have a bias
#	-v between=N	snapshots between windows, 1 or 0
#	-v pod="ID..."	these cgroups are one as well
#	snapshots in the order of time
#
# Output: "held" intervals, all intervals, percent; of the worst cgroups, with the percentage of
# the bound: "error" in points, "cycles" and "time" in percent; time only of cgroups with long runs,
# as reading lengthens runs: on the emulator by two microseconds. "elapsed": all true times, in
# percent of the uptime.

BEGIN {
	QUANTILE = 2.365	# of Student's t with 7 degrees of freedom
	POINTS = 0.3
	PERCENT = 2
	ROUNDING = 0.01
	LONG_RUN_NS = 200e3
	nr_in_pod = split(pod, ids, " ")
	for (i in ids)
		in_pod[ids[i]]
	at = -1
}

# The guest's awk has no functions of that kind.
function root(x,    r, i) {
	if (x <= 0)
		return 0
	r = x < 1 ? 1 : x
	for (i = 0; i < 200; i++)
		r = (r + x / r) / 2
	return r
}

function keep(kind, id, column, value) {
	sum[at, kind, id, column] += value
	if (id in in_pod)
		sum[at, kind, "pod", column] += value
}

FNR == 1 { at++ }

$1 == "m" && $2 == 1 && FNR == 1 {
	dropped[at] = $7
	switches[at] = $3
	next
}

$1 == "m" {
	for (i = 0; i < 8; i++)
		keep("m", $2, i, $(5 + i))
	keep("m", $2, "pieces", $4)
	next
}

$1 == "u" {
	uptime[at] = $2
	next
}

{ passed_ns[at] += $4 }

$2 != "idle" && $2 != 0 {
	ids_seen[$2]
	if ($2 in in_pod)
		ids_seen["pod"]
	for (i = 0; i < 8; i++)
		keep("t", $2, i, $(4 + i))
	keep("t", $2, "runs", $3)
	keep("t", $2, "counted0", $12)
	keep("t", $2, "counted1", $13)
	next
}

function of(kind, id, column, first, last) {
	return sum[last, kind, id, column] - sum[first, kind, id, column]
}

function shares(part, result,    slots, busy, flushed, useful) {
	slots = 5 * part[1]
	busy = 1 - part[2] / slots
	flushed = 5 * part[5] / slots
	useful = part[6] / part[7]
	result[1] = 100 * (part[3] / slots - flushed)
	result[2] = 100 * part[4] / slots
	result[3] = 100 * (busy * (1 - useful) + flushed)
	result[4] = 100 * busy * useful
}

function advance(kind, id, first, last, result,    i) {
	for (i = 0; i < 8; i++)
		result[i] = of(kind, id, i, first, last)
}

# half the width of the interval of each share
function jackknife(id, first, last, half,    part, i, k, rest, x, total, square) {
	split("", total)
	split("", square)
	advance("m", id, first, last, whole)
	for (part = first; part < last; part++) {
		for (i = 0; i < 8; i++)
			rest[i] = whole[i] - of("m", id, i, part, part + 1)
		shares(rest, x)
		for (k = 1; k <= 4; k++) {
			total[k] += x[k]
			square[k] += x[k] * x[k]
		}
	}
	for (k = 1; k <= 4; k++) {
		spread = square[k] - total[k] * total[k] / parts
		half[k] = QUANTILE * root((parts - 1) / parts * spread)
	}
}

function window(id, first, last,    k) {
	advance("t", id, first, last, part)
	shares(part, right)
	advance("m", id, first, last, part)
	shares(part, got)
	jackknife(id, first, last, half)
	for (k = 1; k <= 4; k++) {
		error = got[k] - right[k]
		intervals++
		held += (error < 0 ? -error : error) <= half[k] + ROUNDING
		n[id, k]++
		errors[id, k] += error
		squares[id, k] += error * error
	}
}

function worse(name, value, bound) {
	if (value < 0 ? -value > bound * worst[name] : value > bound * worst[name]) {
		worst[name] = (value < 0 ? -value : value) / bound
		worst_value[name] = value
	}
}

function standard_error(sum, square, n) {
	square -= sum * sum / n
	return n > 1 ? root(square / (n - 1) / n) : 0
}

# Standard errors that a mean of a few windows is off in one of 1000 cases: Student's t. From 20
# windows on, three are the bar.
function tolerated(n) {
	return n < 5 ? 12.9 : n < 6 ? 8.6 : n < 20 ? 6 : 3
}

# Error of the weighted time or cycles in all parts together, and its standard error.
function compare(name, id, column,    part, ratio, d, total, square, right, error) {
	right = of("t", id, "counted" column, 0, at)
	ratio = of("m", id, column, 0, at) / right
	for (part = 0; part < at; part++) {
		d = of("m", id, column, part, part + 1)
		d -= of("t", id, "counted" column, part, part + 1) * ratio
		total += d
		square += d * d
	}
	error = 100 * at * standard_error(total, square, at) / right
	printf ", %s %+.2f %% (%.2f)", name, 100 * (ratio - 1), error
	error *= at < 100 ? 3.6 : 3
	worse(name, 100 * (ratio - 1), error > PERCENT ? error : PERCENT)
}

END {
	for (id in ids_seen) {
		if (of("m", id, "pieces", 0, at) < least * at / parts)
			continue
		for (first = 0; first + parts <= at; first += parts + between)
			window(id, first, first + parts)
		printf "cgroup %s: %.0f pieces", id, of("m", id, "pieces", 0, at)
		for (k = 1; k <= 4; k++) {
			error = standard_error(errors[id, k], squares[id, k], n[id, k])
			printf ", %+.2f (%.2f)", errors[id, k] / n[id, k], error
			error *= tolerated(n[id, k])
			worse("error", errors[id, k] / n[id, k], error > POINTS ? error : POINTS)
		}
		compare("cycles", id, 1)
		if (of("t", id, 0, 0, at) > LONG_RUN_NS * of("t", id, "runs", 0, at))
			compare("time", id, 0)
		print ""
		owners++
	}
	printf "owners %d windows %d switches %d dropped %d\n", owners,
		int((at + between) / (parts + between)), switches[at] - switches[0], dropped[at] - dropped[0]
	if (uptime[0])
		printf "elapsed %.3f\n",
			(passed_ns[at] - passed_ns[0]) / (uptime[at] - uptime[0]) / 1e7
	printf "held %d %d %.1f\n", held, intervals, intervals ? 100 * held / intervals : 0
	printf "error %+.3f %.0f\n", worst_value["error"], 100 * worst["error"]
	printf "cycles %+.2f %.0f\n", worst_value["cycles"], 100 * worst["cycles"]
	printf "time %+.2f %.0f\n", worst_value["time"], 100 * worst["time"]
}
