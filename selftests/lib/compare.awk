# SPDX-License-Identifier: GPL-2.0
# Compares the group files of a CPU with expected values: see sim.sh.
#
#	-v cpu=N -v dir=DIRECTORY -v bar=RELATIVE-ERROR -v points=PERCENTAGE-POINTS
#	-v counters=N	metrics that need more programmable counters must be "unplaced"
#	-v events=NAMES -v word=WORD	metrics that need one of these, as A|B, must be WORD, if placed
#	-v wait_for=WORDS	words that a value replaces later, as a|b
#	-v pass=WORDS	words that may be reported instead of any value, as a|b
#	-v skip=METRICS	metrics that are not checked, as a|b
#	metrics.tsv groups.tsv, lines "metric value terms"; errors are shares of the terms

# "+ 0" makes a number of a text, which compares differently
function size(x) { return x < 0 ? -x : x + 0 }

function complain(text) {
	if (wrong++ < 8)
		printf "cpu%s %s\n", cpu, text
}

# Below this, rounding and integer counts exceed errors of the module.
function tiny(metric) {
	return unit[metric] ~ /percent|MPKI/ ? 1 : 0.01
}

# Allowed error: percentage points, or 1 % of values in other units and of percentages above
# 100 %, which random rates produce.
function allowed(metric) {
	if (unit[metric] ~ /percent/ && terms[metric] <= 100)
		return points
	return 0.01 * (terms[metric] > tiny(metric) ? terms[metric] : tiny(metric))
}

function compare(file, metric, got,    error, relative) {
	if (skip != "" && metric ~ "^(" skip ")$") {
		passed++
		return
	}
	if (needs[metric] > counters) {
		unplaced++
		if (got != "unplaced")
			complain(file ": " metric " " got ", expected unplaced")
		return
	}
	if (named[metric]) {
		words++
		if (got != word)
			complain(file ": " metric " " got ", expected " word)
		return
	}
	if (pass != "" && got ~ "^(" pass ")$") {
		passed++
		return
	}
	if (got ~ "^(" wait_for ")$") {
		late++
		return
	}
	numbers++
	if (got !~ (unit[metric] ~ /percent|MPKI/ ? \
		    "^-?[0-9]+[.][0-9][0-9][0-9][0-9]$" : \
		    "^-?[0-9]+[.][0-9][0-9][0-9][0-9][0-9][0-9]$")) {
		complain(file ": " metric " " got ", expected " expected[metric])
		return
	}
	error = size(got - expected[metric])
	if (error > allowed(metric)) {
		complain(file ": " metric " " got ", expected " expected[metric])
		return
	}
	if (terms[metric] < tiny(metric))
		return
	relative = error / terms[metric]
	if (relative > worst) {
		worst = relative
		worst_metric = metric
	}
	if (relative > bar)
		complain(file ": " metric " " got ", expected " expected[metric] \
			 ", off by " relative * 100 " %")
}

function compare_file(group,    file, line, field, members, n, i, left) {
	n = split(metrics_of[group], members, ",")
	for (i = 1; i <= n; i++)
		left[members[i]] = 1

	file = tolower(group)
	while ((getline line < (dir "/" file)) > 0) {
		if (split(line, field, " ") != 2 || !(field[1] in left)) {
			complain(file ": unexpected line: " line)
			continue
		}
		delete left[field[1]]
		seen[field[1]] = 1
		compare(file, field[1], field[2])
	}
	close(dir "/" file)
	for (i in left)
		complain(file ": " i " is missing")
}

# Number of programmable events in a formula; each occurs in it by name.
function events_of(formula,    n, i, word, have) {
	gsub(/[^A-Z0-9_]+/, " ", formula)
	split(formula, word, " ")
	for (i in word)
		if (word[i] ~ /^[A-Z]/ && word[i] != "CPU_CYCLES" && !(word[i] in have)) {
			have[word[i]] = 1
			n++
		}
	return n
}

# Whether a formula contains one of the events.
function names_one(formula,    n, i, part) {
	gsub(/[^A-Z0-9_]+/, " ", formula)
	n = split(formula, part, " ")
	for (i = 1; i <= n; i++)
		if (events != "" && part[i] ~ "^(" events ")$")
			return 1
	return 0
}

/^#/ { next }
FNR == 1 || (FNR == 2 && !part_begun[FILENAME]) {
	part_begun[FILENAME] = 1
	part++
}
part == 1 {
	split($0, tab, "\t")
	unit[tab[1]] = tab[4]
	needs[tab[1]] = events_of(tab[3])
	named[tab[1]] = names_one(tab[3])
}
part == 2 { split($0, tab, "\t"); metrics_of[tab[1]] = tab[6] }
part == 3 {
	expected[$1] = $2 + 0
	terms[$1] = $3 + 0
}

END {
	for (group in metrics_of)
		compare_file(group)
	for (metric in unit)
		nr += metric in seen
	if (nr != 67)
		complain(nr + 0 " metrics seen, not 67")
	printf "cpu%s: %d numbers, %d wrong, %d unplaced, %d %s, ", cpu, numbers, wrong, unplaced,
		words, word == "" ? "by word" : word
	printf "%d late, %d passed; largest error %.4f %% (%s)\n", late, passed, worst * 100,
		worst_metric
	exit wrong ? 1 : late ? 2 : 0
}
