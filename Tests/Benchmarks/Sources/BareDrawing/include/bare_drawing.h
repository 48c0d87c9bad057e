#ifndef BARE_DRAWING_H
#define BARE_DRAWING_H

#include <stdint.h>

/// What somebody keeps who draws many layers on one thread.
typedef struct bare_drawing bare_drawing;

bare_drawing *bare_drawing_create(void);
void bare_drawing_destroy(bare_drawing *drawing);

/// A layer of 300 × 200: a card with a gradient, a circle, a line and text in two fonts; with plain calls of
/// Cairo and Pango. The surface is made for it and destroyed after it.
///
/// `pixels`: where its 300 × 200 pixels are copied to; NULL for nowhere.
void bare_drawing_layer(bare_drawing *drawing, const char *title, const char *body, uint32_t *pixels);

/// The same, kept until it is let go of with `bare_drawing_let_go`.
void *bare_drawing_kept_layer(bare_drawing *drawing, const char *title, const char *body);
void bare_drawing_let_go(void *layer);

/// The same as most would write it: with a new layout for each text, made for the context it is drawn on.
void bare_drawing_layer_simply(const char *title, const char *body, uint32_t *pixels);

#endif
