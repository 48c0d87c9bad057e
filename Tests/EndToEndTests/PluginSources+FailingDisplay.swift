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
        // The display of a layer does not retain it.
        let held = Locked<RenderLayer?>(nil)
        let layer = RenderLayer(
          size: Size(width: 1e6, height: 1e6), renderer: Renderer(runtime: scope.runtime)
        ) { _ in
          DisplayTask { _, _, _ in
          } didDisplay: { _, _ in
            scope.runtime.main.schedule {
              held.withLock { $0 = nil }
              completion(.success(input))
            }
          }
        }
        held.withLock { $0 = layer }
        layer.setNeedsDisplay()
      }
    }
    """
}
