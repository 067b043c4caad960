/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Sums over the slots of a file, and percentiles of their histograms.
 *
 * The file is sparse: what no thread wrote is not read. Whatever is in it, a result comes out; a
 * program that writes nonsense there has nonsense for a result, and nothing else.
 */
#include "region-merge.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cost-bucket.h"

#define CHUNK 16384u

/* Of one slot: what was counted, and what its ticks are worth. */
struct part {
	struct abstat_region_slot slot;
	double tick; /* ns */
	bool used;
};

struct merging {
	const struct region_merge *m;
	struct part *parts;
	uint32_t n_parts;
	uint64_t *counts;                    /* [ABSTAT_REGION_BUCKETS] */
	uint32_t *chunk;                     /* [CHUNK] */
	struct abstat_region_tally *tallies; /* [n_parts], of one region */
};

static int read_at(int fd, void *to, size_t size, uint64_t at)
{
	ssize_t got = pread(fd, to, size, (off_t)at);

	if (got < 0)
		return -errno;
	return (size_t)got == size ? 0 : -EIO;
}

static uint64_t slot_at(const struct region_merge *m, uint32_t slot)
{
	return m->head->slots_at + slot * m->head->slot_size;
}

static uint64_t tally_at(const struct region_merge *m, uint32_t slot, uint32_t region)
{
	return slot_at(m, slot) + sizeof(struct abstat_region_slot) + region * m->head->tally_size;
}

static size_t row_of(const struct region_merge *m, uint32_t region)
{
	return m->rows ? m->rows[region] : region;
}

static double value_of(uint32_t bucket)
{
	unsigned shift = bucket < COST_EXACT ? 0 : bucket / COST_PER_OCTAVE - 1;

	return cost_middle(bucket - shift * COST_PER_OCTAVE, shift);
}

static uint32_t bucket_of(double value)
{
	uint64_t v = value < 0x1p62 ? (uint64_t)llround(value) : UINT64_C(1) << 62;
	unsigned shift = cost_shift(v);

	return shift * COST_PER_OCTAVE + (uint32_t)(v >> shift);
}

/* Adds N buckets of a histogram, from FIRST on. */
static void add_buckets(struct merging *g, uint32_t first, uint32_t n, double tick)
{
	for (uint32_t i = 0; i < n; i++)
		if (g->chunk[i]) {
			uint32_t bucket = first + i;

			if (tick != 1)
				bucket = bucket_of(value_of(bucket) * tick);
			g->counts[bucket] += g->chunk[i];
		}
}

/* Adds the histogram at AT; what was never written is skipped. */
static int add_histogram(struct merging *g, uint64_t at, double tick)
{
	uint64_t end = at + ABSTAT_REGION_BUCKETS * sizeof(uint32_t);
	uint64_t from = at;

	while (from < end) {
		off_t data = lseek(g->m->fd, (off_t)from, SEEK_DATA);
		off_t hole;

		if (data < 0)
			return errno == ENXIO ? 0 : -errno;
		if ((uint64_t)data >= end)
			return 0;
		hole = lseek(g->m->fd, data, SEEK_HOLE);
		if (hole < 0)
			return -errno;
		from = (uint64_t)data > from ? (uint64_t)data : from;
		while (from < end && from < (uint64_t)hole) {
			uint32_t first = (uint32_t)((from - at) / sizeof(uint32_t));
			uint32_t n = ABSTAT_REGION_BUCKETS - first;
			int rc;

			n = n < CHUNK ? n : CHUNK;
			rc = read_at(g->m->fd, g->chunk, n * sizeof(uint32_t),
				     at + first * sizeof(uint32_t));
			if (rc)
				return rc;
			add_buckets(g, first, n, tick);
			from = at + (first + n) * sizeof(uint32_t);
		}
	}
	return 0;
}

/* The nearest rank; MEAN is exact where all are in one bucket. */
static double quantile(const uint64_t *counts, uint64_t n, double q, double mean)
{
	uint64_t rank = (uint64_t)ceil(q * (double)n), seen = 0;

	if (!n)
		return NAN;
	for (uint32_t i = 0; i < ABSTAT_REGION_BUCKETS; i++) {
		seen += counts[i];
		if (seen >= rank && seen)
			return counts[i] == n && i >= COST_EXACT ? mean : value_of(i);
	}
	return NAN;
}

static double wide(uint64_t value)
{
	return (double)(int64_t)value;
}

/*
 * One cost of one region, over all slots. COST is that of the file: 0 is time. A program's
 * calibration is the same for all of its calls, so that its error does not become less with their
 * number; that of a thread is taken for independent of the others'.
 */
