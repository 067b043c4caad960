/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Hosts whose results are compared. */
#include "hosts.h"

#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))

enum weight {
	FACT_NOTE,    /* what is likely to be the question itself */
	FACT_SETTING, /* makes the comparison doubtful */
	FACT_CPU,     /* makes it one of two machines */
};

enum kind { FACT_STRING, FACT_INT, FACT_FLAG, FACT_BYTES };

static const struct fact {
	const char *name;
	enum weight weight;
	enum kind kind;
	size_t offset;
} facts[] = {
#define FACT(name, weight, kind, member)                                                           \
	{                                                                                          \
		name, weight, kind, offsetof(struct machine, member)                               \
	}
    FACT("CPU", FACT_CPU, FACT_STRING, cpu_model),
    FACT("architecture", FACT_CPU, FACT_STRING, arch),
    FACT("host", FACT_SETTING, FACT_STRING, hostname),
    FACT("microcode", FACT_SETTING, FACT_STRING, microcode),
    FACT("CPUs online", FACT_SETTING, FACT_INT, cpus_online),
    FACT("memory", FACT_SETTING, FACT_BYTES, memory),
    FACT("hypervisor", FACT_SETTING, FACT_STRING, hypervisor),
    FACT("frequency governor", FACT_SETTING, FACT_STRING, governor),
    FACT("turbo", FACT_SETTING, FACT_FLAG, turbo),
    FACT("SMT", FACT_SETTING, FACT_FLAG, smt),
    FACT("address space randomisation", FACT_SETTING, FACT_INT, aslr),
    FACT("clock source", FACT_SETTING, FACT_STRING, clocksource),
    FACT("kernel", FACT_NOTE, FACT_STRING, kernel),
    FACT("kernel command line", FACT_NOTE, FACT_STRING, cmdline),
    FACT("perf_event_paranoid", FACT_NOTE, FACT_INT, paranoid),
#undef FACT
};

/* FACT of M as text, in BUF or borrowed; NULL if it is not known. */
static const char *fact_text(const struct fact *fact, const struct machine *m, char *buf,
			     size_t size)
{
	const char *at = (const char *)m + fact->offset;
	int64_t bytes;
	int number;

	switch (fact->kind) {
	case FACT_STRING: {
		char *text;

		memcpy(&text, at, sizeof(text));
		return text;
	}
	case FACT_BYTES:
		memcpy(&bytes, at, sizeof(bytes));
		if (bytes < 0)
			return NULL;
		/* Kernels reserve a little more or less of the same memory. */
		snprintf(buf, size, "%.0f GiB", (double)bytes / (1 << 30));
		return buf;
	case FACT_INT:
	case FACT_FLAG:
		break;
	}
	memcpy(&number, at, sizeof(number));
	/* -1 is a level of paranoia as well; what is imported has no kernel. */
	if (number < 0 && (fact->offset != offsetof(struct machine, paranoid) || !m->kernel))
		return NULL;
	if (fact->kind == FACT_FLAG)
		return number ? "on" : "off";
	snprintf(buf, size, "%d", number);
	return buf;
}

/* True, and both texts, if A and B are known to differ in FACT. */
static bool differs(const struct fact *fact, const struct record *a, const struct record *b,
		    char *text, size_t size)
{
	char x[40], y[40];
	const char *of_a = fact_text(fact, &a->machine, x, sizeof(x));
	const char *of_b = fact_text(fact, &b->machine, y, sizeof(y));

	if (!of_a || !of_b || !strcmp(of_a, of_b))
		return false;
	snprintf(text, size, "%s: %s (%s), %s (%s)", fact->name, of_a,
		 a->source ? a->source : "first", of_b, b->source ? b->source : "second");
	return true;
}

static int tell(struct report *report, struct record *first, const struct fact *fact,
		const char *text)
{
	switch (fact->weight) {
	case FACT_CPU:
		return report_warn(report, "another-cpu", NULL,
				   "%s. These are different machines: a difference may be theirs",
				   text);
	case FACT_SETTING:
		return report_warn(report, "hosts-differ", NULL, "%s", text);
	case FACT_NOTE:
		break;
	}
	return record_note(first, "%s", text);
}

/* A fact of the same value as that of an earlier record has been told already. */
static bool is_told(const struct report *report, size_t record, const struct fact *fact)
{
	char x[40], y[40];
	const char *mine = fact_text(fact, &report->records[record]->machine, x, sizeof(x));

	for (size_t i = 1; i < record; i++) {
		const char *other = fact_text(fact, &report->records[i]->machine, y, sizeof(y));

		if (mine && other && !strcmp(mine, other))
			return true;
	}
	return false;
}

int hosts_compare(struct report *report, struct record *first)
{
	char text[2048];

	for (size_t f = 0; f < ARRAY_SIZE(facts); f++)
		for (size_t i = 1; i < report->n_records; i++) {
			int r;

			if (!differs(&facts[f], first, report->records[i], text, sizeof(text)) ||
			    is_told(report, i, &facts[f]))
				continue;
			r = tell(report, first, &facts[f], text);
			if (r)
				return r;
		}
	return 0;
}
