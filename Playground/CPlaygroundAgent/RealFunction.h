// The function of the system or of Swift's runtime that one of the agent's stands in front of, looked up once.
#pragma once

#include <dlfcn.h>

#define REAL_FUNCTION(name)                                                                                            \
  ({                                                                                                                   \
    static void *known;                                                                                                \
    void *function = __atomic_load_n(&known, __ATOMIC_RELAXED);                                                        \
    if (!function) {                                                                                                   \
      function = dlsym(RTLD_NEXT, name);                                                                               \
      __atomic_store_n(&known, function, __ATOMIC_RELAXED);                                                            \
    }                                                                                                                  \
    (void *)function;                                                                                                  \
  })
