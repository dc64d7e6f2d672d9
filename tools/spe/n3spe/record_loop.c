// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Main loop of a recording: wait, drain, restart stopped events. */
#include <poll.h>
#include <stdlib.h>

#include "lib/clock.h"
#include "lib/cpu_list.h"
#include "lib/memory.h"
#include "record_session.h"
#include "record_out.h"

/* Maximum silence of SPE before it is checked, in seconds. */
#define SILENCE		1.0
#define SILENCE_ODD	0.05
#define HOTPLUG_LOOK	0.1

/* Returns when data is available, on timeout, or after a signal. */
static void wait_for_rings(struct spe_session *session, int timeout_ms)
{
	struct pollfd *polled = xreallocarray(NULL, session->nr_rings, sizeof(*polled));
	struct spe_ring *ring;

	for (size_t i = 0; i < session->nr_rings; i++) {
		ring = &session->rings[i];
		polled[i].fd = ring->polled < ring->nr_events ? ring->events[ring->polled].fd : -1;
		polled[i].events = POLLIN;
		polled[i].revents = 0;
		if (ring->is_odd && timeout_ms > SILENCE_ODD * 1000)
			timeout_ms = (int)(SILENCE_ODD * 1000);
	}
	poll(polled, session->nr_rings, timeout_ms);
	/* Its task has ended, or its CPU is offline: poll another event. */
	for (size_t i = 0; i < session->nr_rings; i++)
		if (polled[i].revents & (POLLHUP | POLLERR | POLLNVAL))
			session->rings[i].polled++;
	free(polled);
}

static void restart_after(struct spe_session *session, struct spe_ring *ring,
			  enum spe_lost_reason reason)
{
	bool is_flagged = ring->is_flagged;

	spe_restart(session, ring);
	if (!is_flagged)
		spe_lose(session, ring, reason);
}

/*
 * Return: whether the event's running time advances. It does not after the CPU went offline:
 * the kernel does not schedule the event again.
 */
static bool is_running(const struct spe_ring *ring)
{
	uint64_t before = spe_ring_time_running(ring);

	/* The kernel computes the time at each read: it advances between any two. */
	return spe_ring_time_running(ring) != before;
}

/* SPE was silent for a while: it may be idle, or stopped. */
static void check_silent_ring(struct spe_session *session, struct spe_ring *ring)
{
	if (ring->is_odd) {
		restart_after(session, ring, SPE_LOST_STALLED);
	} else if (session->nr_tasks) {
		/* A sleeping task: SPE starts when it runs. */
		return;
	} else if (spe_ring_time_running(ring) == ring->running_ns) {
		restart_after(session, ring, SPE_LOST_STALLED);
	} else {
		/* Makes buffered data readable. */
		spe_restart(session, ring);
	}
	ring->is_dead = !session->nr_tasks && !is_running(ring);
	ring->running_ns = spe_ring_time_running(ring);
}

static void serve(struct spe_session *session, struct spe_ring *ring, double now)
{
	double silence;

	if (spe_drain(session, ring))
		ring->progress = now;
	if (!ring->aux || !session->is_running || ring->is_dead)
		return;
	if (ring->is_full) {
		restart_after(session, ring, SPE_LOST_TRUNCATED);
		ring->progress = now;
		return;
	}
	silence = now - ring->progress;
	if (silence < (ring->is_odd ? SILENCE_ODD : SILENCE))
		return;
	check_silent_ring(session, ring);
	ring->progress = now;
}

static void open_again(struct spe_session *session, struct spe_ring *ring)
{
	struct spe_failure failure;

	ring->polled = 0;
	ring->tail_before = 0;
	ring->is_dead = false;
	ring->is_full = false;
	ring->is_flagged = false;
	ring->is_odd = false;
	if (!spe_ring_open(ring, session->options, NULL, 0, false, &failure)) {
		spe_ring_close(ring);
		return;
	}
	ring->running_ns = UINT64_MAX;
	ring->progress = monotonic_now();
	if (session->is_running)
		spe_ring_switch(ring, true);
}

static void leave(struct spe_session *session, struct spe_ring *ring)
{
	spe_drain(session, ring);
	spe_lose(session, ring, SPE_LOST_OFFLINE);
	spe_ring_close(ring);
}

/* Follows CPU hotplug; events of tasks migrate on their own. */
static void follow_hotplug(struct spe_session *session, double now)
{
	struct cpus online;
	struct spe_ring *ring;
	bool is_online;

	if (session->nr_tasks || now - session->hotplug_looked < HOTPLUG_LOOK)
		return;
	session->hotplug_looked = now;
	cpus_online(&online);
	for (size_t i = 0; i < session->nr_rings; i++) {
		ring = &session->rings[i];
		is_online = cpus_have(&online, ring->cpu);
		if (ring->page && (!is_online || ring->is_dead))
			leave(session, ring);
		if (!ring->page && is_online)
			open_again(session, ring);
	}
	cpus_free(&online);
}

bool spe_session_round(struct spe_session *session, int timeout_ms)
{
	bool any = false;
	double now;

	wait_for_rings(session, timeout_ms);
	now = monotonic_now();
	for (size_t i = 0; i < session->nr_rings; i++)
		if (session->rings[i].page)
			serve(session, &session->rings[i], now);
	follow_hotplug(session, now);
	spe_put_round(session);
	for (size_t i = 0; i < session->nr_rings; i++)
		any |= session->rings[i].polled < session->rings[i].nr_events;
	return any || !session->nr_tasks;
}

void spe_session_enable(struct spe_session *session)
{
	for (size_t i = 0; i < session->nr_rings; i++) {
		session->rings[i].progress = monotonic_now();
		session->rings[i].running_ns = UINT64_MAX;
		if (!session->on_exec)
			spe_ring_switch(&session->rings[i], true);
	}
	session->is_running = true;
}

void spe_session_finish(struct spe_session *session)
{
	session->is_running = false;
	for (size_t i = 0; i < session->nr_rings; i++)
		if (session->rings[i].page)
			spe_stop(session, &session->rings[i]);
	spe_put_round(session);
}
