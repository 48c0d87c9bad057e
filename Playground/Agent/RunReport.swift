import AsyncSimulation
import Foundation

#if canImport(Glibc)
  import Glibc
#endif

/// The report that the process of a schedule passes to the server.
///
/// It holds the choices, and further details as JSON. The choices are written without
/// allocating, since the process may have crashed.
struct RunReport {
  struct Details: Codable {
    var finding: Finding?
    /// Whether the run exceeded its time limit.
    var isOverdue = false
    var narration: Narration?
    /// Where tasks have waited for threads outside the simulation. Each place is a list of addresses of code, which are
    /// the same in the server.
    var awaitedOutside: [[UInt]] = []
  }

  var eventCount = 0
  /// Whether some work left the simulation, so that not everything was a choice.
  var hasEscaped = false
  var drawn: [UInt32] = []
  var counts: [UInt32] = []
  /// Whether all choices were read. A process that is killed writes none.
  var isWhole = false
  var details = Details()

  /// Reads a report of ``write(_:_:isOverdue:to:)``, which may be incomplete.
  init(_ bytes: [UInt8]) {
    var rest = bytes[...]
    guard let numbers = rest.takeNumbers(4) else { return }
    eventCount = Int(numbers[0])
    hasEscaped = numbers[1] != 0
    guard let drawn = rest.takeNumbers(Int(numbers[2])) else { return }
    self.drawn = drawn
    guard let counts = rest.takeNumbers(Int(numbers[3])) else { return }
    self.counts = counts
    isWhole = true
    guard !rest.isEmpty else { return }
    details = (try? JSONDecoder().decode(Details.self, from: Data(rest))) ?? details
  }

  static func write(
    _ run: ProgramRun, _ finding: Finding?, isOverdue: Bool, to descriptor: Int32
  ) {
    let (drawn, counts) = (run.drawn, run.counts)
    var header = (
      UInt32(clamping: run.eventCount), UInt32(run.hasEscaped ? 1 : 0), UInt32(drawn.count),
      UInt32(counts.count)
    )
    withUnsafeBytes(of: &header) { write($0, to: descriptor) }
    drawn.withUnsafeBytes { write($0, to: descriptor) }
    counts.withUnsafeBytes { write($0, to: descriptor) }
    let narration = run.narration(hasEnded: !isOverdue)
    let awaited = run.awaitedOutside.map { $0.map(\.number) }
    if finding == nil, narration == nil, awaited.isEmpty { return }
    guard
      let json = try? JSONEncoder().encode(
        Details(
          finding: finding, isOverdue: isOverdue, narration: narration,
          awaitedOutside: awaited))
    else { return }
    json.withUnsafeBytes { write($0, to: descriptor) }
  }

  private static func write(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = Glibc.write(
        descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
      guard count > 0 else { return }
      rest = rest.dropFirst(count)
    }
  }
}

extension ArraySlice<UInt8> {
  /// Takes `count` numbers from the front; nil if there are fewer.
  fileprivate mutating func takeNumbers(_ count: Int) -> [UInt32]? {
    let size = count * MemoryLayout<UInt32>.size
    guard self.count >= size else { return nil }
    defer { self = dropFirst(size) }
    return prefix(size).withUnsafeBytes { bytes in
      (0..<count).map { bytes.loadUnaligned(fromByteOffset: $0 * 4, as: UInt32.self) }
    }
  }
}
