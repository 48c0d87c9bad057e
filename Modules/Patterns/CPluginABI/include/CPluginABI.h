// The handshake between the playground and a plugin: plain C, so that a host can read it before it
// touches any Swift type of a plugin that another compiler may have built.
#ifndef CPLUGINABI_H
#define CPLUGINABI_H

#include <stdint.h>

/// Raised whenever the shared protocol changes in a way that breaks plugins already built.
#define ASYNC_PATTERN_ABI 2

/// What a plugin's entry point, `async_pattern_plugin_<Name>`, yields.
typedef struct async_pattern_plugin {
  /// The ABI number the plugin was built with.
  uint32_t abi;
  /// The compiler that built the plugin, as `__VERSION__` spells it.
  const char *compiler;
  /// Writes one `any Plugin.Type` to where `plugin` points. Call it only after the other two agree.
  void (*describe)(void *plugin);
} async_pattern_plugin;

/// The ABI number of whoever includes this header.
static inline uint32_t async_pattern_abi(void) { return ASYNC_PATTERN_ABI; }

/// The compiler of whoever includes this header.
static inline const char *async_pattern_compiler(void) { return __VERSION__; }

/// The entry point's answer, with the ABI and the compiler of whoever includes this header.
static inline const async_pattern_plugin *async_pattern_handshake(void (*describe)(void *)) {
  static async_pattern_plugin plugin;
  plugin.abi = ASYNC_PATTERN_ABI;
  plugin.compiler = __VERSION__;
  plugin.describe = describe;
  return &plugin;
}

#endif
