/// A command word that is also an ordinary name. It is a command only at the start of a statement, and only if nothing
/// but its arguments follows it in that statement.
public enum CommandName: String, Sendable, CaseIterable {
  case exit, q, history, lessons, lesson, save, edit
}

/// A word that cannot be a name: a command or a word of the grammar.
public enum Keyword: String, Sendable, CaseIterable {
  case load, unload, reload, plugins, patterns, names, help, run, runs, show, compare, expect
  case explore, replay, simulate, trace, set, jobs, wait, cancel, source, quit
  case after, with, under, checking, strategy, depth, inject
  case `true`, `false`

  /// Whether it can be the first word of a statement.
  public var isCommand: Bool {
    switch self {
    case .after, .with, .under, .checking, .strategy, .depth, .inject, .true, .false: false
    default: true
    }
  }

  /// The commands, in the order in which the cases are declared.
  public static let commands = allCases.filter(\.isCommand)

  /// The keyword with these bytes.
  ///
  /// No keyword is longer than eight bytes, so the text of each one fits in one integer. A million names can therefore
  /// be looked up without creating a string for each.
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
