# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
"""Workloads with known true values, as slices that the module could have taken.

A workload is a sequence of phases, each with its own rate of every event.
The module's own rotation (quality_eval plan) selects the set that is counted in
each slice; the counts follow from the phases that overlap the slice, and
noise. The truth is the formula over a whole window, counted or not: Slices.truth()
excludes the noise, Slices.counted() includes it. Formulas are read from the
specification's metrics.tsv.
"""
import array
import bisect
import math
import multiprocessing
import operator
import os
import random
import re
import subprocess

HERE = os.path.dirname(os.path.abspath(__file__))
SPEC = os.path.join(HERE, "..", "spec", "metrics.tsv")
OUTPUT = os.environ.get("OUTPUT", os.path.join(HERE, "..", "..", "build", "user"))
PROGRAM = os.path.join(OUTPUT, "quality_eval")
BUDGET = 6
SLOTS = 5           # per cycle
MS = 10**6
SLICE = 20 * MS     # reference length for noise
START = 10**9


class Formula:
    """A metric's formula as a function of counts in the order of its events."""

    def __init__(self, text, unit):
        decimals = 4 if unit == "MPKI" or unit.startswith("percent") else 6
        self.text = text
        self.events = sorted(set(re.findall(r"[A-Z][A-Z0-9_]*", text)))
        self.unit = 10**-decimals
        self.is_percentage = unit.startswith("percent")
        code = re.sub(r"[A-Z][A-Z0-9_]*", lambda m: f"c[{self.events.index(m[0])}]", text)
        self.of = eval(f"lambda c: {code}")


def read_formulas():
    formulas = {}
    with open(SPEC, encoding="ascii") as table:
        for line in table:
            if not line.startswith("#"):
                name, _, text, unit = line.rstrip("\n").split("\t")
                formulas[name] = Formula(text, unit)
    return formulas


FORMULAS = read_formulas()

STALL_SLOT_PARTS = ("STALL_SLOT_FRONTEND", "STALL_SLOT_BACKEND")    # STALL_SLOT is their sum

L1 = ("backend_bound", "bad_speculation", "retiring")
OTHERS = ("backend_mem_bound", "branch_mpki", "l1d_cache_miss_ratio")


def issue(counts):
    """Every slot is stalled or holds an operation, as the module checks."""
    counts["OP_SPEC"] = SLOTS * counts["CPU_CYCLES"] - counts["STALL_SLOT"]


def rates(ghz=3.0, ipc=1.0, frontend=10, backend=40, speculation=10, flush=1, mpki=5, miss=0.05,
          backend_split=(60, 25, 15), memory_split=(50, 20, 20, 10), rename=40,
          frontend_split=(70, 30), fetch_split=(50, 20, 30), flow=80):
    """Rates of a CPU per second: shares in percent of their parent.

    backend_split: memory, core, busy; memory_split: L1D, L2, TLB, stores;
    frontend_split: memory, core; fetch_split: L1I, L2, TLB.
    """
    cycles = ghz * 1e9
    retiring = 100 - frontend - backend - speculation
    stalled = frontend + flush + backend    # flushes count as speculation
    stall_backend, stall_frontend = backend / 100 * cycles, (frontend + flush) / 100 * cycles
    counts = {
        "CPU_CYCLES": cycles, "INST_RETIRED": ipc * cycles,
        "STALL_FRONTEND_FLUSH": flush / 100 * cycles,
        "STALL_SLOT_FRONTEND": SLOTS * stall_frontend,
        "STALL_SLOT_BACKEND": SLOTS * stall_backend,
        "STALL_SLOT": stalled / 100 * SLOTS * cycles,
        "STALL_BACKEND": stall_backend, "STALL_FRONTEND": stall_frontend,
    }
    issue(counts)
    counts["OP_RETIRED"] = counts["OP_SPEC"] * retiring / (100 - stalled)

    def split(prefix, whole, shares, names):
        for share, name in zip(shares, names):
            counts[prefix + name] = share / 100 * whole

    split("STALL_BACKEND_", stall_backend, backend_split, ("MEMBOUND", "CPUBOUND", "BUSY"))
    split("STALL_BACKEND_", counts["STALL_BACKEND_MEMBOUND"], memory_split,
          ("L1D", "MEM", "TLB", "ST"))
    split("STALL_BACKEND_", counts["STALL_BACKEND_CPUBOUND"], (rename,), ("RENAME",))
    split("STALL_FRONTEND_", stall_frontend, frontend_split, ("MEMBOUND", "CPUBOUND"))
    split("STALL_FRONTEND_", counts["STALL_FRONTEND_MEMBOUND"], fetch_split, ("L1I", "MEM", "TLB"))
    split("STALL_FRONTEND_", counts["STALL_FRONTEND_CPUBOUND"], (flow,), ("FLOW",))
    counts["BR_RETIRED"] = 0.2 * counts["INST_RETIRED"]
    counts["BR_MIS_PRED_RETIRED"] = mpki / 1000 * counts["INST_RETIRED"]
    counts["L1D_CACHE"] = 0.3 * counts["INST_RETIRED"]
    counts["L1D_CACHE_REFILL"] = miss * counts["L1D_CACHE"]
    return counts