static int merge_cost(struct merging *g, uint32_t region, uint32_t cost, size_t row)
{
	struct scope_result *result = g->m->result;
	struct scope_cost *out =
	    &result->costs[row_of(g->m, region) * (g->m->n_events + 1) + row];
	double sum = 0, repeated = 0, nested = 0, removed = 0, variance = 0, around = 0;
	uint64_t n = 0;
	int rc = 0;

	memset(g->counts, 0, ABSTAT_REGION_BUCKETS * sizeof(*g->counts));
	for (uint32_t i = 0; i < g->n_parts && !rc; i++) {
		const struct abstat_region_tally *t = &g->tallies[i];
		const struct part *p = &g->parts[i];
		double tick = cost ? 1 : p->tick;
		double measured = (double)t->measured;

		if (!t->measured)
			continue;
		sum += tick * wide(t->sum[cost]);
		repeated += tick * wide(t->repeated[cost]);
		nested += tick * wide(t->nested[cost]);
		removed += tick * (wide(t->removed[cost]) + measured * wide(p->slot.inside[cost]));
		around += tick * measured * wide(p->slot.around[cost]);
		/* The standard error of a median of 15, from their quartiles. */
		variance += pow(0.24 * tick * (double)p->slot.spread[cost] * measured, 2);
		rc = add_histogram(g,
				   tally_at(g->m, i, region) + sizeof(*t) +
				       cost * (uint64_t)ABSTAT_REGION_BUCKETS * sizeof(uint32_t),
				   tick);
	}
	for (uint32_t i = 0; i < ABSTAT_REGION_BUCKETS; i++)
		n += g->counts[i];
	*out = (struct scope_cost){
	    .total = sum - repeated,
	    .self = sum - nested,
	    .p50 = quantile(g->counts, n, 0.5, n ? sum / (double)n : 0),
	    .p99 = quantile(g->counts, n, 0.99, n ? sum / (double)n : 0),
	    .overhead = removed,
	    .overhead_se = sqrt(variance),
	};
	result->outermost[row] += sum - nested;
	result->overhead[row] += around;
	return rc;
}

static void merge_calls(const struct merging *g, const struct abstat_region_file *said,
			uint32_t region)
{
	struct scope_calls *calls = &g->m->result->calls[row_of(g->m, region)];
	uint64_t known;

	*calls = (struct scope_calls){.unfollowed = said->unfollowed[region]};
	calls->calls = said->unfollowed[region];
	g->m->programs->unbegun += said->unbegun[region];
	for (uint32_t i = 0; i < g->n_parts; i++) {
		const struct abstat_region_tally *t = &g->tallies[i];

		calls->calls += t->calls;
		g->m->programs->unbegun += t->unbegun;
		calls->measured += t->measured;
		calls->interrupted += t->interrupted;
		calls->not_counted += t->not_counted;
		calls->lost += t->lost;
	}
	known = calls->measured + calls->not_counted + calls->lost + calls->unfollowed;
	calls->unreturned = calls->calls > known ? calls->calls - known : 0;
}

static int merge_region(struct merging *g, const struct abstat_region_file *said, uint32_t region)
{
	const struct region_merge *m = g->m;
	size_t n_costs = m->n_events + 1;
	int rc = 0;

	for (uint32_t i = 0; i < g->n_parts && !rc; i++) {
		struct abstat_region_tally *t = &g->tallies[i];

		rc = read_at(m->fd, t, sizeof(*t), tally_at(m, i, region));
		g->parts[i].used |= t->calls != 0;
		/* It has time only, less what it costs to read the events. */
		if (g->parts[i].slot.error) {
			t->not_counted += t->measured;
			t->measured = t->interrupted = 0;
		}
	}
	if (rc)
		return rc;
	merge_calls(g, said, region);
	for (size_t i = 0; i < n_costs; i++)
		m->result->costs[row_of(m, region) * n_costs + i] =
		    (struct scope_cost){NAN, NAN, NAN, NAN, NAN, NAN};
	for (uint32_t cost = 0; cost <= m->head->n_events && !rc; cost++)
		rc = merge_cost(g, region, cost, cost ? m->event_of[cost - 1] : m->n_events);
	return rc;
}

/* What the threads said of themselves. */
static void note_threads(const struct merging *g, const struct abstat_region_file *said)
{
	struct region_programs *programs = g->m->programs;

	programs->n = said->programs;
	programs->present = said->present;
	programs->error = (int)said->error;
	for (uint32_t i = 0; i < g->n_parts; i++) {
		const struct abstat_region_slot *slot = &g->parts[i].slot;

		if (!g->parts[i].used)
			continue;
		programs->threads_user += slot->user != 0;
		programs->threads_read += slot->user == 0;
		if (slot->error)
			programs->error = (int)slot->error;
	}
}

static int merge_all(struct merging *g, struct abstat_region_file *said)
{
	const struct region_merge *m = g->m;
	int rc = read_at(m->fd, said, sizeof(*said), 0);

	*m->programs = (struct region_programs){0};
	if (rc)
		return rc;
	g->n_parts = said->slots_used < m->head->n_slots ? said->slots_used : m->head->n_slots;
	g->parts = calloc(g->n_parts + 1, sizeof(*g->parts));
	g->tallies = calloc(g->n_parts + 1, sizeof(*g->tallies));
	g->counts = calloc(ABSTAT_REGION_BUCKETS, sizeof(*g->counts));
	g->chunk = calloc(CHUNK, sizeof(*g->chunk));
	if (!g->parts || !g->tallies || !g->counts || !g->chunk)
		return -ENOMEM;
	for (uint32_t i = 0; i < g->n_parts && !rc; i++) {
		struct part *p = &g->parts[i];

		rc = read_at(m->fd, &p->slot, sizeof(p->slot), slot_at(m, i));
		p->tick = ldexp(p->slot.time_mult, -(int)(p->slot.time_shift & 63));
	}
	for (uint32_t i = 0; i < m->head->n_regions && !rc; i++)
		rc = merge_region(g, said, i);
	if (!rc)
		note_threads(g, said);
	return rc;
}

int region_merge(const struct region_merge *merge)
{
	struct merging g = {.m = merge};
	struct abstat_region_file *said = malloc(sizeof(*said));
	int rc = said ? merge_all(&g, said) : -ENOMEM;

	free(said);
	free(g.parts);
	free(g.tallies);
	free(g.counts);
	free(g.chunk);
	return rc;
}
