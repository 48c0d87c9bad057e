import Foundation

/// A function of a plugin, or of Swift that was typed.
public struct PluginFunction: Sendable, Hashable {
  /// The name as in source code, without the module and the parameters. The code of a block has none.
  public let name: String?

  /// The function that a crash was in, found by the return addresses of its thread, the innermost first.
  ///
  /// - Parameter objects: the objects of loaded plugins, apart from those in the folders of the host.
  /// - Returns: nil if the crash was in other code, such as the program itself.
  public static func crashed(
    in addresses: [UInt], host: PluginHost, objects: [String]
  ) -> PluginFunction? {
    let places = LoadedFile.all
    for returned in addresses {
      // A call that never returns may be the last instruction of its function.
      let address = returned - 1
      guard let place = places.last(where: { $0.range.contains(address) }) else { continue }
      let file = place.path
      let isPlugin =
        objects.contains(file) || file.hasPrefix(host.cache + "/")
        || file.hasPrefix(host.plugins + "/")
      if isPlugin {
        let start = places.first { $0.path == file }?.range.lowerBound ?? address
        let symbol = ObjectFile(file)?.function(at: Int(address - start))
        return PluginFunction(demangled: symbol.flatMap(PluginImage.demangledSwift) ?? "")
      }
      // A trap is often in Swift's own libraries, which the plugin has called.
      let library = Files.lastComponent(file)
      guard
        library.hasPrefix("libswift") || library.hasPrefix("libFoundation")
          || library.hasPrefix("libc.so") || library.hasPrefix("libgcc")
      else { return nil }
    }
    return nil
  }

  /// Whether a thread belongs to Dispatch, and with it to the few that run tasks without an executor of their own.
  public static func isOnDispatch(_ addresses: [UInt]) -> Bool {
    let places = LoadedFile.all.filter { Files.lastComponent($0.path).hasPrefix("libdispatch") }
    return addresses.contains { address in places.contains { $0.range.contains(address) } }
  }

  /// - Parameter text: a demangled symbol, such as
  ///   `(1) suspend resume partial function for Cache.Store.value(key: Swift.String) async -> Swift.Int`.
  init(demangled text: String) {
    var text = text[...]
    if let range = text.range(of: " function for ") { text = text[range.upperBound...] }
    // The function around closures and local functions comes last.
    if let range = text.range(of: " in ", options: .backwards) { text = text[range.upperBound...] }
    if text.hasPrefix("static ") { text = text.dropFirst("static ".count) }
    var path = text.prefix { $0 != "(" && $0 != " " && $0 != "<" }.split(separator: ".").dropFirst()
    if path.last == "getter" || path.last == "setter" { path.removeLast() }
    let isBlock = path.first?.hasPrefix("swiftBlock") ?? true
    name = isBlock ? nil : path.joined(separator: ".")
  }
}

/// A part of a file that is in the memory of this process.
private struct LoadedFile {
  let path: String
  let range: Range<UInt>

  /// All parts, by their addresses. The system's loader puts the parts of a file at the distances of the file.
  static var all: [LoadedFile] {
    let map = Files.readStream("/proc/self/maps") ?? []
    return String(decoding: map, as: UTF8.self).split(separator: "\n").compactMap { line in
      guard let path = line.firstIndex(of: "/"),
        let match = line.prefixMatch(of: #/([0-9a-f]+)-([0-9a-f]+) /#),
        let start = UInt(match.1, radix: 16), let end = UInt(match.2, radix: 16), start < end
      else { return nil }
      // The system marks a file that has been replaced. In the cache, the new file has the same code.
      let name = line[path...]
      let mark = " (deleted)"
      return LoadedFile(
        path: String(name.hasSuffix(mark) ? name.dropLast(mark.count) : name), range: start..<end)
    }
  }
}
