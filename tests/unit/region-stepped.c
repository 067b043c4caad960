/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Marked regions where counters are read in user space, on any x86-64 machine: the program executes
 * step by step, so that it knows how many instructions it has executed, and what would read a
 * counter reads that: `region-stepped all|cost N`. A piece of work of N is 2 N + 1 instructions. It
 * prints what a pair of markers takes, and with "all" how many signals came.
 *
 * Event 0 counts one for each instruction, event 1 three, time five.
 */
#include <abstat/region.h>

#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

enum { CALLS = 12, THIRD = CALLS / 3, FIXED = 1 << 30, WIDTH = 48, TRAP = 0x100, SKIPPED = 128 };

/* What happens to the counters while one is read. */
enum change { MOVED, TAKEN };

struct machine {
	volatile uint64_t steps;
	uint64_t offset[2]; /* of what is counted, that is not in the counter */
	struct abstat_region_page pages[2];
	struct abstat_region_thread *thread;
	uint32_t readings; /* of counters */
	uint32_t when;     /* that in which there is a change; 0: there is none */
	uint32_t which;    /* the event that loses its counter */
	enum change change;
	uint32_t every; /* if not 0, again after as many readings */
	/* Registers at a marker's begin. */
	bool marking;
	greg_t before[NGREG];
	unsigned char red_zone[SKIPPED];
	/* If not 0, a signal comes after as many more steps, and has regions itself. */
	uint64_t signal_at;
	bool in_signal;
	volatile unsigned signals;
};

static __thread struct machine machine;

extern const char begin_marker[] __asm__("abstat_region_begin_marker")
    __attribute__((visibility("hidden")));
extern const char end_marker[] __asm__("abstat_region_end_marker")
    __attribute__((visibility("hidden")));

#define WORK(n)                                                                                    \
	__asm__ __volatile__("movq %0, %%rax\n"                                                    \
			     "1:\tsubq $1, %%rax\n\t"                                              \
			     "jnz 1b"                                                              \
			     :                                                                     \
			     : "r"(n)                                                              \
			     : "rax", "cc")

static void wrong(const char *what)
{
	size_t n = strlen(what);

	if (write(STDERR_FILENO, what, n) == (ssize_t)n)
		_exit(4);
	_exit(5);
}

static __attribute__((noinline)) void step(bool on)
{
	__asm__ __volatile__("leaq -128(%%rsp), %%rsp\n\t"
			     "pushfq\n\t"
			     "andq %0, (%%rsp)\n\t"
			     "orq %1, (%%rsp)\n\t"
			     "popfq\n\t"
			     "leaq 128(%%rsp), %%rsp"
			     :
			     : "r"(~(uint64_t)TRAP), "r"((uint64_t)(on ? TRAP : 0))
			     : "memory", "cc");
}

static uint64_t count(uint32_t event)
{
	return machine.steps * (event ? 3 : 1);
}

/*
 * As the kernel does it where a thread comes to another CPU, or a counter is needed by another event:
 * what was counted by another counter is in the offset.
 */
static void change(void)
{
	uint64_t moved = 1000 + machine.readings;

	for (uint32_t i = 0; i < machine.thread->n; i++) {
		struct abstat_region_page *page = &machine.pages[i];

		page->lock++;
		if (machine.change == MOVED) {
			machine.offset[i] += moved;
			page->offset += (int64_t)moved;
		} else if (i == machine.which) {
			page->index = 0;
		}
		page->lock++;
	}
	machine.when = machine.every ? machine.readings + machine.every : 0;
}

/* What a counter of 48 bits has. */
static uint64_t counter(uint32_t number)
{
	uint32_t event = number & 1;
	uint64_t value = count(event) - machine.offset[event];

	if (number != (event ? FIXED + 1 : 0))
		wrong("another counter is read\n");
	return value & ((UINT64_C(1) << WIDTH) - 1);
}

/* Does instead of the processor what is next, if that is a reading. */
static bool emulate(greg_t *r)
{
	const unsigned char *next = (const unsigned char *)r[REG_RIP];
	uint64_t value;

	if (next[0] != 0x0f)
		return false;
	if (next[1] == 0x33) {
		value = counter((uint32_t)r[REG_RCX]);
		if (++machine.readings == machine.when)
			change();
	} else if (next[1] == 0x31) {
		value = 5 * machine.steps;
	} else if (next[1] == 0x05 && r[REG_RAX] == SYS_read && machine.thread &&
		   r[REG_RDI] == machine.thread->fds[0]) {
		uint64_t *group = (uint64_t *)r[REG_RSI];

		group[0] = machine.thread->n;
		for (uint32_t i = 0; i < machine.thread->n; i++)
			group[i + 1] = count(i);
		r[REG_RAX] = r[REG_RDX];
		r[REG_RIP] += 2;
		return true;
	} else {
		return false;
	}
	r[REG_RAX] = (greg_t)(value & UINT32_MAX);
	r[REG_RDX] = (greg_t)(value >> 32);
	r[REG_RIP] += 2;
	return true;
}

