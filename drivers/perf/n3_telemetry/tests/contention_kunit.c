// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* KUnit: policy for yielding counters to others and for taking them again. */
#include <linux/string.h>
#include <linux/time64.h>
#include <kunit/test.h>

#include "libn3t/contention.h"

#define SLICE_MS	4	/* 250 per second */
#define SLICE_NS	((u64)SLICE_MS * NSEC_PER_MSEC)
#define POLL_NS		((u64)N3T_POLL_MS * NSEC_PER_MSEC)
#define OWN_TIMER	1234	/* expiry of the perf timer started by our own request */
#define OTHERS_TIMER	5678

/*
 * A CPU whose counters were just taken, and the observations on it: no other users, no
 * further counters available.
 */
struct fixture {
	struct n3t_contention contention;
	struct n3t_observation seen;
};

static int contention_init(struct kunit *test)
{
	struct fixture *f = kunit_kzalloc(test, sizeof(*f), GFP_KERNEL);

	test->priv = f;
	if (!f)
		return -ENOMEM;
	f->seen.now_ns = NSEC_PER_SEC;
	f->seen.whole = true;
	n3t_contention_init(&f->contention);
	n3t_contention_taken(&f->contention, false, f->seen.now_ns);
	return 0;
}

static enum n3t_todo slice(struct fixture *f)
{
	f->seen.now_ns += SLICE_NS;
	return n3t_contention_slice(&f->contention, &f->seen);
}

static enum n3t_todo poll(struct fixture *f)
{
	f->seen.now_ns += POLL_NS;
	return n3t_contention_poll(&f->contention, &f->seen);
}

static void quiet_slices(struct fixture *f, unsigned int nr)
{
	while (nr--)
		slice(f);
}

static void yield_now(struct fixture *f, bool sharing)
{
	n3t_contention_yielded(&f->contention, false, sharing, SLICE_MS, f->seen.now_ns);
}

/* Number of polls until a return is requested, @most + 1 if more than @most. */
static unsigned int polls_until_return(struct fixture *f, unsigned int most)
{
	unsigned int i;

	for (i = 1; i <= most; i++)
		if (poll(f) == N3T_TODO_RETURN)
			break;
	return i;
}

static void no_action_while_no_one_waits(struct kunit *test)
{
	struct fixture *f = test->priv;
	unsigned int i;

	for (i = 0; i < 5000; i++)
		KUNIT_ASSERT_EQ(test, slice(f), N3T_TODO_NONE);
}

/* The end of a whole or cut slice, or a check in the middle of one. */
enum what { WHOLE, CUT, CHECK };

struct step {
	enum what what;
	u64 rotation;	/* expiry of perf's timer, or 0 */
	enum n3t_todo todo;
};

/* What follows from perf's timer, after a request of our own with @own. */
static const struct sequence {
	const char *name;
	u64 own;
	unsigned int nr;
	struct step step[4];
} sequences[] = {
	{ "an event waits", 0, 2, {
		{ WHOLE, 0, N3T_TODO_NONE }, { WHOLE, OTHERS_TIMER, N3T_TODO_YIELD } } },
	{ "a slice is cut", 0, 1, { { CUT, 0, N3T_TODO_YIELD } } },
	{ "an event waits in the middle of a slice", 0, 2, {
		{ CHECK, 0, N3T_TODO_NONE }, { CHECK, OTHERS_TIMER, N3T_TODO_YIELD } } },
	/* the slice that it cuts as it expires is ignored, the next one is not */
	{ "our own timer expires", OWN_TIMER, 4, {
		{ CUT, OWN_TIMER, N3T_TODO_NONE }, { CUT, OWN_TIMER, N3T_TODO_NONE },
		{ CUT, 0, N3T_TODO_NONE }, { CUT, 0, N3T_TODO_YIELD } } },
	{ "our own timer runs on for others", OWN_TIMER, 2, {
		{ WHOLE, OWN_TIMER, N3T_TODO_NONE }, { WHOLE, OTHERS_TIMER, N3T_TODO_YIELD } } },
	{ "checks leave our own timer to the slice", OWN_TIMER, 4, {
		{ CHECK, OWN_TIMER, N3T_TODO_NONE }, { CHECK, 0, N3T_TODO_NONE },
		{ CUT, 0, N3T_TODO_NONE }, { CUT, 0, N3T_TODO_YIELD } } },
	{ "a check sees our own timer run on for others", OWN_TIMER, 1, {
		{ CHECK, OTHERS_TIMER, N3T_TODO_YIELD } } },
	{ "the first timer after a remote request is our own", N3T_ROTATION_UNKNOWN, 2, {
		{ WHOLE, OWN_TIMER, N3T_TODO_NONE }, { WHOLE, OTHERS_TIMER, N3T_TODO_YIELD } } },
	{ "checks see it, too", N3T_ROTATION_UNKNOWN, 4, {
		{ CHECK, 0, N3T_TODO_NONE }, { CHECK, OWN_TIMER, N3T_TODO_NONE },
		{ CHECK, OWN_TIMER, N3T_TODO_NONE }, { CHECK, OTHERS_TIMER, N3T_TODO_YIELD } } },
};

