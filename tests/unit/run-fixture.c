/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Spawners for tests: started at the first run, with no counters.
 */
#include "run-fixture.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

void fixture_init(struct fixture *f, const char *const *texts)
{
	const struct parameter act = {
	    .name = (char *)"ACT", .values = (char *[]){(char *)ACT_PATH}, .n = 1};
	struct variant_spec spec = {.commands = texts, .parameters = &act, .n_parameters = 1};
	bool used = false;
	char err[512] = "";

	memset(f, 0, sizeof(*f));
	for (spec.n_commands = 0; texts[spec.n_commands]; spec.n_commands++)
		used |= strstr(texts[spec.n_commands], "{ACT}") != NULL;
	spec.n_parameters = used;
	if (variant_list_build(&f->list, &spec, err, sizeof(err)))
		fail_msg("%s", err);
	f->config.variants = f->list.v;
	f->config.n_variants = f->list.n;
	f->config.grace_ns = 1000000000;
}

static void forget(struct ran *r)
{
	free(r->out);
	free(r->err);
	*r = (struct ran){.n = r->n};
}

void fixture_release(struct fixture *f)
{
	spawner_free(f->spawner);
	forget(&f->ran);
	variant_list_release(&f->list);
}

static int on_run(void *context, const struct run_request *request, const struct run_result *result,
		  const struct counter_value *values, const struct scope_result *scopes,
		  const struct run_output *output)
{
	struct ran *r = context;

	(void)scopes;
	(void)request;
	(void)values;
	forget(r);
	r->result = *result;
	r->out = strndup(output->stdout_text ? output->stdout_text : "", output->stdout_len);
	r->err = strndup(output->stderr_text, output->stderr_len);
	r->out_len = output->stdout_len;
	r->err_len = output->stderr_len;
	r->truncated = output->truncated;
	r->n++;
	return 0;
}

int fixture_run_request(struct fixture *f, const struct run_request *request)
{
	const struct counter_config none = {0};
	char err[512] = "";
	int rc = 0;

	if (!f->spawner)
		rc = spawner_start(&f->spawner, &f->config, &none, NULL, err, sizeof(err));
	if (!rc)
		rc = spawner_run(f->spawner, request, 1, false, on_run, &f->ran, err, sizeof(err));
	if (rc)
		print_message("%s\n", err);
	return rc;
}

int fixture_run(struct fixture *f, uint32_t v)
{
	const struct run_request request = {.variant = v, .block_seed = 17};

	return fixture_run_request(f, &request);
}

void fixture_once(struct fixture *f, const char *text)
{
	const char *texts[] = {text, NULL};

	fixture_init(f, texts);
	assert_int_equal(fixture_run(f, 0), 0);
}

long fixture_now_ms(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * 1000 + ts.tv_nsec / 1000000;
}