/* A marker changes %r10, %r11 and the flags only, and nothing of the red zone. */
static void check_registers(const greg_t *r)
{
	static const int kept[] = {REG_RAX, REG_RBX, REG_RCX, REG_RDX, REG_RSI, REG_RDI, REG_RBP,
				   REG_R8,  REG_R9,  REG_R12, REG_R13, REG_R14, REG_R15};
	const char *at = (const char *)r[REG_RIP];

	if (at == begin_marker || at == end_marker) {
		/* A begin may begin again. */
		if (machine.marking && r[REG_RSP] != machine.before[REG_RSP])
			wrong("the stack is another\n");
		machine.marking = true;
		memcpy(machine.before, r, sizeof(machine.before));
		memcpy(machine.red_zone, (char *)r[REG_RSP] + 8, SKIPPED);
	} else if (machine.marking && r[REG_RSP] > machine.before[REG_RSP]) {
		machine.marking = false;
		if (r[REG_RSP] != machine.before[REG_RSP] + 8 + SKIPPED)
			wrong("the stack pointer is changed\n");
		if (memcmp(machine.red_zone, (char *)r[REG_RSP] - SKIPPED, SKIPPED) != 0)
			wrong("the red zone is changed\n");
		for (size_t i = 0; i < sizeof(kept) / sizeof(kept[0]); i++)
			if (r[kept[i]] != machine.before[kept[i]])
				wrong("a register is changed\n");
	}
}

static void signal_within(void)
{
	bool marking = machine.marking;

	machine.in_signal = true;
	machine.marking = false;
	step(true);
	ABSTAT_REGION_BEGIN(handler);
	ABSTAT_REGION_END(handler);
	step(false);
	machine.marking = marking;
	machine.in_signal = false;
	machine.signals++;
}

static void stepped(int number, siginfo_t *info, void *context)
{
	greg_t *r = ((ucontext_t *)context)->uc_mcontext.gregs;

	(void)number;
	(void)info;
	machine.steps++;
	while (emulate(r))
		machine.steps++;
	if (machine.in_signal)
		return;
	check_registers(r);
	if (machine.signal_at && !--machine.signal_at) {
		greg_t before[NGREG];

		memcpy(before, machine.before, sizeof(before));
		signal_within();
		memcpy(machine.before, before, sizeof(before));
	}
}

/* From now on the calling thread has counters, as if they could be read in user space. */
static void equip(void)
{
	struct abstat_region_thread *t;

	if (!machine.thread) {
		ABSTAT_REGION_BEGIN(enter);
		ABSTAT_REGION_END(enter);
	}
	t = abstat_region_find_thread(abstat_region_own);
	machine.thread = t;
	machine.steps = 1000;
	for (uint32_t i = 0; i < t->n; i++) {
		/* The counter comes to 0 from below soon. */
		machine.offset[i] = 5000;
		machine.pages[i] = (struct abstat_region_page){
		    .index = i ? FIXED + 2 : 1, .offset = 5000, .width = WIDTH};
		t->events[i].page = &machine.pages[i];
		t->shift[i] = 64 - WIDTH;
	}
	t->lock = &machine.pages[0].lock;
	t->user = 1;
	t->ticks = 1;
	t->end = abstat_region_can_be_fast(t) ? t->limit : NULL;
	((struct abstat_region_slot *)(void *)t->slot)->user = 1;
	((struct abstat_region_slot *)(void *)t->slot)->time_mult = 1;
	((struct abstat_region_slot *)(void *)t->slot)->time_shift = 0;
}

static void calibrate(void)
{
	equip();
	step(true);
	if (!abstat_region_calibrate(abstat_region_own, machine.thread))
		wrong("cannot calibrate\n");
	step(false);
#ifdef ABSTAT_REGION_CACHES_
	abstat_region_adopt(machine.thread);
#endif
}

/* A region called so often. */
#define FLAT(name)                                                                                 \
	step(true);                                                                                \
	for (int i = 0; i < CALLS; i++) {                                                          \
		ABSTAT_REGION_BEGIN(name);                                                         \
		WORK(n);                                                                           \
		ABSTAT_REGION_END(name);                                                           \
	}                                                                                          \
	step(false)

static void flat(long n)
{
	FLAT(flat);
}

static void by_read(long n)
{
	abstat_region_give_up_user(machine.thread);
	FLAT(by_read);
}

