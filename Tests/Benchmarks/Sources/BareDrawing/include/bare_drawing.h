#ifndef BARE_DRAWING_H
#define BARE_DRAWING_H

#include <stdint.h>

/// The state that is kept to draw many layers on one thread.
typedef struct bare_drawing bare_drawing;

bare_drawing *bare_drawing_create(void);
void bare_drawing_destroy(bare_drawing *drawing);

/// A layer of 300 × 200: a card with a gradient, a circle, a line and text in two fonts; with plain calls of
/// Cairo and Pango. The surface is created for the layer and destroyed after it.
///
/// `pixels`: receives a copy of its 300 × 200 pixels; NULL for no copy.
void bare_drawing_layer(bare_drawing *drawing, const char *title, const char *body, uint32_t *pixels);

/// The same, kept until it is released with `bare_drawing_release`.
void *bare_drawing_kept_layer(bare_drawing *drawing, const char *title, const char *body);
void bare_drawing_release(void *layer);

/// The same in the most common way: with a new layout for each text, made for the context it is drawn on.
void bare_drawing_layer_simply(const char *title, const char *body, uint32_t *pixels);

#endif
