/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Progress: one line on a terminal. */
#include "progress.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "monotonic.h"
#include "text.h"

#define INTERVAL_NS UINT64_C(200000000)
#define DEFAULT_COLUMNS 80
#define ERASE "\r\033[K"

void progress_init(struct progress *p, FILE *out, bool wanted)
{
	const char *term = getenv("TERM");

	*p = (struct progress){
	    .out = out,
	    .on = wanted && term && *term && strcmp(term, "dumb") && isatty(fileno(out)),
	    .flags = text_locale_is_utf8() ? TEXT_UTF8 : 0,
	};
}

bool progress_due(const struct progress *p)
{
	return p->on && monotonic_ns() >= p->next_ns;
}

static size_t columns_of(FILE *out)
{
	struct winsize size;

	if (ioctl(fileno(out), TIOCGWINSZ, &size) || size.ws_col < 2)
		return DEFAULT_COLUMNS;
	return size.ws_col;
}

static void put_state(FILE *text, const struct progress_state *s)
{
	const char *what = s->variants > 1 ? "block" : "run";
	char number[FORMAT_SIZE], interval[FORMAT_SIZE];

	fprintf(text, "%s%s %s", s->warmup ? "warm-up " : "", what,
		format_count(number, sizeof(number), s->block));
	if (s->blocks)
		fprintf(text, " of %s%s", s->at_most ? "at most " : "",
			format_count(number, sizeof(number), s->blocks));
	if (!isnan(s->seconds_left))
		fprintf(text, ", %sabout %s left", s->at_most ? "at most " : "",
			format_span(number, sizeof(number), s->seconds_left));
	if (!s->metric)
		return;
	if (s->variants > 1 && !isnan(s->change.estimate))
		fprintf(text, ", %s %s %s", s->metric,
			format_change(number, sizeof(number), &s->change),
			format_interval(interval, sizeof(interval), &s->change));
	else if (s->variants <= 1 && !isnan(s->spread))
		fprintf(text, ", %s ±%s", s->metric,
			format_spread(number, sizeof(number), s->spread));
}

/* Cuts clean TEXT to COLUMNS, between characters. */
static void cut(char *text, size_t columns)
{
	size_t len = strlen(text);

	while (len && text_width(text) > columns) {
		do
			len--;
		while (len && ((unsigned char)text[len] & 0xc0) == 0x80);
		text[len] = '\0';
	}
}

void progress_draw(struct progress *p, const struct progress_state *state)
{
	char *raw = NULL, *clean = NULL;
	size_t size = 0;
	FILE *text;

	if (!p->on)
		return;
	text = open_memstream(&raw, &size);
	if (!text)
		return;
	put_state(text, state);
	if (!fclose(text))
		clean = text_clean(raw, p->flags);
	if (clean) {
		/* The last column stays free: some terminals begin a new line behind it. */
		cut(clean, columns_of(p->out) - 1);
		fprintf(p->out, ERASE "%s", clean);
		fflush(p->out);
		p->drawn = true;
	}
	free(clean);
	free(raw);
	p->next_ns = monotonic_ns() + INTERVAL_NS;
}

void progress_erase(struct progress *p)
{
	if (!p->drawn)
		return;
	fputs(ERASE, p->out);
	fflush(p->out);
	p->drawn = false;
}
