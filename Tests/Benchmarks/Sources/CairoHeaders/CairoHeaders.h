// Only for the flags that find the headers: the peer is C.
#include <pango/pangocairo.h>
