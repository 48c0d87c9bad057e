import SwiftScanning

/// The declarations that were typed, each with the module that it was compiled into. They are plain values. The library
/// accesses them under its lock.
struct DeclarationShelf {
  struct Entry {
    var declaration: SwiftDeclaration
    var module: String
  }

  private(set) var entries: [Entry] = []

  var declarations: [SwiftDeclaration] { entries.map(\.declaration) }

  /// What new declarations change.
  struct Change {
    var new: [SwiftDeclaration]
    var replaced: [SwiftDeclaration] = []
    /// The declarations that use a replaced one, directly or through others. They must be compiled again.
    var dependent: [SwiftDeclaration] = []
    /// The others, which stay as they are.
    var kept: [Entry] = []
  }

  func change(adding new: [SwiftDeclaration]) -> Change {
    var change = Change(new: new)
    var rest: [Entry] = []
    for entry in entries {
      if new.contains(where: { $0.replaces(entry.declaration) }) {
        change.replaced.append(entry.declaration)
      } else {
        rest.append(entry)
      }
    }
    var affected = change.replaced.flatMap(\.affectedNames)
    while !affected.isEmpty {
      let (using, others) = rest.partitioned { !$0.declaration.words.isDisjoint(with: affected) }
      change.dependent += using.map(\.declaration)
      affected = using.flatMap(\.declaration.affectedNames)
      rest = others
    }
    change.kept = rest
    return change
  }

  /// Puts the new declarations in place of those they replace.
  ///
  /// - Parameters:
  ///   - change: was made from the current entries.
  ///   - module: what the new and the dependent declarations were compiled into.
  ///   - keepsDependent: whether the dependent declarations were compiled too. If not, they are removed.
  mutating func apply(_ change: Change, compiledTo module: String, keepsDependent: Bool) {
    let compiled = (keepsDependent ? change.dependent : []) + change.new
    entries = change.kept + compiled.map { Entry(declaration: $0, module: module) }
  }
}

extension SwiftDeclaration {
  /// The names whose uses a change of this declaration affects.
  fileprivate var affectedNames: [String] { kind == "extension" ? memberNames : names }
}

extension Array {
  fileprivate func partitioned(_ isFirst: (Element) -> Bool) -> (Self, Self) {
    (filter(isFirst), filter { !isFirst($0) })
  }
}
