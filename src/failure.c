/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What is said of a run that did not end well. */
#include "failure.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "run-failure.h"
#include "run.h"
#include "scope-target.h"
#include "spawner.h"
#include "variant.h"

enum { LAST_LINES = 10 };

struct writer {
	char *text;
	size_t size, used;
};

static void __attribute__((format(printf, 2, 3))) add(struct writer *w, const char *format, ...)
{
	va_list ap;

	va_start(ap, format);
	int n = vsnprintf(w->text + w->used, w->size - w->used, format, ap);
	va_end(ap);
	if (n > 0)
		w->used += (size_t)n < w->size - w->used ? (size_t)n : w->size - w->used - 1;
}

static void add_stderr(struct writer *w, const struct run_output *output)
{
	size_t len = output ? output->stderr_len : 0;
	const char *text = len ? output->stderr_text : "";
	int lines = 0;

	while (len && text[len - 1] == '\n')
		len--;
	size_t start = len;

	while (start && (text[start - 1] != '\n' || ++lines < LAST_LINES))
		start--;
	if (len)
		add(w, "\nThe last lines of its stderr:\n%.*s", (int)(len - start), text + start);
}

/* Unwinders do not know the address that the kernel puts in the place of the one to return to. */
static void add_returned(struct writer *w, const struct failure_place *place)
{
	const char *tail_call = place->returned->tail_call;

	add(w, "; this may be of the probes: '%s' %s%s, so that the kernel replaces its return "
	       "address to see its end, which an exception that passes it, or a switch of stacks "
	       "in it, does not survive: scope what calls it, or a range of it",
	    place->scope,
	    tail_call ? "ends with a jump to " : "has no return instructions that can be probed",
	    tail_call ? tail_call : "");
}

void failure_describe(const struct failure_place *place, const struct run_result *result,
		      const struct run_output *output, char *err, size_t err_size)
{
	struct writer w = {err, err_size, 0};

	char what[600];

	run_failure_text(result, place->variant, place->config, what, sizeof(what));
	if (result->outcome == RUN_NOT_STARTED) {
		add(&w, "cannot run '%s': %s", place->variant->name, what);
		return;
	}
	add(&w, "'%s', %s%s %u: %s", place->variant->name, place->probed ? "probed " : "",
	    place->warmup ? "warm-up run" : "run", place->run, what);
	if (result->outcome == RUN_EXIT)
		add(&w, "; if that is success, %s%d%s; --ignore-failure leaves out blocks with failed runs",
		    place->config->ok_status ? "add " : "say --ok-status=0,", result->status,
		    place->config->ok_status ? " to --ok-status" : "");
	if (result->outcome == RUN_SIGNAL && place->returned)
		add_returned(&w, place);
	add_stderr(&w, output);
}