static enum n3t_todo check(struct fixture *f)
{
	return n3t_contention_check(&f->contention, f->seen.rotation, f->seen.now_ns);
}

static void perfs_timer_decides(struct kunit *test)
{
	struct fixture *f = test->priv;
	const struct sequence *sequence;
	const struct step *step;
	enum n3t_todo todo;

	for (sequence = sequences; sequence < sequences + ARRAY_SIZE(sequences); sequence++) {
		n3t_contention_taken(&f->contention, false, f->seen.now_ns);
		f->contention.own_rotation = sequence->own;
		for (step = sequence->step; step < &sequence->step[sequence->nr]; step++) {
			f->seen.rotation = step->rotation;
			f->seen.whole = step->what == WHOLE;
			todo = step->what == CHECK ? check(f) : slice(f);
			KUNIT_EXPECT_EQ_MSG(test, todo, step->todo, "%s, step %d", sequence->name,
					    (int)(step - sequence->step));
		}
	}
}

static void user_access_in_a_slice_bars_the_pmu_in_both_modes(struct kunit *test)
{
	struct fixture *f = test->priv;

	f->seen.user_access = true;
	KUNIT_EXPECT_EQ(test, slice(f), N3T_TODO_BAR);
	n3t_contention_taken(&f->contention, true, f->seen.now_ns);
	KUNIT_EXPECT_EQ(test, slice(f), N3T_TODO_BAR);
	/* also while the timer of our own request runs */
	f->contention.own_rotation = OWN_TIMER;
	f->seen.rotation = OWN_TIMER;
	KUNIT_EXPECT_EQ(test, slice(f), N3T_TODO_BAR);
}

static void user_access_in_a_poll_bars_the_pmu_in_both_modes(struct kunit *test)
{
	struct fixture *f = test->priv;

	yield_now(f, false);
	f->seen.user_access = true;
	KUNIT_EXPECT_EQ(test, poll(f), N3T_TODO_BAR);
	n3t_contention_taken(&f->contention, true, f->seen.now_ns);
	yield_now(f, true);
	KUNIT_EXPECT_EQ(test, poll(f), N3T_TODO_BAR);
}

static void another_reason_does_not_end_a_yield(struct kunit *test)
{
	struct fixture *f = test->priv;
	u64 start = f->seen.now_ns;

	KUNIT_EXPECT_EQ(test, f->contention.reason, N3T_YIELD_NONE);
	yield_now(f, false);
	KUNIT_EXPECT_EQ(test, f->contention.reason, N3T_YIELD_OTHERS);
	poll(f);
	n3t_contention_yielded(&f->contention, true, true, SLICE_MS, f->seen.now_ns);
	KUNIT_EXPECT_EQ(test, f->contention.reason, N3T_YIELD_USER_ACCESS);
	KUNIT_EXPECT_EQ(test, f->contention.yields, 1);
	KUNIT_EXPECT_EQ(test, f->contention.yielded_since_ns, start);
	KUNIT_EXPECT_TRUE(test, f->contention.sharing);
	n3t_contention_taken(&f->contention, false, f->seen.now_ns);
	KUNIT_EXPECT_EQ(test, f->contention.reason, N3T_YIELD_NONE);
}

