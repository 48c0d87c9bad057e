#ifndef CCAIRO_H
#define CCAIRO_H

#include <cairo.h>
#include <pango/pangocairo.h>

// The direction of the first letter that has one. Pango calls this deprecated and has nothing in its place.
G_GNUC_BEGIN_IGNORE_DEPRECATIONS
static inline PangoDirection ccairo_first_direction(const char *text, int length) {
  return pango_find_base_dir(text, length);
}
G_GNUC_END_IGNORE_DEPRECATIONS

#endif
