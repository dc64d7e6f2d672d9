# SPDX-License-Identifier: GPL-2.0
# Walks down the specification's decision tree from the largest metric of Topdown_L1 to the
# largest child, and prints the metrics on that path, one a line. It ends where the largest
# child is minor: no larger than the part without a child, or less than 5 % of all slots.
#
#	lines "metric value" in a file named *expected*, groups.tsv, tree.tsv

BEGIN { FS = "\t" }
/^#/ { next }
FILENAME ~ /expected/ { split($0, field, " "); value[field[1]] = field[2]; next }
FILENAME ~ /groups/ { members[$1] = $6; next }
{ next_of[$1] = $2 }

# Candidates below a metric, or in Topdown_L1: metrics that are nodes; of a group, its
# metrics that are nodes and not children of another metric.
function consider(item,    list, n, i) {
	if (item in members) {
		n = split(members[item], list, ",")
		for (i = 1; i <= n; i++)
			if (list[i] in next_of && !(list[i] in is_child))
				consider(list[i])
	} else if (item in next_of) {
		rest -= value[item]
		if (largest == "" || value[item] > value[largest])
			largest = item
	}
}

# Branch_Effectiveness is a group for further analysis; its metrics are not shares of the
# parent.
function consider_children(node,    list, n, i) {
	n = split(next_of[node], list, ",")
	for (i = 1; i <= n; i++)
		if (list[i] != "Branch_Effectiveness")
			consider(list[i])
}

function mark_children(node,    list, n, i) {
	n = split(next_of[node], list, ",")
	for (i = 1; i <= n; i++)
		if (list[i] in next_of)
			is_child[list[i]] = 1
}

END {
	for (node in next_of)
		mark_children(node)
	consider("Topdown_L1")
	share = 100
	rest = 0
	while (largest != "" && value[largest] > rest && share * value[largest] >= 500) {
		node = largest
		share *= value[node] / 100
		print node
		largest = ""
		rest = 100
		consider_children(node)
	}
}
