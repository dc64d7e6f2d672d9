# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
"""Values, estimates and their 95 % intervals in floating point.

Every quantity derived from a set's slices is a weighted sum of their parts (counts and
time): a list of weights, whose variances and covariances follow from the memory of
successive differences. No matrices are involved, unlike in the module.
"""
import bisect
import collections
import itertools
import math

from workload import FORMULAS

MEMORY_SHORTEST = 64
MIN_DIFFERENCES = 16        # minimum for corrections by anchors
MIN_SHARE = 2**-10          # of its variance that an anchor must add to other anchors
MIN_VARIATION = 2**-10      # standard deviation of an anchor relative to its mean
CHECKPOINTS = 100           # per window

POOLED_SHARE = 0.02         # tolerance for degrees of freedom of several CPUs

# half-width between narrow and wide, which differ if the degrees of freedom are close to
# those of a row of the table
Interval = collections.namedtuple("Interval", "value narrow wide")


def t_quantile(freedom, known={}):
    """97.5 % quantile of Student's t, by Simpson's rule and bisection."""
    if freedom not in known:
        scale = math.exp(math.lgamma((freedom + 1) / 2) - math.lgamma(freedom / 2))
        scale /= math.sqrt(freedom * math.pi)

        def area(x, steps=200):
            heights = [scale * (1 + (i * x / steps)**2 / freedom)**(-(freedom + 1) / 2)
                       for i in range(steps + 1)]
            return x / steps / 3 * (heights[0] + heights[-1] + 4 * sum(heights[1:-1:2]) +
                                    2 * sum(heights[2:-1:2]))

        low, high = 1.0, 20.0
        for _ in range(30):
            middle = (low + high) / 2
            low, high = (middle, high) if area(middle) < 0.475 else (low, middle)
        known[freedom] = low
    return known[freedom]


def t_in_table(freedom):
    """The wider of the two rows of a printed table around it."""
    whole = max(1, round(freedom))
    return t_quantile(max(row for row in (*range(1, 31), 40, 60, 100) if row <= whole))


def dot(a, b):
    return math.fsum(map(float.__mul__, a, b))


def total(rows):
    return [math.fsum(column) for column in zip(*rows)]


def gradient(of, point):
    """Complex-step derivatives, which lose no digits."""
    step = 1e-50
    return [of([complex(value, step * (i == k)) for k, value in enumerate(point)]).imag / step
            for i in range(len(point))]


