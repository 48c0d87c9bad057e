import Foundation

/// A function of a plugin, or of Swift that was typed.
public struct PluginFunction: Sendable, Hashable {
  /// The name as in source code, without the module and the parameters. The code of a block has none.
  public let name: String?
  /// The path of the object that contains it.
  public let object: String

  /// The function that a crash was in, found by the return addresses of its thread, the innermost first.
  ///
  /// - Returns: nil if the crash was in other code, such as the program itself.
  public static func crashed(in addresses: [UInt], of files: LoadedFiles) -> PluginFunction? {
    for returned in addresses {
      // A call that never returns may be the last instruction of its function.
      let address = returned - 1
      guard let file = files.name(at: address) else { continue }
      if let image = files.image(at: address) {
        let symbol = ObjectFile(image.path)?.function(at: Int(address - image.start))
        return PluginFunction(
          demangled: symbol.flatMap(PluginImage.demangledSwift) ?? "", in: image.path)
      }
      // A trap is often in Swift's own libraries, which the plugin has called.
      guard
        file.hasPrefix("libswift") || file.hasPrefix("libFoundation")
          || file.hasPrefix("libc.so") || file.hasPrefix("libgcc")
      else { return nil }
    }
    return nil
  }

  /// - Parameter text: a demangled symbol, such as
  ///   `(1) suspend resume partial function for Cache.Store.value(key: Swift.String) async -> Swift.Int`.
  init(demangled text: String, in object: String) {
    self.object = object
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
