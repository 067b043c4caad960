/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A forecast as text, and as JSON of schema abstat-plan/1. */
#ifndef ABSTAT_RENDER_FORECAST_H
#define ABSTAT_RENDER_FORECAST_H

#include <stdio.h>

#include "forecast.h"
#include "render.h"

/* Of the type output_renderer; WHAT is a struct forecast. */
int render_forecast_text(const void *what, const struct render_options *options, FILE *out);
int render_forecast_json(const void *what, const struct render_options *options, FILE *out);

#endif
