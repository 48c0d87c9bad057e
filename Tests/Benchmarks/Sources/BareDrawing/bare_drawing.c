#include "bare_drawing.h"

#include <math.h>
#include <pango/pangocairo.h>
#include <stdlib.h>
#include <string.h>

struct bare_drawing {
  PangoContext *context;
  PangoLayout *layout;
  PangoFontDescription *title, *body;
};

bare_drawing *bare_drawing_create(void) {
  bare_drawing *drawing = malloc(sizeof *drawing);
  drawing->context = pango_font_map_create_context(pango_cairo_font_map_get_default());
  cairo_font_options_t *options = cairo_font_options_create();
  cairo_font_options_set_antialias(options, CAIRO_ANTIALIAS_GRAY);
  cairo_font_options_set_hint_style(options, CAIRO_HINT_STYLE_NONE);
  cairo_font_options_set_hint_metrics(options, CAIRO_HINT_METRICS_OFF);
  pango_cairo_context_set_font_options(drawing->context, options);
  cairo_font_options_destroy(options);
  pango_context_set_round_glyph_positions(drawing->context, FALSE);
  drawing->layout = pango_layout_new(drawing->context);
  pango_layout_set_wrap(drawing->layout, PANGO_WRAP_WORD_CHAR);
  drawing->title = pango_font_description_from_string("Sans Bold 13");
  drawing->body = pango_font_description_from_string("Sans 10");
  return drawing;
}

void bare_drawing_destroy(bare_drawing *drawing) {
  pango_font_description_free(drawing->title);
  pango_font_description_free(drawing->body);
  g_object_unref(drawing->layout);
  g_object_unref(drawing->context);
  free(drawing);
}

static void rounded(cairo_t *cr, double x, double y, double width, double height, double r) {
  cairo_new_path(cr);
  cairo_arc(cr, x + r, y + r, r, M_PI, 1.5 * M_PI);
  cairo_arc(cr, x + width - r, y + r, r, 1.5 * M_PI, 2 * M_PI);
  cairo_arc(cr, x + width - r, y + height - r, r, 0, 0.5 * M_PI);
  cairo_arc(cr, x + r, y + height - r, r, 0.5 * M_PI, M_PI);
  cairo_close_path(cr);
}

static void shapes(cairo_t *cr) {
  cairo_pattern_t *gradient = cairo_pattern_create_linear(0, 0, 0, 200);
  cairo_pattern_add_color_stop_rgba(gradient, 0, 0.95, 0.97, 1, 1);
  cairo_pattern_add_color_stop_rgba(gradient, 1, 0.8, 0.86, 0.95, 1);
  cairo_set_source(cr, gradient);
  cairo_pattern_destroy(gradient);
  rounded(cr, 2, 2, 296, 196, 10);
  cairo_fill(cr);
  cairo_set_source_rgba(cr, 0.4, 0.5, 0.7, 1);
  rounded(cr, 2, 2, 296, 196, 10);
  cairo_set_line_width(cr, 1);
  cairo_stroke(cr);
  cairo_set_source_rgba(cr, 0.2, 0.5, 0.9, 1);
  cairo_arc(cr, 32, 32, 20, 0, 2 * M_PI);
  cairo_fill(cr);
  cairo_set_source_rgba(cr, 0, 0, 0, 0.2);
  cairo_move_to(cr, 12, 60);
  cairo_line_to(cr, 288, 60);
  cairo_stroke(cr);
}

static void text(
    cairo_t *cr, PangoLayout *layout, const PangoFontDescription *font, const char *text, double x,
    double y, int width) {
  pango_layout_set_font_description(layout, font);
  pango_layout_set_width(layout, width * PANGO_SCALE);
  pango_layout_set_text(layout, text, -1);
  cairo_move_to(cr, x, y);
  pango_cairo_show_layout(cr, layout);
}

static void finish(cairo_surface_t *surface, uint32_t *pixels) {
  if (pixels != NULL) memcpy(pixels, cairo_image_surface_get_data(surface), 300 * 200 * 4);
  cairo_surface_destroy(surface);
}

void *bare_drawing_kept_layer(bare_drawing *drawing, const char *title, const char *body) {
  cairo_surface_t *surface = cairo_image_surface_create(CAIRO_FORMAT_ARGB32, 300, 200);
  cairo_t *cr = cairo_create(surface);
  shapes(cr);
  cairo_set_source_rgba(cr, 0.1, 0.1, 0.15, 1);
  text(cr, drawing->layout, drawing->title, title, 64, 20, 224);
  text(cr, drawing->layout, drawing->body, body, 12, 68.25, 276);
  cairo_destroy(cr);
  cairo_surface_flush(surface);
  return surface;
}

void bare_drawing_release(void *layer) { cairo_surface_destroy(layer); }

void bare_drawing_layer(
    bare_drawing *drawing, const char *title, const char *body, uint32_t *pixels) {
  finish(bare_drawing_kept_layer(drawing, title, body), pixels);
}

void bare_drawing_layer_simply(const char *title, const char *body, uint32_t *pixels) {
  cairo_surface_t *surface = cairo_image_surface_create(CAIRO_FORMAT_ARGB32, 300, 200);
  cairo_t *cr = cairo_create(surface);
  shapes(cr);
  cairo_set_source_rgba(cr, 0.1, 0.1, 0.15, 1);
  for (int part = 0; part < 2; part++) {
    PangoLayout *layout = pango_cairo_create_layout(cr);
    PangoFontDescription *font =
        pango_font_description_from_string(part == 0 ? "Sans Bold 13" : "Sans 10");
    pango_layout_set_wrap(layout, PANGO_WRAP_WORD_CHAR);
    if (part == 0) {
      text(cr, layout, font, title, 64, 20, 224);
    } else {
      text(cr, layout, font, body, 12, 68.25, 276);
    }
    pango_font_description_free(font);
    g_object_unref(layout);
  }
  cairo_destroy(cr);
  cairo_surface_flush(surface);
  finish(surface, pixels);
}