static void checks_leave_a_turn_its_200_ms(struct kunit *test)
{
	struct fixture *f = test->priv;

	n3t_contention_taken(&f->contention, true, f->seen.now_ns);
	f->seen.rotation = OTHERS_TIMER;
	f->seen.now_ns += 200 * NSEC_PER_MSEC;
	KUNIT_EXPECT_EQ(test, check(f), N3T_TODO_NONE);
	f->seen.now_ns++;
	KUNIT_EXPECT_EQ(test, check(f), N3T_TODO_YIELD);
}

/* 200 ms, then doubled each time, up to 800 ms */
static void yielding_backs_off_after_unsuccessful_attempts(struct kunit *test)
{
	static const unsigned int polls[] = { 10, 20, 40, 40, 40 };
	struct fixture *f = test->priv;
	unsigned int i;

	quiet_slices(f, 500);
	yield_now(f, false);
	for (i = 0; i < ARRAY_SIZE(polls); i++) {
		KUNIT_EXPECT_EQ(test, polls_until_return(f, 100), polls[i]);
		n3t_contention_failed(&f->contention);
	}
}

static void yielding_backs_off_when_a_return_does_not_last(struct kunit *test)
{
	static const unsigned int polls[] = { 20, 40, 40 };
	struct fixture *f = test->priv;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(polls); i++) {
		quiet_slices(f, 249);
		yield_now(f, false);
		KUNIT_EXPECT_EQ(test, polls_until_return(f, 100), polls[i]);
		n3t_contention_taken(&f->contention, false, f->seen.now_ns);
	}
	quiet_slices(f, 250);
	yield_now(f, false);
	KUNIT_EXPECT_EQ(test, polls_until_return(f, 100), 10);
}

/* 20 s, or a task that waits for a slice at each return would get less than 90 % of the time */
static void yielding_waits_for_twenty_long_slices(struct kunit *test)
{
	struct fixture *f = test->priv;

	slice(f);
	n3t_contention_yielded(&f->contention, false, false, 1000, f->seen.now_ns);
	KUNIT_EXPECT_EQ(test, polls_until_return(f, 2000), 1000);
	n3t_contention_taken(&f->contention, false, f->seen.now_ns);
	/* 49 s of slices are too short to succeed, 50 s suffice */
	f->seen.now_ns += 49ull * NSEC_PER_SEC - SLICE_NS;
	slice(f);
	n3t_contention_yielded(&f->contention, false, false, 1000, f->seen.now_ns);
	KUNIT_EXPECT_EQ(test, polls_until_return(f, 2000), 1000);
	n3t_contention_taken(&f->contention, false, f->seen.now_ns);
	f->seen.now_ns += 50ull * NSEC_PER_SEC - SLICE_NS;
	slice(f);
	n3t_contention_yielded(&f->contention, false, false, 1000, f->seen.now_ns);
	KUNIT_EXPECT_EQ(test, polls_until_return(f, 2000), 10);
}

static void yielding_returns_after_ten_quiet_polls_in_a_row(struct kunit *test)
{
	struct fixture *f = test->priv;

	quiet_slices(f, 500);
	yield_now(f, false);
	KUNIT_EXPECT_EQ(test, polls_until_return(f, 9), 10);
	f->seen.rotation = OTHERS_TIMER;
	KUNIT_EXPECT_EQ(test, poll(f), N3T_TODO_NONE);
	f->seen.rotation = 0;
	KUNIT_EXPECT_EQ(test, polls_until_return(f, 100), 10);
}

static void sharing_keeps_a_turn_of_200_ms(struct kunit *test)
{
	struct fixture *f = test->priv;
	unsigned int i;

	n3t_contention_taken(&f->contention, true, f->seen.now_ns);
	f->seen.rotation = OTHERS_TIMER;
	f->seen.whole = false;
	for (i = 0; i < 50; i++)
		KUNIT_EXPECT_EQ(test, slice(f), N3T_TODO_NONE);
	KUNIT_EXPECT_EQ(test, slice(f), N3T_TODO_YIELD);
}

