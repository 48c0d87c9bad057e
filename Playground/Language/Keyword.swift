/// A word that cannot be a name: a command or a word of the grammar.
public enum Keyword: String, Sendable, CaseIterable {
  case load, unload, reload, plugins, patterns, names, help, run, runs, show, compare, expect
  case explore, replay, simulate, trace, set, jobs, wait, cancel, source, quit
  case after, with, under, checking, strategy, depth, inject
  case `true`, `false`

  /// Whether a statement may begin with it.
  public var isCommand: Bool {
    switch self {
    case .after, .with, .under, .checking, .strategy, .depth, .inject, .true, .false: false
    default: true
    }
  }

  /// The commands, in the order in which the design lists them.
  public static let commands = allCases.filter(\.isCommand)

  /// The keyword of a name's bytes.
  ///
  /// No keyword is longer than eight bytes, so one integer stands for its text: a million names are
  /// looked up without making a string of each.
  init?(packed bytes: ArraySlice<UInt8>) {
    guard bytes.count <= 8, let found = Self.byPackedText[Self.packed(bytes)] else { return nil }
    self = found
  }

  private static let byPackedText = Dictionary(
    uniqueKeysWithValues: allCases.map { (packed(Array($0.rawValue.utf8)[...]), $0) })

  private static func packed(_ bytes: ArraySlice<UInt8>) -> UInt64 {
    bytes.reduce(0) { $0 << 8 | UInt64($1) }
  }
}
