import Foundation

/// The symbol tables of a 64-bit, little-endian ELF file: a relocatable object or a shared object.
///
/// Each offset read from the file is checked against the file's size, so a damaged file yields nothing.
struct ObjectFile {
  private let bytes: Data

  /// Nil if the file cannot be read or is not such an object.
  init?(_ path: String) {
    guard let bytes = try? Data(contentsOf: URL(fileURLWithPath: path), options: .alwaysMapped),
      bytes.count >= 64, bytes.prefix(6).elementsEqual([0x7f, 0x45, 0x4c, 0x46, 2, 1])
    else { return nil }
    self.bytes = bytes
  }

  /// Whether a complete object is at a path that belongs to the user and that no other user may write to. Any other
  /// object in the cache is made again.
  static func isUsable(_ path: String) -> Bool {
    Files.isOwn(path) && ObjectFile(path)?.isComplete == true
  }

  /// Whether the file contains its table of sections, which linkers write last, and all sections in it.
  private var isComplete: Bool {
    bytes.withUnsafeBytes { file in
      let sections = Self.sections(of: file)
      return !sections.isEmpty
        && sections.allSatisfy {
          $0.type == Self.emptySection || file.contains($0.offset, $0.size)
        }
    }
  }

  struct Symbol {
    var name: String
    var isDefined: Bool
    /// Several objects may define the same weak symbol.
    var isWeak: Bool
  }

  /// The global symbols: from the dynamic table if there is one, as in a shared object, otherwise from the static
  /// table.
  ///
  /// - Complexity: O(symbols).
  func symbols() -> [Symbol] {
    var found: [Symbol] = []
    forEachSymbol { name, isDefined, isWeak in
      found.append(Symbol(name: String(cString: name), isDefined: isDefined, isWeak: isWeak))
    }
    return found
  }

  /// The plugin entry points that the file defines, without their prefix.
  func entryPoints() -> [String] {
    let prefix = EntryPoint.prefix
    var found: [String] = []
    forEachSymbol { name, isDefined, _ in
      if isDefined, strncmp(name, prefix, prefix.utf8.count) == 0 {
        found.append(String(String(cString: name).dropFirst(prefix.count)))
      }
    }
    return found
  }