static void sharing_yields_for_as_long_as_it_held(struct kunit *test)
{
	struct fixture *f = test->priv;

	n3t_contention_taken(&f->contention, true, f->seen.now_ns);
	f->seen.rotation = OTHERS_TIMER;
	quiet_slices(f, 55);
	yield_now(f, true);
	KUNIT_EXPECT_EQ(test, polls_until_return(f, 100), 11);
}

static void sharing_returns_after_at_most_a_second(struct kunit *test)
{
	struct fixture *f = test->priv;

	n3t_contention_taken(&f->contention, true, f->seen.now_ns);
	quiet_slices(f, 1000);
	yield_now(f, true);
	KUNIT_EXPECT_EQ(test, polls_until_return(f, 100), 50);
}

/* All counters are permanently in use: 30 s are 1500 polls. */
static void sharing_backs_off_after_unsuccessful_attempts(struct kunit *test)
{
	static const unsigned int polls[] = { 10, 20, 40, 40 };
	struct fixture *f = test->priv;
	unsigned int i, attempts = 0;

	n3t_contention_taken(&f->contention, true, f->seen.now_ns);
	quiet_slices(f, 55);
	yield_now(f, true);
	f->seen.rotation = OTHERS_TIMER;
	KUNIT_EXPECT_EQ(test, polls_until_return(f, 100), 11);
	for (i = 0; i < ARRAY_SIZE(polls); i++) {
		n3t_contention_failed(&f->contention);
		KUNIT_EXPECT_EQ(test, polls_until_return(f, 100), polls[i]);
	}
	for (i = 0; i < 1500; i++) {
		if (poll(f) == N3T_TODO_RETURN) {
			n3t_contention_failed(&f->contention);
			attempts++;
		}
	}
	KUNIT_EXPECT_LE(test, attempts, 38);
	KUNIT_EXPECT_GE(test, attempts, 36);
}

static void sharing_resets_the_backoff_after_a_return(struct kunit *test)
{
	struct fixture *f = test->priv;

	n3t_contention_taken(&f->contention, true, f->seen.now_ns);
	quiet_slices(f, 55);
	yield_now(f, true);
	n3t_contention_failed(&f->contention);
	n3t_contention_failed(&f->contention);
	n3t_contention_taken(&f->contention, true, f->seen.now_ns);
	quiet_slices(f, 55);
	yield_now(f, true);
	KUNIT_EXPECT_EQ(test, polls_until_return(f, 100), 11);
}

static void missing_counters_are_asked_for_every_second(struct kunit *test)
{
	struct fixture *f = test->priv;
	unsigned int i, asked = 0;

	f->seen.growth = N3T_GROWTH_LIKELY;
	for (i = 1; i <= 5000; i++) {
		if (slice(f) == N3T_TODO_GROW) {
			KUNIT_EXPECT_EQ(test, i % 250, 0);
			asked++;
		}
	}
	KUNIT_EXPECT_EQ(test, asked, 20);
}

static void counters_never_seen_are_asked_for_every_20_s(struct kunit *test)
{
	struct fixture *f = test->priv;
	unsigned int i, asked = 0;

	f->seen.growth = N3T_GROWTH_UNLIKELY;
	for (i = 0; i < 25000; i++)
		asked += slice(f) == N3T_TODO_GROW;
	KUNIT_EXPECT_EQ(test, asked, 5);
}

/* Slices longer than the interval between two requests. */
static void long_slices_ask_for_counters_at_each_end(struct kunit *test)
{
	struct fixture *f = test->priv;
	unsigned int i;

	f->seen.growth = N3T_GROWTH_LIKELY;
	for (i = 0; i < 5; i++) {
		f->seen.now_ns += NSEC_PER_SEC;
		KUNIT_EXPECT_EQ(test, slice(f), N3T_TODO_GROW);
	}
}