/* Inner twice in outer, the first time with another in it. */
static void nested(long n)
{
	step(true);
	for (int i = 0; i < CALLS; i++) {
		ABSTAT_REGION_BEGIN(outer);
		WORK(n);
		ABSTAT_REGION_BEGIN(inner);
		WORK(n);
		ABSTAT_REGION_BEGIN(deep);
		WORK(n);
		ABSTAT_REGION_END(deep);
		ABSTAT_REGION_END(inner);
		WORK(n);
		ABSTAT_REGION_BEGIN(inner);
		WORK(n);
		ABSTAT_REGION_END(inner);
		ABSTAT_REGION_END(outer);
	}
	step(false);
}

static void *thread_main(void *argument)
{
	long n = *(long *)argument;

	equip();
#ifdef ABSTAT_REGION_CACHES_
	abstat_region_adopt(machine.thread);
#endif
	FLAT(in_thread);
	/* They are no mappings. */
	for (uint32_t i = 0; i < machine.thread->n; i++)
		machine.thread->events[i].page = NULL;
	return NULL;
}

static void threads(long n)
{
	pthread_t t[3];

	for (int i = 0; i < 3; i++)
		if (pthread_create(&t[i], NULL, thread_main, &n))
			wrong("no thread\n");
	for (int i = 0; i < 3; i++)
		pthread_join(t[i], NULL);
}

/* So many READINGS from now there is a change, and again EVERY so many. */
static void expect(enum change what, uint32_t readings, uint32_t every)
{
	machine.change = what;
	machine.every = every;
	machine.when = machine.readings + readings;
}

/* At each third begin, in its last reading, which is made again. */
static void moved_at_begin(long n)
{
	expect(MOVED, machine.thread->n, 3 * 2 * machine.thread->n + 1);
	FLAT(moved_at_begin);
}

static void moved_at_end(long n)
{
	expect(MOVED, 2 * machine.thread->n, 3 * 2 * machine.thread->n + 1);
	FLAT(moved_at_end);
}

/* After a third of the calls, between two, the last event has no counter any more. */
static void taken(long n)
{
	machine.which = machine.thread->n - 1;
	expect(TAKEN, THIRD * 2 * machine.thread->n, 0);
	FLAT(taken);
}

/* Event 0, in the first reading of a begin, or of an end. */
static void taken_in_begin(long n)
{
	machine.which = 0;
	expect(TAKEN, THIRD * 2 * machine.thread->n + 1, 0);
	FLAT(taken_in_begin);
}

static void taken_in_end(long n)
{
	machine.which = 0;
	expect(TAKEN, THIRD * 2 * machine.thread->n + machine.thread->n + 1, 0);
	FLAT(taken_in_end);
}

/* A signal comes at each instruction of a call, or at each fifth of many. */
#ifdef ABSTAT_REGION_CACHES_
enum { STRIDE = 1 };
#else
enum { STRIDE = 5 };
#endif

static void signals(long n)
{
	unsigned before;
	uint64_t at = 0;

	do {
		before = machine.signals;
		at += STRIDE;
		machine.signal_at = at;
		step(true);
		ABSTAT_REGION_BEGIN(hit);
		WORK(n);
		ABSTAT_REGION_END(hit);
		step(false);
	} while (machine.signals > before);
	machine.signal_at = 0;
}

/* What a pair takes. */
static long cost(void)
{
	uint64_t a, b, c;

	step(true);
	a = machine.steps;
	for (int i = 0; i < CALLS; i++)
		__asm__ __volatile__("" : "+r"(i));
	b = machine.steps;
	for (int i = 0; i < CALLS; i++) {
		ABSTAT_REGION_BEGIN(cost);
		__asm__ __volatile__("" : "+r"(i));
		ABSTAT_REGION_END(cost);
	}
	c = machine.steps;
	step(false);
	return ((long)(c - b) - (long)(b - a)) / CALLS;
}

int main(int argc, char **argv)
{
	static void (*const modes[])(long n) = {
	    flat, nested, threads, by_read, moved_at_begin, moved_at_end, taken,
	    taken_in_begin, taken_in_end, signals,
	};
	struct sigaction action = {.sa_sigaction = stepped, .sa_flags = SA_SIGINFO | SA_NODEFER};

	if (argc != 3 || sigaction(SIGTRAP, &action, NULL))
		return 2;
	if (abstat_region_on)
		calibrate();
	printf("%ld\n", cost());
	if (!abstat_region_on || strcmp(argv[1], "all") != 0)
		return 0;
	for (size_t i = 0; i < sizeof(modes) / sizeof(modes[0]); i++) {
		equip();
		modes[i](strtol(argv[2], NULL, 10));
	}
	printf("%u\n", machine.signals);
	return 0;
}