class Memory:
    """Products of differences of successive slices, which decay by eighths."""

    def __init__(self, size, length):
        self.length = length
        self.last, self.weight, self.taken = None, 0.0, 0
        self.sums = [[0.0] * size for _ in range(size)]

    def add(self, parts):
        if self.last:
            by = [a - b for a, b in zip(parts, self.last)]
            self.sums = [[cell + a * b for cell, b in zip(row, by)]
                         for row, a in zip(self.sums, by)]
            self.weight += 1
            self.taken += 1
            if self.taken % (self.length // 8) == 0:
                self.weight *= 7 / 8
                self.sums = [[7 / 8 * cell for cell in row] for row in self.sums]
        self.last = parts

    def covariance(self, a, b):
        return dot(a, [dot(row, b) for row in self.sums]) / (2 * self.weight)

    def freedom(self):
        squares = 15 / 8 * self.length * self.weight / (2 * self.length - self.weight)
        return max(1, math.floor(2 / 3 * squares + 2 / 9 + 0.5))


class AnchorTotals:
    """Count and time of an anchor on a CPU, known only at checkpoints."""

    def __init__(self, cpu, event, between):
        self.between = between
        places = [events.index(event) if event in events else -1 for events in cpu.plan.sets]
        self.ends = [cpu.starts[0]] + cpu.ends
        self.counts, self.times = ([0, *itertools.accumulate(items)] for items in zip(*(
            (counts[places[chosen]], end - start) if places[chosen] >= 0 else (0, 0)
            for start, end, chosen, counts in zip(cpu.starts, cpu.ends, cpu.sets, cpu.counts))))

    def of(self, since, until):
        """Rate, and the time counted, in the slices that ended in the interval."""
        newest = bisect.bisect_right(self.ends, until) - 1
        before = max(bisect.bisect_left(self.ends, since) - 1, 0)
        before -= before % self.between
        after = min(before + self.between, newest)
        share = max(0, since - self.ends[before]) / (self.ends[after] - self.ends[before])
        count, time = [sums[newest] - sums[before] - min(share, 1) * (sums[after] - sums[before])
                       for sums in (self.counts, self.times)]
        return self._with_rest(count, time, newest, until), time

    def _with_rest(self, count, time, newest, until):
        """Rate, if work goes on for at most one slice like in the newest one."""
        if not time:
            return 0.0
        length = self.times[newest] - self.times[newest - 1]    # 0: the anchor is not counted
        rest = min(until - self.ends[newest], length)
        last = self.counts[newest] - self.counts[newest - 1]
        return (count + last * rest / max(1, length)) / (time + rest)


# residual: weights of the anchor's part that is independent of those before it; off: excess
# of that part's mean in the window over the mean in the set's slices; mean_share: variance of
# the mean, relative to that of the sum over the set's slices
Anchor = collections.namedtuple("Anchor", "residual variance off mean_share")


class Sample:
    """One CPU's slices of a set in a window."""

    def __init__(self, cpu, chosen, window_ns):
        self.cpu, self.chosen, self.window_ns = cpu, chosen, window_ns
        self.events = cpu.plan.sets[chosen]
        self.slices_expected = -(-window_ns // (cpu.ends[0] - cpu.starts[0]))
        self.between = -(-self.slices_expected // CHECKPOINTS)
        self.memory = Memory(len(self.events) + 1, self._memory_length())
        self.totals = {event: AnchorTotals(cpu, event, self.between)
                       for event in cpu.plan.anchors if event in self.events}
        self.until = 0
        self.anchors = []

    def _memory_length(self):
        others = len(self.cpu.plan.sets) - 1
        mine = self.slices_expected / (2 if self.chosen == 0 else 2 * others)
        length = MEMORY_SHORTEST
        while length < mine:
            length *= 2
        return length

    def move(self, since, until):
        """Move on to the next window."""
        for start, end, counts in self.cpu.taken(self.chosen, self.until + 1, until):
            self.memory.add([*map(float, counts), float(end - start)])
        self.until = until

        taken = self.cpu.taken(self.chosen, since, until)
        rows = [[*map(float, counts), float(end - start)] for start, end, counts in taken]
        middle = math.fsum((start + end) / 2 for start, end, _ in taken) / len(taken)
        self.slices, self.sums = len(rows), total(rows)
        self.first, self.last = rows[0], rows[-1]
        off = self.slices * (middle - (since + until) / 2) / (until - since)
        self.off = max(-1, min(1, off))
        self.before = max(0, since - taken[0][0]) / self.first[-1]
        self.anchors = []
        if self.memory.taken >= MIN_DIFFERENCES:
            for event, totals in self.totals.items():
                self._regress(event, *totals.of(since, until))

    def weights(self, of_events):
        """Weights of the deviation of slices from the mean rates times their time."""
        by_time = dot(of_events, self.sums) / self.sums[-1]
        return [*of_events, -by_time]

    def of_event(self, event):
        return [float(event == other) for other in self.events]

    def _slopes(self, weights):
        return [self.memory.covariance(weights, anchor.residual) / anchor.variance
                for anchor in self.anchors]

    def _residual(self, weights):
        """Weights less the part that correlates with the anchors."""
        for anchor, slope in zip(self.anchors, self._slopes(weights)):
            weights = [a - slope * b for a, b in zip(weights, anchor.residual)]
        return weights

    def _regress(self, event, rate, counted_ns):
        if not counted_ns:
            return
        whole = self.weights(self.of_event(event))
        residual = self._residual(whole)
        variance = self.memory.covariance(residual, residual)
        mean = dot(self.of_event(event), self.sums) / self.slices
        if variance <= max(MIN_SHARE * self.memory.covariance(whole, whole),
                           (MIN_VARIATION * mean)**2):
            return

        mine_ns = self.sums[-1]
        off = rate - mean * self.slices / mine_ns
        off -= sum(slope * anchor.off for slope, anchor in zip(self._slopes(whole), self.anchors))
        # number of such slices with the anchor counted, and without
        counted = self.slices * counted_ns / mine_ns
        missed = self.slices * max(0, self.window_ns - counted_ns) / mine_ns
        all_slices = self.slices * self.window_ns / mine_ns
        of_mean = missed / all_slices / counted + self.between**2 / 12 / counted**2
        self.anchors.append(Anchor(residual, variance, off, self.slices * of_mean))

    def rate(self, event):
        return dot(self.of_event(event), self.sums) / self.sums[-1]

    def corrected_rate(self, event):
        slopes = self._slopes(self.weights(self.of_event(event)))
        return max(0.0, self.rate(event) + sum(slope * anchor.off for slope, anchor
                                               in zip(slopes, self.anchors)))

    def _edges(self, weights):
        first, last = dot(weights, self.first), dot(weights, self.last)
        return ((self.off * (last - first))**2 + (first + last)**2 / 12 +
                (first * self.before)**2)

    def variance(self, weights):
        """Variance of a measured rate: the sum of weighted events divided by their time."""
        weights = self.weights(weights)
        variance = self.slices * self.memory.covariance(weights, weights) + self._edges(weights)
        return variance / self.sums[-1]**2

    def corrected_variance(self, weights):
        weights = self.weights(weights)
        residual, slopes = self._residual(weights), self._slopes(weights)
        # error of a prediction away from the mean of the data that the slopes are fitted to
        off = sum((anchor.off * self.sums[-1])**2 / anchor.variance for anchor in self.anchors)
        share = off / self.slices / self.memory.freedom()
        # of residuals, which have fewer degrees of freedom
        share = (1 + share) * self.memory.freedom() / self.corrected_freedom()
        variance = self.slices * share * self.memory.covariance(residual, residual)
        variance += self._edges(residual)
        variance += self.slices * sum(slope**2 * anchor.variance * anchor.mean_share
                                      for slope, anchor in zip(slopes, self.anchors))
        return variance / self.sums[-1]**2

    def freedom(self):
        return self.memory.freedom()

    def corrected_freedom(self):
        return max(1, self.memory.freedom() - len(self.anchors))


class Reference:
    """Expected quality of metrics on one CPU, or over several with one plan."""

    def __init__(self, metrics, cpus, window_ns):
        self.plan = cpus[0].plan
        self.samples = {chosen: [Sample(cpu, chosen, window_ns) for cpu in cpus]
                        for chosen in {self.plan.home[metric] for metric in metrics}}

    def move(self, since, until):
        """Move on to the next window. Every window must be visited."""
        for sample in itertools.chain(*self.samples.values()):
            sample.move(since, until)

    def check_slices(self, metric, fields):
        slices = sum(sample.slices for sample in self.samples[self.plan.home[metric]])
        if int(fields["slices"]) != slices:
            raise ValueError(f"{metric} is of {slices} slices: {fields}")

    def value(self, metric):
        return self._interval(metric, Sample.rate, Sample.variance, Sample.freedom)

    def estimate(self, metric):
        """Falls back to the value if the denominator becomes 0."""
        try:
            return self._interval(metric, Sample.corrected_rate, Sample.corrected_variance,
                                  Sample.corrected_freedom)
        except ZeroDivisionError:
            return self.value(metric)

    def _interval(self, metric, rate, variance, freedom):
        formula, samples = FORMULAS[metric], self.samples[self.plan.home[metric]]
        rates = [sum(rate(sample, event) for sample in samples) for event in formula.events]
        slopes = dict(zip(formula.events, gradient(formula.of, rates)))
        weights = [slopes.get(event, 0.0) for event in samples[0].events]
        error = math.sqrt(sum(variance(sample, weights) for sample in samples))
        degrees = self._freedom(self.plan.home[metric], variance, freedom)
        off = POOLED_SHARE * (len(samples) > 1)
        return Interval(formula.of(rates), error * t_in_table(degrees * (1 + off)),
                        error * t_in_table(degrees * (1 - off)))

    def _freedom(self, chosen, variance, freedom):
        """For several CPUs the harmonic mean of Satterthwaite's approximation for the parts."""
        samples = self.samples[chosen]
        if len(samples) == 1:
            return freedom(samples[0])
        inverses = []
        for event in self._parts(chosen):
            variances = [variance(sample, sample.of_event(event)) for sample in samples]
            squares = sum(v**2 / freedom(sample) for v, sample in zip(variances, samples))
            if sum(variances) and squares:
                inverses.append(squares / sum(variances)**2)
        return len(inverses) / sum(inverses)

    def _parts(self, chosen):
        used = {event for metric, home in self.plan.home.items() if home == chosen
                for event in FORMULAS[metric].events}
        return sorted(used | set(self.plan.anchors) & set(self.plan.sets[chosen]))
