/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Draining.
 *
 * Samples of one ring are in order. A thread that migrates leaves samples in several, so those are
 * merged by time. While the run goes on, a sample that another CPU is still writing may be older
 * than one that is there already; what is younger than a margin waits for the next turn.
 */
#include "scope-drain.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "monotonic.h"
#include "scope-ring.h"

#define MARGIN_NS 2000000u
#define STACK_SIZE (64u << 10)
#define PREFERENCE (-10)
/* The kernel is told of free room every so many records. */
#define PUBLISH_EVERY 64

struct drain {
	pthread_t thread;
	pthread_mutex_t lock; /* over all that follows */
	int epoll;
	int stop; /* eventfd */
	struct scope_ring *rings;
	size_t n;
	const struct group_plan *plan;
	struct pairing *pairing;
	struct drain_count counts;
};

static void take_sample(struct drain *d, const struct scope_ring *r)
{
	const struct ring_record *record = &r->record;
	struct pair_sample sample = {
	    .tid = record->tid,
	    .cpu = r->group->cpu < 0 ? 0 : (unsigned)r->group->cpu,
	    .ran_on = record->cpu,
	    .time = record->time,
	    .probe = PAIR_SWITCH,
	    .sp = record->sp,
	    .values = record->values,
	};

	if (record->member >= d->plan->first_probe)
		sample.probe = (int)(record->member - d->plan->first_probe);
	else if (record->member != d->plan->switches)
		return;
	if (pairing_sample(d->pairing, &sample))
		d->counts.unpaired++;
}

static void take(struct drain *d, const struct scope_ring *r)
{
	switch (r->record.kind) {
	case RING_SAMPLE:
		take_sample(d, r);
		break;
	case RING_EXEC:
		pairing_exec(d->pairing, r->record.tid);
		break;
	case RING_EXIT:
		pairing_exit(d->pairing, r->record.tid);
		break;
	case RING_FORK:
		d->counts.forks++;
		break;
	case RING_THROTTLE:
		d->counts.throttled++;
		break;
	case RING_THREAD:
		d->counts.threads++;
		break;
	case RING_LOST: /* The hits that no sample was seen of tell how many. */
		d->counts.gaps++;
		break;
	case RING_OTHER:
		break;
	}
}

/* The ring whose next record is the oldest; *BEFORE: when the next of another is. */
static struct scope_ring *oldest(struct drain *d, uint64_t *before)
{
	struct scope_ring *best = NULL;

	*before = UINT64_MAX;
	for (size_t i = 0; i < d->n; i++) {
		struct scope_ring *r = &d->rings[i];

		if (!scope_ring_next(r))
			continue;
		if (!best || r->record.time < best->record.time) {
			if (best)
				*before = best->record.time;
			best = r;
		} else if (r->record.time < *before) {
			*before = r->record.time;
		}
	}
	return best;
}

/* What the rings hold, up to the time UNTIL. */
static void drain_until(struct drain *d, uint64_t until)
{
	size_t taken = 0;
	uint64_t before;

	for (size_t i = 0; i < d->n; i++)
		scope_ring_refresh(&d->rings[i]);
	for (struct scope_ring *r = oldest(d, &before); r && r->record.time <= until;
	     r = oldest(d, &before)) {
		do {
			take(d, r);
			scope_ring_consume(r);
			if (++taken % PUBLISH_EVERY == 0)
				scope_ring_publish(r);
		} while (scope_ring_next(r) && r->record.time <= before && r->record.time <= until);
		scope_ring_publish(r);
	}
}

/* Of rings that belong to a thread each, no order is to be kept. */
static void drain_some(struct drain *d)
{
	bool ordered = d->n > 1 && d->rings[0].group->cpu >= 0;

	drain_until(d, ordered ? monotonic_ns() - MARGIN_NS : UINT64_MAX);
}

/* A busy machine shall not keep us from draining; who may not be preferred waits with the others.
 */
static void be_preferred(void)
{
	(void)!setpriority(PRIO_PROCESS, (id_t)gettid(), PREFERENCE);
}

static void *drain_main(void *context)
{
	struct drain *d = context;
	struct epoll_event event;

	be_preferred();
	for (;;) {
		int n = epoll_wait(d->epoll, &event, 1, -1);

		if (n < 0 && errno != EINTR)
			return NULL;
		if (n == 1 && event.data.ptr == NULL)
			return NULL;
		pthread_mutex_lock(&d->lock);
		drain_some(d);
		pthread_mutex_unlock(&d->lock);
	}
}

static int start_thread(struct drain *d)
{
	pthread_attr_t attr;
	sigset_t all, old;
	int rc;

	sigfillset(&all);
	rc = pthread_attr_init(&attr);
	if (rc)
		return -rc;
	pthread_attr_setstacksize(&attr, STACK_SIZE);
	pthread_sigmask(SIG_SETMASK, &all, &old);
	rc = pthread_create(&d->thread, &attr, drain_main, d);
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	pthread_attr_destroy(&attr);
	return -rc;
}

