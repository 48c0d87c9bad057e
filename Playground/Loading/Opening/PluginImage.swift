import AsyncPatterns
import Foundation

/// Opens shared objects and performs the handshake with the plugins in them.
enum PluginImage {
  /// The stage of opening a plugin, worded for the report of a crash.
  enum Stage: String, Codable {
    case opening = "while it was opened"
    case entering = "in its entry point"
    case describing = "while it described itself"
    case readingPatterns = "while its patterns were read"
    case readingManuals = "while its manuals were read"
  }

  /// Opens an object permanently: unmapping Swift metadata would make a later cast crash.
  ///
  /// The ABI and the compiler of the handshake are checked before any Swift value is used.
  static func open(
    _ object: String, entryPoint: String, what: String, stage: (Stage) -> Void = { _ in }
  ) throws(PluginError) -> any Plugin.Type {
    stage(.opening)
    // For a path without a slash, the loader would search the system's folders.
    let path = object.contains("/") ? object : "./" + object
    guard let image = dlopen(path, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE) else {
      throw notLoadable(what, String(cString: dlerror()))
    }
    LoadedImages.note(image, path: path)
    guard let symbol = dlsym(image, entryPoint) else {
      throw PluginError(
        .missingSymbol,
        "\(what) has no entry point \(entryPoint): rebuild it with this version of the package.")
    }
    stage(.entering)
    let enter = unsafeBitCast(
      symbol, to: (@convention(c) () -> UnsafePointer<async_pattern_plugin>?).self)
    guard let handshake = enter() else {
      throw PluginError(
        .badPlugin, "\(what) returns no handshake: its entry point must return one.")
    }
    // Reads the fields one by one, because the handshake of another ABI may lack all fields but the ABI.
    guard handshake.pointee.abi == async_pattern_abi() else {
      throw .wrongABI(what, plugin: handshake.pointee.abi, host: async_pattern_abi())
    }
    let compiler =
      handshake.pointee.compiler.map { String(cString: $0) } ?? "an unnamed compiler"
    guard compiler == PluginHost.compiler else {
      throw .wrongCompiler(what, plugin: compiler, host: PluginHost.compiler)
    }
    stage(.describing)
    guard let describe = handshake.pointee.describe else {
      throw PluginError(.badPlugin, "\(what) cannot describe itself: rebuild it.")
    }
    typealias Place = (any Plugin.Type)?
    let place = UnsafeMutablePointer<Place>.allocate(capacity: 1)
    defer { place.deallocate() }
    // Nil is represented by zeros here, so a plugin that writes nothing leaves nil.
    place.initialize(to: nil)
    describe(place)
    guard let plugin = place.pointee else {
      throw PluginError(.badPlugin, "\(what) does not say which type its plugin is: rebuild it.")
    }
    return plugin
  }

  static func notLoadable(_ what: String, _ reason: String) -> PluginError {
    let marker = "undefined symbol: "
    guard let range = reason.range(of: marker) else {
      return PluginError(.notLoadable, "\(what) cannot be loaded: \(reason).")
    }
    let symbol = String(reason[range.upperBound...].prefix { !$0.isWhitespace && $0 != "," })
    return PluginError(
      .notLoadable,
      "\(what) needs \(demangled(symbol)), which is neither in this playground nor in a library that it names. "
        + "A plugin may use AsyncPatterns, system libraries and what is linked into it, and must be "
        + "built against this version of AsyncPatterns.")
  }

  private static func demangled(_ symbol: String) -> String {
    demangledSwift(symbol).map { "“\($0)” (\(symbol))" } ?? "“\(symbol)”"
  }

  /// The symbol as it is written in source code, from the Swift runtime's demangler. Nil if it is not a Swift symbol.
  static func demangledSwift(_ symbol: String) -> String? {
    typealias Demangle =
      @convention(c) (
        UnsafePointer<CChar>?, Int, UnsafeMutablePointer<CChar>?, UnsafeMutablePointer<Int>?, UInt32
      ) -> UnsafeMutablePointer<CChar>?
    guard symbol.hasPrefix("$s"), let function = dlsym(nil, "swift_demangle") else {
      return nil
    }
    let demangle = unsafeBitCast(function, to: Demangle.self)
    guard let text = demangle(symbol, symbol.utf8.count, nil, nil, 0) else { return nil }
    defer { free(text) }
    return String(cString: text)
  }

  /// Rejects an object that was built with other sanitizers than the host. An object without the host's sanitizers
  /// would load, but a run without findings would prove nothing. An object with additional sanitizers cannot be loaded.
  static func checkSanitizers(of object: String, what: String, host: [String]) throws(PluginError) {
    guard let file = ObjectFile(object) else { return }
    var needed: Set<String> = []
    var hasSwift = false
    for symbol in file.symbols() where !symbol.isDefined {
      if symbol.name.hasPrefix("__tsan_") { needed.insert("thread") }
      if symbol.name.hasPrefix("__asan_") { needed.insert("address") }
      if symbol.name.hasPrefix("swift_") { hasSwift = true }
    }
    if let extra = needed.subtracting(host).sorted().first {
      throw PluginError(
        .sanitizerMismatch,
        "\(what) was built with -sanitize=\(extra), and this playground was not. Rebuild the plugin without "
          + "it, or the playground with it.")
    }
    if hasSwift, let lacking = Set(host).subtracting(needed).sorted().first {
      throw PluginError(
        .sanitizerMismatch,
        "\(what) was built without -sanitize=\(lacking), but this playground was built with it. The "
          + "sanitizer would find nothing in the plugin. Rebuild the plugin with it.")
    }
  }
}
