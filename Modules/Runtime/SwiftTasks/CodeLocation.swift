internal import AsyncRuntime
@_spi(Internal) private import Runtime

/// What the program's symbols and debug information say about an address.
public struct CodeLocation: Hashable, Sendable {
  /// The function, without the types of its arguments, such as `Cache.value(_:)`. For a function of
  /// Swift's own libraries, the name of the symbol.
  public var function: String
  /// The source file and line, where the program has debug information.
  public var file: String?
  public var line: Int?
  /// The Swift library that contains the function; nil for other code.
  public var library: String?

  /// Whether the function was made by the compiler, to call another one.
  public var isThunk: Bool { function.holds("thunk for ") }

  /// Whether the function belongs to the program and is written in a source file.
  public var isWritten: Bool { library == nil && !isThunk && line != 0 }

  /// Whether the function belongs to `AsyncStream` or `AsyncThrowingStream`. A task that waits for
  /// a continuation there waits for the next element.
  public var isInsideStream: Bool {
    guard let library, library.hasPrefix("libswift_Concurrency") else { return false }
    return function.holds("ScS") || function.holds("Scs")
  }

  /// The name of the function and the line in its file, such as `Cache.value(_:) line 12`. If the
  /// line is known, a closure has the name of the function around it.
  public var title: String {
    let words = function.split(separator: " ")
    guard let last = words.lastIndex(of: "in") else {
      return line.flatMap { $0 > 0 ? "\(function) line \($0)" : nil } ?? function
    }
    let outermost = words[(last + 1)...].joined(separator: " ")
    if let line, line > 0 { return "\(outermost) line \(line)" }
    let closure = words.prefix { $0 != "in" }.drop { $0 == "implicit" }.joined(separator: " ")
    return "\(closure) in \(outermost)"
  }
}

extension CodeLocation: CustomStringConvertible {
  public var description: String {
    guard let file, let line else { return function }
    return "\(function) at \(file.split(separator: "/").last ?? ""):\(line)"
  }
}

extension CodeLocation {
  /// Looks up an address in the files of the running program.
  ///
  /// - Returns: nil where the program has no symbol.
  /// - Complexity: O(1) for a known address. A new address takes less than a millisecond, and the
  ///   first address of each file a few milliseconds.
  public static func location(of address: CodeAddress) -> CodeLocation? {
    if let known = known.withLock({ $0[address] }) { return known }
    let location = lookUp(address)
    known.withLock { $0[address] = .some(location) }
    return location
  }

  /// The first location that belongs to the program and is written in a source file.
  public static func firstWritten(among addresses: [CodeAddress]) -> CodeLocation? {
    addresses.lazy.compactMap { location(of: $0) }.first(where: \.isWritten)
  }

  private static let known = Locked<[CodeAddress: CodeLocation?]>([:])

  private static func lookUp(_ address: CodeAddress) -> CodeLocation? {
    // No location is needed in Swift's own libraries, and the name of an exported function is found quickly.
    let library = address.image.flatMap { image -> Substring? in
      image.hasPrefix("libswift") || image.hasPrefix("libdispatch")
        || image.hasPrefix("libFoundation") || image.hasPrefix("libXCTest") ? image : nil
    }
    if let library {
      let symbol = address.exportedSymbol ?? ""
      // The parts of a stream's functions are not exported.
      if !symbol.isEmpty || !library.hasPrefix("libswift_Concurrency") {
        return CodeLocation(function: symbol, library: String(library))
      }
    }
    let counter = UInt64(UInt(bitPattern: address.pointer))
    let images = images(for: address)
    let backtrace = Backtrace(
      architecture: architecture, frames: [RichFrame<UInt64>.programCounter(counter)],
      images: images)
    let symbolicated = backtrace.symbolicated(
      with: images, options: [.showSourceLocations, .useSymbolCache])
    guard let symbol = symbolicated?.frames.lazy.compactMap({ $0.symbol }).first else {
      return library.map { CodeLocation(function: "", library: String($0)) }
    }
    if let library { return CodeLocation(function: symbol.rawName, library: String(library)) }
    let source = symbol.sourceLocation
    return CodeLocation(
      function: function(ofSymbol: symbol.rawName), file: source?.path,
      line: source.map { Int($0.line) })
  }

  /// The name of the function with a symbol, without the parts that the compiler adds.
  static func function(ofSymbol rawName: String) -> String {
    let symbol = SymbolicatedBacktrace.Symbol(
      imageIndex: 0, imageName: "", rawName: rawName, offset: 0, sourceLocation: nil)
    // An optimized thunk contains the code of the function that it calls.
    if symbol.name.holds("thunk for "), let inside = rawName.symbolInside {
      return function(ofSymbol: inside)
    }
    return symbol.name.withoutCompilerWords.withTopLevelCode
  }

  /// For each file, the images that were loaded when the file was first looked up. Symbolication
  /// finds the file again only with the same images.
  private static let knownImages = Locked<[Substring: ImageMap]>([:])

  private static func images(for address: CodeAddress) -> ImageMap {
    let file = address.image ?? ""
    return knownImages.withLock { known in
      if let images = known[file] { return images }
      let images = ImageMap.capture()
      known[file] = images
      return images
    }
  }

  private static var architecture: String {
    #if arch(arm64)
      "arm64"
    #else
      "x86_64"
    #endif
  }
}

extension String {
  /// Whether the text contains another one. The method `contains` is not used: in a program with
  /// Foundation it may be Foundation's, which may not be ready before `main`.
  fileprivate func holds(_ other: String) -> Bool { utf8.firstRange(of: other.utf8) != nil }

  /// The name without the prefixes for a function that only passes on captured values, and for a
  /// copy of a function that is optimized for some arguments.
  fileprivate var withoutCompilerWords: String {
    if holds("thunk for ") { return self }
    var name = self[...]
    for prefix in ["partial apply for ", "specialized "] where name.hasPrefix(prefix) {
      name = name.dropFirst(prefix.count)
    }
    return String(name)
  }

  /// The symbol that this symbol contains as an argument, behind the number of its bytes.
  fileprivate var symbolInside: String? {
    guard let start = utf8.dropFirst().firstRange(of: "$s".utf8)?.lowerBound,
      let digits = utf8[..<start].lastIndex(where: { !(0x30...0x39).contains($0) }),
      let count = Int(self[utf8.index(after: digits)..<start]), count <= utf8[start...].count
    else { return nil }
    return String(utf8[start...].prefix(count))
  }

  /// The name, or `main` for code outside all functions.
  fileprivate var withTopLevelCode: String {
    // Its parts have further letters. In an optimized program, it may be known only by the thunk that calls it.
    if hasPrefix("async_Main") || holds("thunk for @escaping @convention(thin) @async () -> (") {
      return "main"
    }
    return hasSuffix(" in ") ? self + "main" : self
  }
}
