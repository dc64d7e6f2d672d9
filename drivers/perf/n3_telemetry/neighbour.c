// SPDX-License-Identifier: GPL-2.0
/*
 * Being a good neighbour to others who count on the same CPU.
 *
 * perf serves events of a CPU before those of a task and does not rotate the
 * former out for the latter, so somebody can wait for as long as the counters
 * are held here. perf runs a timer on a CPU while any event has to wait there:
 * the sampler looks at it once a slice. Seeing it, or a slice that was cut, all
 * counters of that CPU are given back.
 *
 *	yield	They are taken again when nobody has waited for some looks in a
 *		row: as many as are free then. Whoever comes back in vain waits
 *		twice as long the next time.
 *	share	They are taken again after as long as they were held, a second at
 *		the most.
 *
 * With fewer counters than a CPU has to give, one more is asked for from time
 * to time.
 */
#include <linux/cpu.h>
#include <linux/minmax.h>
#include <linux/timekeeping.h>

#include "control.h"
#include "cpus.h"
#include "neighbour.h"
#include "pmu.h"

#define TURN_LOOKS	10	/* slices of a turn when counters are shared, at least */
#define TURN_AWAY_NS	NSEC_PER_SEC	/* away for as long as held, but no longer */
#define SETTLED_LOOKS	50	/* slices after which coming back was not in vain */
#define PATIENCE_MIN	10
#define PATIENCE_MAX	40
#define GROW_LOOKS	50	/* slices between two tries, when counters are missed */
#define GROW_LOOKS_RARE	1000	/* the same when none is */

static void ask(struct n3t_cpu *cpu, enum n3t_neighbour_todo todo)
{
	WRITE_ONCE(cpu->neighbour.todo, todo);
	schedule_work_on(cpu->cpu, &cpu->neighbour.work);
}

/*
 * One counter more than there are was asked for, so perf's timer runs and may have cut
 * a slice, without anybody else who waits: until it has expired, which on a busy
 * machine can take its time. A timer that goes on then runs for others.
 */
static bool is_settling(struct n3t_neighbour *neighbour, ktime_t rotation)
{
	ktime_t own = neighbour->own_rotation;

	if (own == N3T_ROTATION_UNKNOWN) {
		neighbour->own_rotation = rotation;
		return true;
	}
	if (!own || rotation == own)
		return own;

	neighbour->own_rotation = 0;
	return !rotation;
}

/**
 * n3t_neighbour_look() - look after a slice whether others need the counters
 * @cpu: the CPU, the one that runs this
 * @whole: the slice had all counters from its begin to its end
 *
 * Context: the sampler.
 */
void n3t_neighbour_look(struct n3t_cpu *cpu, bool whole)
{
	struct n3t_neighbour *neighbour = &cpu->neighbour;
	unsigned int looks = ++neighbour->looks;
	bool missing = cpu->budget < n3t_usual_budget;
	ktime_t rotation = n3t_pmu_rotation();

	if (is_settling(neighbour, rotation))
		return;
	if (neighbour->sharing && looks <= TURN_LOOKS)
		return;

	if (!whole || rotation)
		ask(cpu, N3T_TODO_LEAVE);
	else if (looks % (missing ? GROW_LOOKS : GROW_LOOKS_RARE) == 0)
		ask(cpu, N3T_TODO_GROW);
}

/**
 * n3t_neighbour_wait() - look whether the counters can be taken again
 * @cpu: the CPU, the one that runs this
 *
 * Context: the sampler, every N3T_AWAY_LOOK_MS while they are away.
 */
void n3t_neighbour_wait(struct n3t_cpu *cpu)
{
	struct n3t_neighbour *neighbour = &cpu->neighbour;

	if (READ_ONCE(neighbour->sharing)) {
		u64 held_ns = neighbour->away_since_ns - neighbour->here_since_ns;

		if (n3t_ns_since(neighbour->away_since_ns) >= min_t(u64, held_ns, TURN_AWAY_NS))
			ask(cpu, N3T_TODO_RETURN);
		return;
	}

	if (n3t_pmu_rotation()) {
		neighbour->quiet = 0;
	} else if (++neighbour->quiet >= READ_ONCE(neighbour->patience)) {
		neighbour->quiet = 0;
		ask(cpu, N3T_TODO_RETURN);
	}
}

