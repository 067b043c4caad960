/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What is said of a run that did not end well. */
#include "failure.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "run.h"
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

static void not_started(struct writer *w, const struct failure_place *place, int error)
{
	const char *program = place->variant->argv[0];

	add(w, "cannot run '%s': ", place->variant->name);
	switch (error) {
	case ENOENT:
		add(w, "command not found: '%s'", program);
		break;
	case EACCES:
		add(w, "'%s' is not an executable file, or may not be executed by this user", program);
		break;
	case ENOEXEC:
		add(w, "'%s' is not a program for this machine; a script must begin with #!", program);
		break;
	default:
		add(w, "'%s': %s", program, strerror(error));
	}
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

void failure_describe(const struct failure_place *place, const struct run_result *result,
		      const struct run_output *output, char *err, size_t err_size)
{
	struct writer w = {err, err_size, 0};

	if (result->outcome == RUN_NOT_STARTED) {
		not_started(&w, place, result->error);
		return;
	}
	add(&w, "'%s', %s %u: ", place->variant->name, place->warmup ? "warm-up run" : "run", place->run);
	switch (result->outcome) {
	case RUN_EXIT:
		add(&w, "exited with status %d; if that is success, say --ok-status=0,%d; "
			"--ignore-failure leaves out blocks with failed runs",
		    result->status, result->status);
		break;
	case RUN_SIGNAL:
		add(&w, "was killed by signal %d (%s)", result->status, strsignal(result->status));
		break;
	case RUN_TIMEOUT:
		add(&w, "took longer than --run-timeout (%g s) and was killed",
		    (double)place->timeout_ns / 1e9);
		break;
	case RUN_STRAGGLERS:
		add(&w, "left %u process%s behind, and --stragglers=error", result->stragglers,
		    result->stragglers == 1 ? "" : "es");
		break;
	case RUN_OK:
	case RUN_INTERRUPTED:
	case RUN_NOT_STARTED:
		add(&w, "was interrupted");
		break;
	}
	add_stderr(&w, output);
}
