// The handshake between the playground and a plugin. Another compiler may have built the plugin. So
// the handshake is plain C, which a host can read before it touches any Swift type of the plugin.
#ifndef CPLUGINABI_H
#define CPLUGINABI_H

#include <stdint.h>

/// The number is raised whenever a change of the shared protocol breaks built plugins.
#define ASYNC_PATTERN_ABI 2

/// The result of a plugin's entry point, `async_pattern_plugin_<Name>`.
typedef struct async_pattern_plugin {
  /// The ABI number the plugin was built with.
  uint32_t abi;
  /// The compiler that built the plugin, in the form of `__VERSION__`.
  const char *compiler;
  /// Writes one `any Plugin.Type` to `plugin`. Call it only if `abi` and `compiler` are those of the host.
  void (*describe)(void *plugin);
} async_pattern_plugin;

/// The ABI number of the code that includes this header.
static inline uint32_t async_pattern_abi(void) { return ASYNC_PATTERN_ABI; }

/// The compiler of the code that includes this header.
static inline const char *async_pattern_compiler(void) { return __VERSION__; }

/// The result of the entry point, with the ABI and the compiler of the code that includes this header.
static inline const async_pattern_plugin *async_pattern_handshake(void (*describe)(void *)) {
  static async_pattern_plugin plugin;
  plugin.abi = ASYNC_PATTERN_ABI;
  plugin.compiler = __VERSION__;
  plugin.describe = describe;
  return &plugin;
}

#endif