static void drain_destroy(struct drain *d)
{
	if (d->epoll >= 0)
		close(d->epoll);
	if (d->stop >= 0)
		close(d->stop);
	pthread_mutex_destroy(&d->lock);
	free(d);
}

int drain_new(struct drain **drain)
{
	struct epoll_event event = {.events = EPOLLIN};
	struct drain *d = calloc(1, sizeof(*d));
	int rc;

	*drain = NULL;
	if (!d)
		return -ENOMEM;
	pthread_mutex_init(&d->lock, NULL);
	d->stop = eventfd(0, EFD_CLOEXEC);
	d->epoll = epoll_create1(EPOLL_CLOEXEC);
	if (d->stop < 0 || d->epoll < 0 || epoll_ctl(d->epoll, EPOLL_CTL_ADD, d->stop, &event))
		rc = -errno;
	else
		rc = start_thread(d);
	if (rc) {
		drain_destroy(d);
		return rc;
	}
	*drain = d;
	return 0;
}

void drain_free(struct drain *d)
{
	uint64_t one = 1;

	if (!d)
		return;
	drain_detach(d);
	while (write(d->stop, &one, sizeof(one)) < 0 && errno == EINTR)
		;
	pthread_join(d->thread, NULL);
	drain_destroy(d);
}

/* Edges only: an event whose process has ended would be ready for ever. */
static int watch(struct drain *d, const struct scope_group *group)
{
	struct epoll_event event = {.events = EPOLLIN | EPOLLET, .data.ptr = d};

	return epoll_ctl(d->epoll, EPOLL_CTL_ADD, group->fds[0], &event) ? -errno : 0;
}

static void forget(struct drain *d)
{
	for (size_t i = 0; d->rings && i < d->n; i++) {
		epoll_ctl(d->epoll, EPOLL_CTL_DEL, d->rings[i].group->fds[0], NULL);
		scope_ring_release(&d->rings[i]);
	}
	free(d->rings);
	d->rings = NULL;
	d->n = 0;
}

static int add(struct drain *d, const struct scope_group *group)
{
	struct scope_ring *grown = realloc(d->rings, (d->n + 1) * sizeof(*grown));
	int rc;

	if (!grown)
		return -ENOMEM;
	d->rings = grown;
	rc = scope_ring_init(&d->rings[d->n], group);
	rc = rc ? rc : watch(d, group);
	if (rc)
		scope_ring_release(&d->rings[d->n]);
	else
		d->n++;
	return rc;
}

int drain_add(struct drain *d, const struct scope_group *group)
{
	int rc;

	pthread_mutex_lock(&d->lock);
	rc = add(d, group);
	pthread_mutex_unlock(&d->lock);
	return rc;
}

void drain_remove(struct drain *d, const struct scope_group *group)
{
	size_t i = 0;

	pthread_mutex_lock(&d->lock);
	drain_until(d, UINT64_MAX);
	while (i < d->n && d->rings[i].group != group)
		i++;
	if (i < d->n) {
		epoll_ctl(d->epoll, EPOLL_CTL_DEL, group->fds[0], NULL);
		scope_ring_release(&d->rings[i]);
		d->rings[i] = d->rings[--d->n];
	}
	pthread_mutex_unlock(&d->lock);
}

int drain_attach(struct drain *d, const struct scope_group *groups, size_t n,
		 const struct group_plan *plan, struct pairing *pairing)
{
	int rc = 0;

	pthread_mutex_lock(&d->lock);
	d->plan = plan;
	d->pairing = pairing;
	for (size_t i = 0; i < n && !rc; i++)
		rc = add(d, &groups[i]);
	if (rc)
		forget(d);
	pthread_mutex_unlock(&d->lock);
	return rc;
}

void drain_detach(struct drain *d)
{
	pthread_mutex_lock(&d->lock);
	drain_until(d, UINT64_MAX);
	forget(d);
	pthread_mutex_unlock(&d->lock);
}

void drain_rest(struct drain *d)
{
	pthread_mutex_lock(&d->lock);
	drain_until(d, UINT64_MAX);
	pthread_mutex_unlock(&d->lock);
}

struct drain_count drain_take_counts(struct drain *d)
{
	struct drain_count counts;

	pthread_mutex_lock(&d->lock);
	counts = d->counts;
	d->counts = (struct drain_count){0};
	pthread_mutex_unlock(&d->lock);
	return counts;
}

void drain_hold(struct drain *d)
{
	pthread_mutex_lock(&d->lock);
}

void drain_resume(struct drain *d)
{
	pthread_mutex_unlock(&d->lock);
}
