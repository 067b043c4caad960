/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A calibration as text, and as JSON of schema abstat-calibration/1. */
#ifndef ABSTAT_RENDER_CALIBRATION_H
#define ABSTAT_RENDER_CALIBRATION_H

#include <stdio.h>

#include "calibrate.h"
#include "render.h"

/* What there is to print; `calibration` is NULL where nothing was measured. */
struct calibration_page {
	const struct calibration *calibration;
	const struct record *record;
	const char *sentence;
	const char *error; /* NULL: none */
	int status;
};

/* Of the type output_renderer; WHAT is a struct calibration_page. */
int render_calibration_text(const void *what, const struct render_options *options, FILE *out);
int render_calibration_json(const void *what, const struct render_options *options, FILE *out);

#endif