  /// The machine architecture that the file is for, if it differs from this machine's.
  var otherMachine: String? {
    let number = bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: 18, as: UInt16.self) }
    #if arch(arm64)
      let own: UInt16 = 183
    #else
      let own: UInt16 = 62
    #endif
    if number == own { return nil }
    return [3: "x86", 40: "arm", 62: "x86_64", 183: "arm64", 243: "riscv"][number]
      ?? "number \(number)"
  }

  /// The names of the shared libraries that the file needs.
  var neededLibraries: [String] {
    bytes.withUnsafeBytes { file in
      let sections = Self.sections(of: file)
      guard let dynamic = sections.first(where: { $0.type == Self.dynamicSection }),
        sections.indices.contains(dynamic.link), file.contains(dynamic.offset, dynamic.size)
      else { return [] }
      let names = sections[dynamic.link]
      guard file.contains(names.offset, names.size), names.size > 0,
        file[names.offset + names.size - 1] == 0
      else { return [] }
      return stride(from: dynamic.offset, to: dynamic.offset + dynamic.size - 15, by: 16)
        .compactMap { offset in
          let (tag, value) = file.loadUnaligned(fromByteOffset: offset, as: (Int64, UInt64).self)
          guard tag == 1, value < names.size else { return nil }
          let text = (file.baseAddress! + names.offset + Int(value))
          return String(cString: text.assumingMemoryBound(to: CChar.self))
        }
    }
  }

  /// The names of the file's sections, in no order.
  var sectionNames: Set<String> {
    bytes.withUnsafeBytes { file in
      let sections = Self.sections(of: file)
      let index = Int(file.loadUnaligned(fromByteOffset: 62, as: UInt16.self))
      guard sections.indices.contains(index),
        file.contains(sections[index].offset, sections[index].size)
      else { return [] }
      let place = sections[index].offset
      let names = UnsafeRawBufferPointer(rebasing: file[place..<(place + sections[index].size)])
      return Set(names.split(separator: 0).map { String(decoding: $0, as: UTF8.self) })
    }
  }

  /// The symbol of the function that contains an address, even of one that is not exported.
  ///
  /// - Parameter address: counts from the start of the loaded object.
  /// - Complexity: O(number of symbols).
  func function(at address: Int) -> String? {
    bytes.withUnsafeBytes { file in
      let sections = Self.sections(of: file)
      guard let table = sections.first(where: { $0.type == Self.staticTable }),
        sections.indices.contains(table.link), file.contains(table.offset, table.size)
      else { return nil }
      let names = sections[table.link]
      guard file.contains(names.offset, names.size) else { return nil }
      for offset in stride(from: table.offset, to: table.offset + table.size - 23, by: 24) {
        let name = Int(file.loadUnaligned(fromByteOffset: offset, as: UInt32.self))
        let start = Int(
          clamping: file.loadUnaligned(fromByteOffset: offset + 8, as: UInt64.self))
        let size = Int(
          clamping: file.loadUnaligned(fromByteOffset: offset + 16, as: UInt64.self))
        guard file[offset + 4] & 15 == 2, start <= address, address - start < size,
          name > 0, name < names.size
        else { continue }
        let text = file[(names.offset + name)..<(names.offset + names.size)].prefix { $0 != 0 }
        return String(decoding: text, as: UTF8.self)
      }
      return nil
    }
  }

  private static let dynamicSection: UInt32 = 6
  /// A section that takes no room in the file.
  private static let emptySection: UInt32 = 8
  private static let staticTable: UInt32 = 2
  private static let dynamicTable: UInt32 = 11

  private func forEachSymbol(_ visit: (UnsafePointer<CChar>, Bool, Bool) -> Void) {
    bytes.withUnsafeBytes { file in
      let sections = Self.sections(of: file)
      guard
        let table = sections.first(where: { $0.type == Self.dynamicTable })
          ?? sections.first(where: { $0.type == Self.staticTable }),
        sections.indices.contains(table.link)
      else { return }
      let names = sections[table.link]
      guard file.contains(table.offset, table.size), file.contains(names.offset, names.size),
        names.size > 0, file[names.offset + names.size - 1] == 0
      else { return }
      for offset in stride(from: table.offset, to: table.offset + table.size - 23, by: 24) {
        let name = Int(file.loadUnaligned(fromByteOffset: offset, as: UInt32.self))
        let binding = file[offset + 4] >> 4
        let section = file.loadUnaligned(fromByteOffset: offset + 6, as: UInt16.self)
        guard name > 0, name < names.size, binding == 1 || binding == 2 else { continue }
        let text = (file.baseAddress! + names.offset + name).assumingMemoryBound(to: CChar.self)
        visit(text, section != 0, binding == 2)
      }
    }
  }

  private struct Section {
    var type: UInt32
    var offset: Int
    var size: Int
    var link: Int
  }

  private static func sections(of file: UnsafeRawBufferPointer) -> [Section] {
    let start = Int(clamping: file.loadUnaligned(fromByteOffset: 40, as: UInt64.self))
    let count = Int(file.loadUnaligned(fromByteOffset: 60, as: UInt16.self))
    guard file.contains(start, count * 64) else { return [] }
    return (0..<count).map { index in
      let place = start + index * 64
      return Section(
        type: file.loadUnaligned(fromByteOffset: place + 4, as: UInt32.self),
        offset: Int(clamping: file.loadUnaligned(fromByteOffset: place + 24, as: UInt64.self)),
        size: Int(clamping: file.loadUnaligned(fromByteOffset: place + 32, as: UInt64.self)),
        link: Int(file.loadUnaligned(fromByteOffset: place + 40, as: UInt32.self)))
    }
  }
}

extension UnsafeRawBufferPointer {
  fileprivate func contains(_ offset: Int, _ size: Int) -> Bool {
    offset >= 0 && size >= 0 && offset <= count && size <= count - offset
  }
}
