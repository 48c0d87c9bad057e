import AsyncPatterns
import PlaygroundLanguage
import PluginLoading

extension PluginLibrary {
  /// Whether a step runs Swift that was typed, or that was loaded from a file.
  ///
  /// - Parameter object: the path of a plugin's object whose code counts too, even if it belongs to this package.
  /// - Complexity: O(n) in the number of steps as written; copies made by a count are one step.
  func hasLoadedCode(_ step: Step, orCodeIn object: String? = nil) -> Bool {
    step.contains { step in
      if step.kind == Parser.swift { return true }
      guard let plugin = plugin(ofPattern: step.kind) else { return false }
      return switch plugin.origin.kind {
      case .file, .folder, .package, .object: true
      case .module: plugin.object == object
      }
    }
  }
}

extension Step {
  /// Whether the step matches, or contains a step that matches.
  ///
  /// - Complexity: O(n) in the number of steps as written; copies made by a count are one step.
  func contains(_ matches: (Step) -> Bool) -> Bool {
    var visited: Set<UnsafeRawPointer> = []
    func contains(_ step: Step) -> Bool {
      if matches(step) { return true }
      guard let place = step.steps.withUnsafeBytes({ $0.baseAddress }),
        visited.insert(place).inserted
      else { return false }
      return step.steps.contains(where: contains)
    }
    return contains(self)
  }
}