static void yielding_takes_precedence_over_growing(struct kunit *test)
{
	struct fixture *f = test->priv;

	f->seen.growth = N3T_GROWTH_LIKELY;
	quiet_slices(f, 249);
	f->seen.rotation = OTHERS_TIMER;
	KUNIT_EXPECT_EQ(test, slice(f), N3T_TODO_YIELD);
}

static void time_yielded_adds_up(struct kunit *test)
{
	struct fixture *f = test->priv;
	u64 start = f->seen.now_ns;

	KUNIT_EXPECT_EQ(test, n3t_contention_yielded_ns(&f->contention, start), 0);
	n3t_contention_yielded(&f->contention, false, false, SLICE_MS, start);
	KUNIT_EXPECT_EQ(test, n3t_contention_yielded_ns(&f->contention, start + 5), 5);
	/* read on a CPU whose clock lags slightly */
	KUNIT_EXPECT_EQ(test, n3t_contention_yielded_ns(&f->contention, start - 1), 0);
	n3t_contention_taken(&f->contention, false, start + 10);
	KUNIT_EXPECT_EQ(test, n3t_contention_yielded_ns(&f->contention, start + 50), 10);
	n3t_contention_yielded(&f->contention, false, false, SLICE_MS, start + 100);
	n3t_contention_reset(&f->contention, start + 107);
	KUNIT_EXPECT_EQ(test, n3t_contention_yielded_ns(&f->contention, start + 500), 17);
	KUNIT_EXPECT_EQ(test, f->contention.yields, 2);
	KUNIT_EXPECT_EQ(test, f->contention.yielded_since_ns, 0);
}

/* A further second of power-downs at the given rate and a cost of 4 us each. */
static enum n3t_todo power_downs(struct fixture *f, unsigned int rate, unsigned int max_cost)
{
	f->seen.now_ns += NSEC_PER_SEC;
	f->seen.power_downs += rate;
	return n3t_contention_power(&f->contention, f->seen.power_downs,
				    4000 * f->seen.power_downs, max_cost, f->seen.now_ns);
}

/* Does a return occur within this number of polls at the given rate of power-downs? */
static bool returns_in(struct fixture *f, unsigned int polls, unsigned int rate)
{
	bool returns = false;

	while (polls--) {
		f->seen.power_downs += rate * POLL_NS / NSEC_PER_SEC;
		returns |= poll(f) == N3T_TODO_RETURN;
	}
	return returns;
}

static void power_downs_may_cost_up_to_max_cost(struct kunit *test)
{
	struct fixture *f = test->priv;

	/* the time before is not known */
	KUNIT_EXPECT_EQ(test, power_downs(f, 1000000, 2000), N3T_TODO_NONE);
	KUNIT_EXPECT_EQ(test, power_downs(f, 500, 2000), N3T_TODO_NONE);
	KUNIT_EXPECT_EQ(test, f->contention.power_ppm, 2000);
	KUNIT_EXPECT_EQ(test, power_downs(f, 501, 2000), N3T_TODO_YIELD);
	KUNIT_EXPECT_EQ(test, f->contention.power_ppm, 2004);
	KUNIT_EXPECT_EQ(test, power_downs(f, 100000, 0), N3T_TODO_NONE);
}

static void negative_costs_of_power_downs_count_as_zero(struct kunit *test)
{
	struct fixture *f = test->priv;

	power_downs(f, 1000, 2000);
	KUNIT_EXPECT_EQ(test, power_downs(f, 1000, 2000), N3T_TODO_YIELD);
	f->seen.now_ns += NSEC_PER_SEC;
	KUNIT_EXPECT_EQ(test, n3t_contention_power(&f->contention, f->seen.power_downs + 1000,
						   -1000, 2000, f->seen.now_ns),
			N3T_TODO_NONE);
	KUNIT_EXPECT_EQ(test, f->contention.power_ppm, 0);
}

