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

  /// The changes that new declarations make.
  struct Change {
    var new: [SwiftDeclaration]
    var replaced: [SwiftDeclaration] = []
    /// The declarations that must be compiled again: those that use a replaced declaration, directly or through
    /// others, and those in a module with a replaced declaration that cannot be imported by its name.
    var dependent: [SwiftDeclaration] = []
    /// The other entries, which stay as they are.
    var kept: [Entry] = []
  }

  func change(adding new: [SwiftDeclaration]) -> Change {
    var change = Change(new: new)
    var (leaving, rest) = entries.partitioned { entry in
      new.contains { $0.replaces(entry.declaration) }
    }
    change.replaced = leaving.map(\.declaration)
    while !leaving.isEmpty {
      let names = leaving.flatMap(\.declaration.affectedNames)
      // A declaration that cannot be imported by its name stays visible while its module is imported. So
      // everything in that module is compiled again.
      let modules = Set(leaving.filter { $0.declaration.importKind == nil }.map(\.module))
      (leaving, rest) = rest.partitioned { entry in
        !entry.declaration.words.isDisjoint(with: names) || modules.contains(entry.module)
      }
      change.dependent += leaving.map(\.declaration)
    }
    change.kept = rest
    return change
  }

  /// Puts the declarations of a change in place of those they replace. Dependent declarations that the change no longer
  /// contains are removed.
  ///
  /// - Parameters:
  ///   - change: a change that was made from the current entries.
  ///   - module: the module that the new and the dependent declarations were compiled into.
  mutating func apply(_ change: Change, compiledTo module: String) {
    let compiled = change.dependent + change.new
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
