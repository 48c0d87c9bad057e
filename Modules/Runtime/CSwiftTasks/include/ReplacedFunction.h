// Functions that replace functions with the same names in the system or in Swift's runtime.
//
// A call through the linkage table of a program or a library finds the replacement first. A program that contains
// Swift's libraries makes no such calls. The linker must then redirect the calls, with `-Xlinker --wrap=NAME`.
#pragma once

#include <dlfcn.h>

/// Follows the definition of a replacement. If the linker wraps the function, it redirects calls to this name.
#define WRAPS(name) extern __typeof__(name) __wrap_##name __attribute__((alias(#name)));
/// Does the same for a function that was given its name by `__asm__`.
#define WRAPS_SYMBOL(function, symbol) extern __typeof__(function) function##Wrap __asm__("__wrap_" symbol) __attribute__((alias(symbol)));

/// The replaced function, which is looked up once.
#define REPLACED(symbol) REPLACED_BY_NUMBER(symbol, __COUNTER__)
#define REPLACED_BY_NUMBER(symbol, number) REPLACED_BY_SUFFIX(symbol, number)
#define REPLACED_BY_SUFFIX(symbol, number) REPLACED_BY_NAMES(symbol, wrapped##number, own##number)
#define REPLACED_BY_NAMES(symbol, wrapped, own)                                                                        \
  ({                                                                                                                   \
    /* The name that the linker gives to the replaced function, if it wraps the function. */                           \
    extern char wrapped __asm__("__real_" symbol) __attribute__((weak));                                               \
    extern char own __asm__("__wrap_" symbol) __attribute__((weak));                                                   \
    static void *known;                                                                                                \
    void *function = __atomic_load_n(&known, __ATOMIC_RELAXED);                                                        \
    if (!function) {                                                                                                   \
      /* If only a library defines the function, the linker makes `wrapped` the replacement itself. */                 \
      function = &wrapped && &wrapped != &own ? &wrapped : dlsym(RTLD_NEXT, symbol);                                   \
      __atomic_store_n(&known, function, __ATOMIC_RELAXED);                                                            \
    }                                                                                                                  \
    function;                                                                                                          \
  })