static void returning_requires_half_the_power_downs_for_a_second(struct kunit *test)
{
	struct fixture *f = test->priv;
	int sharing;

	for (sharing = 0; sharing < 2; sharing++) {
		n3t_contention_taken(&f->contention, sharing, f->seen.now_ns);
		power_downs(f, 1000, 2000);
		KUNIT_EXPECT_EQ(test, power_downs(f, 1000, 2000), N3T_TODO_YIELD);
		yield_now(f, sharing);
		KUNIT_EXPECT_EQ(test, f->contention.reason, N3T_YIELD_POWER);
		KUNIT_EXPECT_FALSE(test, returns_in(f, 50, 1000));
		KUNIT_EXPECT_FALSE(test, returns_in(f, 50, 550));
		KUNIT_EXPECT_FALSE(test, returns_in(f, 50, 1000));
		/* half a second is too short */
		KUNIT_EXPECT_FALSE(test, returns_in(f, 25, 0));
		KUNIT_EXPECT_FALSE(test, returns_in(f, 25, 2000));
		KUNIT_EXPECT_EQ(test, f->contention.reason, N3T_YIELD_POWER);
		KUNIT_EXPECT_TRUE(test, returns_in(f, 50, 500));
	}
}

static void others_delay_the_return_after_power_downs(struct kunit *test)
{
	struct fixture *f = test->priv;

	power_downs(f, 1000, 2000);
	power_downs(f, 1000, 2000);
	yield_now(f, false);
	f->seen.rotation = OTHERS_TIMER;
	KUNIT_EXPECT_FALSE(test, returns_in(f, 50, 0));
	KUNIT_EXPECT_EQ(test, f->contention.reason, N3T_YIELD_OTHERS);
	f->seen.rotation = 0;
	KUNIT_EXPECT_EQ(test, polls_until_return(f, 100), 10);
}

static void new_settings_reset_power_downs(struct kunit *test)
{
	struct fixture *f = test->priv;

	power_downs(f, 1000, 2000);
	power_downs(f, 1000, 2000);
	yield_now(f, false);
	yield_now(f, false);
	KUNIT_EXPECT_EQ(test, f->contention.reason, N3T_YIELD_OTHERS);
	KUNIT_EXPECT_TRUE(test, returns_in(f, 50, 1000));
}

static struct kunit_case contention_cases[] = {
	KUNIT_CASE(no_action_while_no_one_waits),
	KUNIT_CASE(perfs_timer_decides),
	KUNIT_CASE(user_access_in_a_slice_bars_the_pmu_in_both_modes),
	KUNIT_CASE(user_access_in_a_poll_bars_the_pmu_in_both_modes),
	KUNIT_CASE(another_reason_does_not_end_a_yield),
	KUNIT_CASE(checks_leave_a_turn_its_200_ms),
	KUNIT_CASE(yielding_backs_off_after_unsuccessful_attempts),
	KUNIT_CASE(yielding_backs_off_when_a_return_does_not_last),
	KUNIT_CASE(yielding_waits_for_twenty_long_slices),
	KUNIT_CASE(yielding_returns_after_ten_quiet_polls_in_a_row),
	KUNIT_CASE(sharing_keeps_a_turn_of_200_ms),
	KUNIT_CASE(sharing_yields_for_as_long_as_it_held),
	KUNIT_CASE(sharing_returns_after_at_most_a_second),
	KUNIT_CASE(sharing_backs_off_after_unsuccessful_attempts),
	KUNIT_CASE(sharing_resets_the_backoff_after_a_return),
	KUNIT_CASE(missing_counters_are_asked_for_every_second),
	KUNIT_CASE(counters_never_seen_are_asked_for_every_20_s),
	KUNIT_CASE(long_slices_ask_for_counters_at_each_end),
	KUNIT_CASE(yielding_takes_precedence_over_growing),
	KUNIT_CASE(time_yielded_adds_up),
	KUNIT_CASE(power_downs_may_cost_up_to_max_cost),
	KUNIT_CASE(negative_costs_of_power_downs_count_as_zero),
	KUNIT_CASE(returning_requires_half_the_power_downs_for_a_second),
	KUNIT_CASE(others_delay_the_return_after_power_downs),
	KUNIT_CASE(new_settings_reset_power_downs),
	{}
};

static struct kunit_suite contention_suite = {
	.name = "n3_telemetry_contention",
	.init = contention_init,
	.test_cases = contention_cases,
};

kunit_test_suite(contention_suite);
