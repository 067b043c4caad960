/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Verdicts across scopes, in plain words. */
#include "sentence-moved.h"

#include <math.h>

#include "format.h"
#include "report.h"

/* "alloc", "alloc and init", "a, b and c": the parts of ROLE. Returns how many there are. */
static size_t put_parts(FILE *text, const struct report_moved *m, enum moved_role role)
{
	size_t n = 0, k = 0;

	for (size_t i = 0; i < m->n_parts; i++)
		n += m->parts[i].role == role;
	for (size_t i = 0; i < m->n_parts; i++) {
		if (m->parts[i].role != role)
			continue;
		fprintf(text, "%s%s", k == 0 ? "" : k + 1 == n ? " and " : ", ", m->parts[i].scope);
		k++;
	}
	return n;
}

/* "−1.20 M [−1.25, −1.15] M" */
static void put_amount(FILE *text, const struct report_moved *m, const struct moved_amount *a)
{
	struct format_change f = {true, m->unit, a->estimate, a->low, a->high};
	char buf[FORMAT_SIZE];

	fputs(format_change(buf, sizeof(buf), &f), text);
	if (!isnan(a->low) && !isnan(a->high) && a->low < a->high)
		fprintf(text, " %s", format_interval(buf, sizeof(buf), &f));
}

/* "−31.2 % [−31.9, −30.4] %" */
static void put_fraction(FILE *text, double estimate, double low, double high)
{
	struct format_change f = {false, "", estimate, low, high};
	char buf[FORMAT_SIZE];

	fputs(format_change(buf, sizeof(buf), &f), text);
	if (!isnan(low) && !isnan(high) && low < high)
		fprintf(text, " %s", format_interval(buf, sizeof(buf), &f));
}

/* What the total of the only part of ROLE changed by; of several, or of nothing known, nothing. */
static void put_own_change(FILE *text, const struct report_moved *m, enum moved_role role, size_t n)
{
	for (size_t i = 0; i < m->n_parts && n == 1; i++) {
		const struct report_part *p = &m->parts[i];

		if (p->role != role || !isfinite(p->change))
			continue;
		fputs(" (", text);
		put_fraction(text, p->change, p->change_low, p->change_high);
		fputs(" of its own)", text);
	}
}

static void put_side(FILE *text, const struct report_moved *m, enum moved_role role,
		     const struct moved_amount *a)
{
	size_t n = put_parts(text, m, role);

	fputs(n > 1 ? " together " : " ", text);
	put_amount(text, m, a);
	put_own_change(text, m, role, n);
}

static void put_moved(FILE *text, const struct report_moved *m)
{
	char buf[FORMAT_SIZE];
	double share = m->net.estimate / m->whole;
	struct format_change f = {false, "", share, m->net.low / m->whole, m->net.high / m->whole};

	fprintf(text, " The cost %s (%s, a run): ", m->grew ? "moved, and grew" : "only moved",
		m->metric);
	put_side(text, m, MOVED_WON, &m->won);
	fputs(", ", text);
	put_side(text, m, MOVED_LOST, &m->lost);
	fputs("; net ", text);
	put_amount(text, m, &m->net);
	if (m->whole > 0)
		fprintf(text, ", that is %s of the whole", format_change(buf, sizeof(buf), &f));
	fputc('.', text);
}

static void put_narrow(FILE *text, const struct report_moved *m)
{
	char share[FORMAT_SIZE];

	fprintf(text, " Only a part is better (%s, a run): ", m->metric);
	put_side(text, m, MOVED_WON, &m->won);
	if (isfinite(m->lost.estimate)) {
		fputs(", against ", text);
		put_side(text, m, MOVED_LOST, &m->lost);
	}
	if (isfinite(m->share)) {
		fputs(". That is ", text);
		put_fraction(text, m->won.estimate / m->whole, m->won.low / m->whole,
			     m->won.high / m->whole);
		fputs(" of the whole, where it is not above the noise; ", text);
		size_t n = put_parts(text, m, MOVED_WON);

		fprintf(text, " %s %s of the whole, which can gain no more than that by %s",
			n == 1 ? "is" : "are", format_fraction(share, sizeof(share), m->share),
			n == 1 ? "it" : "them");
	}
	fputc('.', text);
}

void sentence_calls(FILE *text, const struct report_moved *m)
{
	char a[FORMAT_SIZE], b[FORMAT_SIZE];

	for (size_t i = 0; m && i < m->n_calls; i++) {
		const struct report_calls *c = &m->calls[i];

		fprintf(
		    text, "%s%s is called %s times a run instead of %s",
		    i ? ", " : "The number of calls changed: ", c->scope,
		    format_number(b, sizeof(b), c->variant, format_decimals(c->variant, NAN)),
		    format_number(a, sizeof(a), c->baseline, format_decimals(c->baseline, NAN)));
	}
	if (m && m->n_calls)
		fputs(". ", text);
}

void sentence_moved(FILE *text, const struct report_moved *m)
{
	if (m && m->kind == MOVED_MOVED)
		put_moved(text, m);
	else if (m && m->kind == MOVED_NARROW)
		put_narrow(text, m);
}