def seconds_between(since, until):
    return [(b - a) / 1e9 for a, b in zip(since, until)]


def count_in(seconds, rates_of_kinds):
    return sum(map(operator.mul, seconds, rates_of_kinds))


class Phases:
    """Phases of (length in ns, rates) in sequence, repeated."""

    def __init__(self, parts):
        self.kinds = []
        self.bounds = [0.0]
        self.times = [[]]       # for each kind of phase, up to each bound
        for length, kind in parts:
            if kind not in self.kinds:
                self.kinds.append(kind)
            self.bounds.append(self.bounds[-1] + length)
        self.times = [[0.0] * len(self.kinds)]
        self.at = []
        for length, kind in parts:
            self.at.append(self.kinds.index(kind))
            self.times.append(list(self.times[-1]))
            self.times[-1][self.at[-1]] += length

    def until(self, when):
        """Total nanoseconds of each kind up to that time."""
        turns, rest = divmod(when, self.bounds[-1])
        i = min(bisect.bisect_right(self.bounds, rest), len(self.at)) - 1
        times = [turns * whole + part for whole, part in zip(self.times[-1], self.times[i])]
        times[self.at[i]] += rest - self.bounds[i]
        return times

    def rates(self, events):
        """Rates of each event by kind of phase; the default is a common rate."""
        return [[kind.get(event, 1e8) for kind in self.kinds] for event in events]

    def counts(self, since, until, events):
        """Counts of the events between the two times."""
        seconds = seconds_between(self.until(since), self.until(until))
        return [count_in(seconds, rates) for rates in self.rates(events)]


class Blend:
    """A mixture of two kinds of work that varies over time; repeated like Phases.

    points: (time in ns, share of the second kind); the share is linear in between.
    """

    def __init__(self, points, first, second):
        self.kinds = [first, second]
        self.bounds = [when - points[0][0] for when, _ in points]
        self.shares = [share for _, share in points]
        self.sums = [0.0]       # time of the second kind up to each point
        for i in range(1, len(points)):
            length = self.bounds[i] - self.bounds[i - 1]
            self.sums.append(self.sums[-1] +
                             length * (self.shares[i - 1] + self.shares[i]) / 2)

    def until(self, when):
        turns, rest = divmod(when, self.bounds[-1])
        i = min(bisect.bisect_right(self.bounds, rest), len(self.bounds) - 1) - 1
        done = rest - self.bounds[i]
        slope = (self.shares[i + 1] - self.shares[i]) / (self.bounds[i + 1] - self.bounds[i])
        second = turns * self.sums[-1] + self.sums[i] + done * (self.shares[i] + slope * done / 2)
        return [when - second, second]

    rates = Phases.rates
    counts = Phases.counts


CALM = rates(ipc=1.8, backend=20, frontend=8, speculation=7, backend_split=(30, 50, 20),
             mpki=2, miss=0.02)
MEMORY = rates(ipc=0.4, backend=75, frontend=5, speculation=3, backend_split=(90, 5, 5),
               mpki=1, miss=0.2)
BRANCHY = rates(ghz=2.4, ipc=0.9, backend=25, frontend=22, speculation=28, flush=4,
                backend_split=(45, 45, 10), mpki=18, miss=0.04)


def at_random(rng, mean_ms, kinds, length_ms):
    """Phases of exponential length, each of a random kind."""
    parts, so_far = [], 0
    while so_far < length_ms:
        parts.append((rng.expovariate(1 / mean_ms) * MS, rng.choice(kinds)))
        so_far += parts[-1][0] / MS
    return Phases(parts)


def in_turn(length_ms, *draws):
    """Phases of the kinds in rotation, with lengths in ms drawn by a function each."""
    parts, so_far = [], 0
    while so_far < length_ms:
        for draw, kind in draws:
            parts.append((draw() * MS, kind))
            so_far += parts[-1][0] / MS
    return Phases(parts)


def periodic(period_ms, *parts):
    """Phases of (share of the period, rates)."""
    return Phases([(share * period_ms * MS, kind) for share, kind in parts])


