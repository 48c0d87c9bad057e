import AsyncPatterns
import AsyncRender

/// The look of a label, the lane on which it changes, and the time for which its layer is held.
struct LabelTerms: Sendable {
  let look: LabelLook
  /// Whether the text is changed on the main lane; otherwise it is changed on the pool.
  let changesOnMain: Bool
  /// How long the layer is held; if nil, until the course ends.
  let lifetime: Duration?
  /// Whether a change cancels the display in progress.
  var cancelsOnChange = true
  /// Whether the layer reports the end of each display that started.
  var reportsAllEnds = true

  static let parameters =
    LabelLook.parameters + [
      Parameter(
        "from", .word(["main", "pool"]), default: .string("main"),
        summary: "which lane sets the value of a step as the text"),
      Parameter(
        "lifetime", .duration,
        summary: "how long the pattern holds the layer; to the end unless given"),
    ]

  init(_ arguments: Arguments) throws {
    look = try LabelLook(arguments)
    changesOnMain = arguments["from"] != .string("pool")
    lifetime = arguments["lifetime"] == nil ? nil : try arguments.duration("lifetime")
    if let lifetime, lifetime < .zero {
      throw ArgumentError(
        "“lifetime” takes a duration of 0 or more, not \(lifetime.shortDescription)",
        parameter: "lifetime")
    }
  }
}
