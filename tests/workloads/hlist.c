/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Does it help to prefetch the next node of a hash chain? Looks up keys that are not there, in a
 * hash table whose chains have --chain nodes each and which together are larger than the last-level
 * cache, spread over memory at random.
 *
 * Built twice: HLIST_PREFETCH prefetches the next node before it looks at the present one. At the
 * end of a chain the next node is NULL.
 *
 * Prints how long a node takes; building the table is not part of that.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "arguments.h"
#include "clock.h"
#include "middle.h"
#include "random.h"

/* The lookups are timed in so many parts. */
enum { BATCHES = 50 };

struct node {
	struct node *next;
	struct node **pprev;
	uint64_t key;
	uint64_t value[5];
};

struct head {
	struct node *first;
};

static long chain = 4, visits = 100000, megabytes, timed = 1;

static const struct argument arguments[] = {
    {"chain", &chain, 1, "nodes in a chain"},
    {"visits", &visits, 1, "nodes to look at"},
    {"timed", &timed, 0, "0: lookups are not timed, so that each run executes the same"},
    {"megabytes", &megabytes, 0, "size of the nodes; 0: twice the last-level cache, at least 64"},
    {0},
};

/* The size of the last-level cache in MB, as far as the kernel knows it; else 0. */
static long last_level_cache(void)
{
	long size = 0, kilobytes;

	for (int index = 0; index < 8; index++) {
		char path[80];
		FILE *f;

		snprintf(path, sizeof(path), "/sys/devices/system/cpu/cpu0/cache/index%d/size",
			 index);
		f = fopen(path, "r");
		if (!f)
			break;
		if (fscanf(f, "%ldK", &kilobytes) == 1 && kilobytes >> 10 > size)
			size = kilobytes >> 10;
		fclose(f);
	}
	return size;
}

static void choose_size(void)
{
	if (megabytes)
		return;
	megabytes = 2 * last_level_cache();
	/* The largest caches would take too long to outgrow. */
	megabytes = megabytes < 64 ? 64 : megabytes > 256 ? 256 : megabytes;
}

static void push(struct head *head, struct node *node)
{
	node->next = head->first;
	if (head->first)
		head->first->pprev = &node->next;
	head->first = node;
	node->pprev = &head->first;
}

/* The numbers from 0 to N-1 in an order drawn at random, but the same in every run. */
static uint32_t *shuffled(uint64_t n)
{
	uint64_t state = 362436069362436069;
	uint32_t *order = malloc(n * sizeof(*order));

	for (uint64_t i = 0; order && i < n; i++) {
		uint64_t k = random_below(&state, i + 1);

		if (k != i)
			order[i] = order[k];
		order[k] = (uint32_t)i;
	}
	return order;
}

struct node *hlist_find(const struct head *head, uint64_t key);

/* Not inlined and not static: it can be scoped. */
__attribute__((noinline, aligned(64))) struct node *hlist_find(const struct head *head,
							       uint64_t key)
{
	struct node *next;

	for (struct node *node = head->first; node; node = next) {
		next = node->next;
#ifdef HLIST_PREFETCH
		__builtin_prefetch(next);
#endif
		if (node->key == key)
			return node;
	}
	return NULL;
}

int main(int argc, char **argv)
{
	uint64_t state = 88172645463325252;
	uint64_t n, n_heads;
	struct node *nodes;
	struct head *heads;
	uint32_t *order;
	int64_t times[BATCHES];
	long lookups, found = 0;

	arguments_parse(argc, argv, arguments);
	choose_size();
	lookups = visits / chain / BATCHES ?: 1;
	n = ((uint64_t)megabytes << 20) / sizeof(*nodes);
	n_heads = n / (uint64_t)chain;
	if (!n_heads) {
		fprintf(stderr, "hlist: a chain is longer than all that there is\n");
		return 2;
	}
	nodes = aligned_alloc(2 << 20, ((size_t)megabytes + 1) >> 1 << 21);
	heads = calloc(n_heads, sizeof(*heads));
	order = shuffled(n);
	if (!nodes || !heads || !order) {
		perror("hlist");
		return 1;
	}
	/* As the kernel sees its own memory. Where there are no large pages, small ones will do. */
	madvise(nodes, (size_t)megabytes << 20, MADV_HUGEPAGE);
	for (uint64_t i = 0; i < n; i++)
		nodes[i].key = i;
	for (uint64_t i = 0; i < n_heads * (uint64_t)chain; i++)
		push(&heads[i / (uint64_t)chain], &nodes[order[i]]);
	for (long i = 0; i < BATCHES; i++) {
		int64_t start = timed ? clock_now() : 0;

		for (long k = 0; k < lookups; k++)
			found += hlist_find(&heads[random_below(&state, n_heads)], n) != NULL;
		times[i] = timed ? clock_now() - start : 0;
	}
	if (timed)
		printf("%.3f ns a node, %ld found\n",
		       mean_of_middle_half(times, BATCHES) / (double)(lookups * chain), found);
	free(order);
	free(heads);
	free(nodes);
	return 0;
}
