internal import AsyncPatterns

/// The lanes of the threads of a process, by name: `main` and `pool-N` are what they were, and the rows that
/// `ChromeTrace` puts below a lane are that lane; others are numbered as they appear.
struct ChromeLanes {
  /// In order of appearance.
  private(set) var all: [(lane: Lane, name: String)] = []
  private var byName: [String: Lane] = [:]
  private var next: UInt32 = 10_000

  mutating func lane(named name: String) -> Lane {
    let name = ChromeLanes.base(name)
    if let known = byName[name] { return known }
    let lane: Lane
    if name == "main" {
      lane = .main
    } else if name.hasPrefix("pool-"), let number = UInt32(name.dropFirst(5)), number > 0,
      number < 10_000
    {
      lane = Lane(number: number)
    } else {
      lane = Lane(number: next)
      next += 1
    }
    byName[name] = lane
    all.append((lane, name))
    return lane
  }

  private static func base(_ name: String) -> String {
    guard let comma = name.ranges(of: ", overlapping ").last,
      name[comma.upperBound...].allSatisfy(\.isNumber)
    else { return name }
    return String(name[..<comma.lowerBound])
  }
}
