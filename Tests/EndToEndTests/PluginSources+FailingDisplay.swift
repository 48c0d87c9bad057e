extension PluginSources {
  /// A layer that is too large to be drawn.
  static let failingDisplay = """
    import AsyncPatterns
    import AsyncRender

    public struct FailingDisplay: Plugin {
      public static let name = "FailingDisplay"
      public static let summary = "A layer that cannot be drawn."
      public static let patterns: [any AsyncPattern.Type] = [TooLarge.self]
    }

    struct TooLarge: AsyncPattern {
      static let manual = Manual(name: "too-large", summary: "Displays a layer that is too large.")
      init(_ arguments: Arguments) {}
      func start(
        _ steps: [Step], input: Value, in scope: Scope, completion: @escaping Completion
      ) {
        let layer = RenderLayer(
          size: Size(width: 1e6, height: 1e6), renderer: Renderer(runtime: scope.runtime)
        ) { layer in
          DisplayTask { _, _, _ in } didDisplay: { _, _ in
            // What is told is told in the same turn.
            scope.runtime.main.schedule { withExtendedLifetime(layer) { completion(.success(input)) } }
          }
        }
        layer.setNeedsDisplay()
        scope.runtime.main.schedule { withExtendedLifetime(layer) {} }
      }
    }
    """
}
