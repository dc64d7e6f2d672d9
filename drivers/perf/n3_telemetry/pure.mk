# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# The pure units: arithmetic and tables, which build anywhere. User-space tests and
# n3stat take them from here.
n3t-pure := fixed
n3t-pure += core
n3t-pure += real
n3t-pure += formula
n3t-pure += spec
n3t-pure += plan
n3t-pure += slices
n3t-pure += matrix
n3t-pure += covariance
n3t-pure += anchors
n3t-pure += errors
n3t-pure += pool
n3t-pure += verdict
n3t-pure += combine
n3t-pure += student
n3t-pure += quality
n3t-pure += tree
n3t-pure += bottleneck
n3t-pure += contention
n3t-pure += pace
n3t-pure += spe