def walk(rng, length_ms, step_ms=40, step=0.07):
    """A random walk between two kinds, reflected at either."""
    points, so_far, share = [], 0, 0.5
    while so_far < length_ms:
        points += [(so_far * MS, share), ((so_far + step_ms) * MS - 1, share)]
        so_far += step_ms
        share = abs(share + rng.gauss(0, step))
        share = min(share, 2 - share)
    return Blend(points, CALM, MEMORY)


def varied(rng, length_ms):
    """Varied workloads: name, work of the CPU, options for Slices.

    Random sequences repeat after length_ms.
    """
    def exponential(mean_ms):
        return lambda: rng.expovariate(1 / mean_ms)

    def heavy_tailed(least_ms):
        return lambda: min(least_ms * rng.paretovariate(1.3), 2000)

    def ragged(rng):
        # a CPU that is idle at times is not woken to end a slice
        return (4 if rng.random() < 0.85 else 4 + rng.expovariate(1 / 8)) * MS

    for mean in (5, 30, 100, 500):
        yield f"telegraph {mean} ms", at_random(rng, mean, (CALM, MEMORY), length_ms), {}
    yield "three states 60 ms", at_random(rng, 60, (CALM, MEMORY, BRANCHY), length_ms), {}
    for period in (480, 960, 41, 20):
        yield f"period {period} ms", periodic(period, (0.37, CALM), (0.63, MEMORY)), {}
    for burst, calm in ((10, 200), (60, 1200)):
        yield (f"bursts {burst} ms",
               in_turn(length_ms, (exponential(calm), CALM), (exponential(burst), MEMORY)), {})
    yield "random walk", walk(rng, length_ms), {}
    yield "drift", Blend([(0, 0), (2000 * MS, 1), (4000 * MS, 0)], CALM, MEMORY), {}
    yield "steady", periodic(20, (1, BRANCHY)), {}
    yield ("heavy-tailed phases",
           in_turn(length_ms, (heavy_tailed(15), CALM), (heavy_tailed(5), BRANCHY)), {})
    yield ("ragged slices", at_random(rng, 20, (CALM, MEMORY, BRANCHY), length_ms),
           {"pace": ragged})


def unrelated(rng, length_ms):
    """Workloads whose anchors do not correlate with branches, caches and backend shares.

    Format as for varied().
    """
    def kind(backend, mpki, miss, memory):
        return rates(ipc=1.2, backend=backend, mpki=mpki, miss=miss,
                     backend_split=(memory, 90 - memory, 10))

    def drawn(mean_ms, backends):
        kinds = [kind(backend, mpki, miss, memory) for backend in backends
                 for mpki in (3, 12) for miss in (0.02, 0.08) for memory in (35, 70)]
        return at_random(rng, mean_ms, kinds, length_ms)

    yield "unrelated backend 30 ms", drawn(30, (15, 60)), {}
    yield "steady backend, others vary 100 ms", drawn(100, (40,)), {}


def is_sum_of_parts(events):
    return all(name in events for name in STALL_SLOT_PARTS + ("STALL_SLOT",))


class Plan:
    """The module's plan for a setting of anchors, and a sequence of slices."""

    def __init__(self, seed, nr, anchors="auto"):
        text = run(["plan", str(BUDGET), str(seed), str(nr)], anchors)
        rows = [line.split() for line in text]
        self.wanted = anchors
        self.anchors = [row[1] for row in rows if row[0] == "anchor"]
        self.sets = [["CPU_CYCLES"] + row[1:] for row in rows if row[0] == "set"]
        self.home = {row[1]: int(row[2]) for row in rows if row[0] == "home"}
        self.order = [int(word) for word in rows[-1][1:]]


