// This module only provides the flags with which the peer, a target in C, finds the headers.
#include <pango/pangocairo.h>