static void wait_longer(struct n3t_neighbour *neighbour)
{
	WRITE_ONCE(neighbour->patience,
		   min_t(unsigned int, 2 * neighbour->patience, PATIENCE_MAX));
}

static void leave(struct n3t_cpu *cpu)
{
	struct n3t_neighbour *neighbour = &cpu->neighbour;

	if (cpu->state != N3T_CPU_SAMPLING)
		return;

	n3t_sampler_stop(cpu);
	if (neighbour->looks < SETTLED_LOOKS)
		wait_longer(neighbour);
	else
		neighbour->patience = PATIENCE_MIN;
	n3t_cpus_leave(cpu);
}

static void come_back(struct n3t_cpu *cpu)
{
	if (!cpu->neighbour.away_since_ns)
		return;
	if (!n3t_cpus_return(cpu))
		wait_longer(&cpu->neighbour);
}

static void n3t_neighbour_work(struct work_struct *work)
{
	struct n3t_neighbour *neighbour = container_of(work, struct n3t_neighbour, work);
	struct n3t_cpu *cpu = container_of(neighbour, struct n3t_cpu, neighbour);

	cpus_read_lock();
	down_write(&n3t_control_lock);

	switch (xchg(&neighbour->todo, N3T_TODO_NOTHING)) {
	case N3T_TODO_LEAVE:
		leave(cpu);
		break;
	case N3T_TODO_RETURN:
		come_back(cpu);
		break;
	case N3T_TODO_GROW:
		if (cpu->state == N3T_CPU_SAMPLING)
			n3t_cpus_grow(cpu);
		break;
	case N3T_TODO_NOTHING:
		break;
	}

	up_write(&n3t_control_lock);
	cpus_read_unlock();
}

/**
 * n3t_neighbour_init() - prepare
 * @cpu: the CPU
 */
void n3t_neighbour_init(struct n3t_cpu *cpu)
{
	INIT_WORK(&cpu->neighbour.work, n3t_neighbour_work);
	cpu->neighbour.patience = PATIENCE_MIN;
}

/**
 * n3t_neighbour_quiesce() - wait for what may still be under way
 * @neighbour: that of a CPU whose sampler is off for good
 *
 * Context: may sleep; no lock held.
 */
void n3t_neighbour_quiesce(struct n3t_neighbour *neighbour)
{
	cancel_work_sync(&neighbour->work);
}

static void end_away(struct n3t_neighbour *neighbour)
{
	neighbour->away_ns = n3t_neighbour_away_ns(neighbour);
	neighbour->away_since_ns = 0;
	neighbour->looks = 0;
	neighbour->quiet = 0;
}

/**
 * n3t_neighbour_settle() - the counters have been taken
 * @neighbour: that of a CPU whose sampler is off
 * @sharing: take turns with whoever waits
 *
 * Context: n3t_control_lock held for writing.
 */
void n3t_neighbour_settle(struct n3t_neighbour *neighbour, bool sharing)
{
	neighbour->sharing = sharing;
	end_away(neighbour);
	neighbour->here_since_ns = ktime_get_mono_fast_ns();
}

/**
 * n3t_neighbour_forget() - the counters are no longer wanted
 * @neighbour: that of a CPU whose sampler is off
 *
 * Context: n3t_control_lock held for writing.
 */
void n3t_neighbour_forget(struct n3t_neighbour *neighbour)
{
	end_away(neighbour);
	neighbour->patience = PATIENCE_MIN;
}

/**
 * n3t_neighbour_begin_away() - the counters have been given back
 * @neighbour: that of a CPU whose sampler is off
 * @sharing: come back after as long as they were held
 *
 * Context: n3t_control_lock held for writing.
 */
void n3t_neighbour_begin_away(struct n3t_neighbour *neighbour, bool sharing)
{
	neighbour->sharing = sharing;
	neighbour->away_since_ns = ktime_get_mono_fast_ns();
	neighbour->looks = 0;
	neighbour->quiet = 0;
	neighbour->times++;
}

/**
 * n3t_neighbour_away_ns() - how long the counters have been away in total
 * @neighbour: that of a CPU
 *
 * Context: n3t_control_lock held.
 * Return: nanoseconds since the module was loaded.
 */
u64 n3t_neighbour_away_ns(const struct n3t_neighbour *neighbour)
{
	if (!neighbour->away_since_ns)
		return neighbour->away_ns;
	return neighbour->away_ns + n3t_ns_since(neighbour->away_since_ns);
}
