# SPDX-License-Identifier: GPL-2.0
# The slots lost at each end of the specification's decision tree, the largest first: lines
# "SHARE METRIC", the share in percent of all slots. An end is a leaf, or a metric with a remainder
# that its children do not name; metrics below 5 % of all slots are not split.
#
#	lines "metric value" in a file named *expected*, groups.tsv, tree.tsv

BEGIN { FS = "\t" }
/^#/ { next }
FILENAME ~ /expected/ { split($0, field, " "); value[field[1]] = field[2]; next }
FILENAME ~ /groups/ { members[$1] = $6; next }
{ next_of[$1] = $2 }

function mark_children(node,    list, n, i) {
	n = split(next_of[node], list, ",")
	for (i = 1; i <= n; i++)
		if (list[i] in next_of)
			is_child[list[i]] = 1
}

# Metrics below a node, or in Topdown_L1: those that are nodes; of a group, its metrics that
# are nodes and not children of another metric. Branch_Effectiveness has none.
function below(items, found,    list, parts, n, m, i, j) {
	n = split(items, list, ",")
	for (i = 1; i <= n; i++) {
		if (list[i] in next_of)
			found[list[i]] = 1
		m = split(members[list[i]], parts, ",")
		for (j = 1; j <= m; j++)
			if (parts[j] in next_of && !(parts[j] in is_child))
				found[parts[j]] = 1
	}
}

function part(node) { return value[node] < 0 ? 0 : value[node] > 100 ? 1 : value[node] / 100 }

function split_node(node, share,    found, child, rest) {
	split("", found)
	rest = 1
	if (share >= 5)
		below(next_of[node], found)
	for (child in found) {
		rest -= part(child)
		split_node(child, share * part(child))
	}
	lost[node] = rest > 0 ? share * rest : 0
}

END {
	for (node in next_of)
		mark_children(node)
	split("", roots)
	below("Topdown_L1", roots)
	for (root in roots)
		if (root != "retiring")
			split_node(root, 100 * part(root))
	for (node in lost)
		print lost[node], node | "sort -rn"
}