class Slices:
    """Contiguous slices of all sets, as taken on a CPU.

    noise: relative standard deviation of a count in a slice of SLICE.
    pace: draws the length of each slice after the first; default: constant length.
    length: length of the first slice, and without pace of all; default: SLICE.
    """

    def __init__(self, rng, phases, plan, noise=0.02, pace=None, length=None):
        self.phases, self.plan, self.noise = phases, plan, noise
        self.seed = rng.random()
        self.together, self.totals, self.seconds = [], {}, []
        of_sets = [phases.rates(events) for events in plan.sets]
        gauss = rng.gauss
        self.ends, self.starts, self.sets, self.counts = [], [], [], []
        self.sent = 0
        start, before = START, phases.until(START)
        for chosen in plan.order:
            end = start + int(pace(rng) if pace and self.ends else length or SLICE)
            after = phases.until(end)
            seconds = seconds_between(before, after)
            # noise is independent over time
            sigma = noise * math.sqrt(SLICE / (end - start))
            together = max(0.05, gauss(1, sigma))
            self.together.append(together)
            cycles, *others = (count_in(seconds, of_event) for of_event in of_sets[chosen])
            self.counts.append([round(cycles * together)] + [
                round(count * together * max(0.05, gauss(1, sigma))) for count in others])
            if is_sum_of_parts(plan.sets[chosen]):
                place = plan.sets[chosen].index
                self.counts[-1][place("STALL_SLOT")] = sum(self.counts[-1][place(part)]
                                                           for part in STALL_SLOT_PARTS)
            self.seconds.append(seconds)
            self.starts.append(start)
            self.ends.append(end)
            self.sets.append(chosen)
            start, before = end, after

    def lines(self, until, cpu=0):
        """Input of quality_eval for the slices since the last call, up to until."""
        found = []
        while self.sent < len(self.ends) and self.ends[self.sent] <= until:
            i = self.sent
            self.sent += 1
            found.append(f"s {cpu} {self.ends[i]} {self.ends[i] - self.starts[i]} "
                         f"{self.sets[i]} {' '.join(map(str, self.counts[i]))}")
        return found

    def taken(self, chosen, since, until):
        """Start, end and counts of the slices of a set that ended in a window."""
        return [(self.starts[i], self.ends[i], self.counts[i])
                for i in range(bisect.bisect_left(self.ends, since),
                               bisect.bisect_right(self.ends, until))
                if self.sets[i] == chosen]

    def count(self, events):
        """Prepare sums of the events' counts up to each slice, with noise, observed or not.

        counted() needs them; one call for all events is faster than several.
        """
        events = [event for event in events if event not in self.totals]
        if "STALL_SLOT" in events:
            self.count([event for event in events if event != "STALL_SLOT"] +
                       list(STALL_SLOT_PARTS))
            parts = zip(*(self.totals[part] for part in STALL_SLOT_PARTS))
            self.totals["STALL_SLOT"] = array.array("q", map(sum, parts))
            return
        if not events:
            return
        of_kinds, totals = self.phases.rates(events), [0] * len(events)
        gauss = [random.Random(f"{self.seed} {event}").gauss for event in events]
        places = [[found.index(event) if event in found else -1 for event in events]
                  for found in self.plan.sets]
        sums = [array.array("q", [0]) for _ in events]
        for nr, (chosen, counts, seconds) in enumerate(zip(self.sets, self.counts, self.seconds)):
            sigma = self.noise * math.sqrt(SLICE / (self.ends[nr] - self.starts[nr]))
            for i, place in enumerate(places[chosen]):
                if place >= 0:
                    totals[i] += counts[place]
                else:
                    noise = self.together[nr] * max(0.05, gauss[i](1, sigma))
                    totals[i] += round(count_in(seconds, of_kinds[i]) * noise)
                sums[i].append(totals[i])
        self.totals.update(zip(events, sums))

    def _counted_until(self, event, when):
        sums, i = self.totals[event], bisect.bisect_right(self.ends, when)
        if i == len(self.ends):
            return sums[i]
        share = (when - self.starts[i]) / (self.ends[i] - self.starts[i])
        return sums[i] + share * (sums[i + 1] - sums[i])

    def counted(self, events, since, until):
        """Counts of the events between the two times, in every slice."""
        self.count(events)
        return [self._counted_until(event, until) - self._counted_until(event, since)
                for event in events]

    def truth(self, metric, since, until):
        formula = FORMULAS[metric]
        return formula.of(self.phases.counts(since, until, formula.events))


def by_length(short, long):
    """The long value if LONG is 1 in the environment, otherwise the short one."""
    return long if os.environ.get("LONG") == "1" else short


def run(arguments, anchors, text=None):
    result = subprocess.run([PROGRAM, *arguments], input=text, stdout=subprocess.PIPE, text=True,
                            check=True, env={**os.environ, "ANCHORS": anchors})
    return result.stdout.splitlines()


def answers(lines, cpus=1, anchors="auto"):
    return run(["run", str(BUDGET), str(cpus)], anchors, "\n".join(lines) + "\n")


def side_by_side(function, jobs):
    """function(*job) for each job, on at most two CPUs; the results in order."""
    with multiprocessing.Pool(min(2, os.cpu_count() or 1)) as pool:
        yield from (result.get() for result in
                    [pool.apply_async(function, job) for job in jobs])


class Tap:
    def __init__(self):
        self.results = self.failures = 0

    def check(self, good, text):
        self.results += 1
        self.failures += not good
        print(f"{'' if good else 'not '}ok {self.results} - {text}", flush=True)

    def done(self):
        print(f"1..{self.results}")
        return 1 if self.failures else 0
