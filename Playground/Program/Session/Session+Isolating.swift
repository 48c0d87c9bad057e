import AsyncPatterns
import PlaygroundLanguage
import PluginLoading

extension Session {
  /// The execution of a plan in a process of its own. Nil if nothing in it needs one.
  func isolated(_ plan: RunPlan) -> IsolatedExecution? {
    guard isIsolating, plan.schedule == nil, library.hasLoadedCode(plan.composed.step) else {
      return nil
    }
    return IsolatedExecution(plan, after: preparation)
  }

  /// The statements that load the session's plugins, and declare the Swift that was typed.
  private var preparation: String {
    let loads = library.plugins.map { plugin in
      let origin = plugin.origin
      return origin.kind == .module
        ? "load \(origin.name)\n" : "load \(QuotedText.quoted(FilePath.resolve(origin.path)))\n"
    }
    let declarations = snippets.declarations.map { "\(Parser.swift) \($0.piece.code)\n" }
    return loads.joined() + declarations.joined()
  }
}
