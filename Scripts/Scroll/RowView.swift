import AsyncPatterns
import AsyncRender
import RunLoopTransaction

/// A row on the screen: the card of a post, and the text on it.
///
/// After any changes in a turn of the main lane, each of its layers displays once at the end of the turn. The number of
/// likes changes the card only, so the text is drawn once.
final class RowView: Sendable {
  let index: Int
  let card: any RowLayer
  private let label: any RowLabel
  private let post: Locked<Post>
  private let isLate = Locked(false)
  private let textOpacity: Double
  private let transactions: TransactionQueue

  /// Exists as long as the row does. The layers use it to check for the row without retaining the row.
  private final class Presence: Sendable {}
  private let presence = Presence()

  /// - Parameter textOpacity: how much the text hides of the card; half of that until the row is complete.
  init(
    _ index: Int, of post: Post, textOpacity: Double, layers: any RowLayers, displays: RowDisplays,
    transactions: TransactionQueue
  ) {
    self.index = index
    self.textOpacity = textOpacity
    self.transactions = transactions
    let post = Locked(post)
    self.post = post
    // The closures do not retain the row, only what they draw.
    (card, label) = layers.make(
      RowContent(
        card: { displays.card(of: post.withLock { $0 }) },
        text: PostDrawing.text(displays.fonts)
      ) { [weak presence] in presence != nil })
    label.shownBy.opacity = textOpacity / 2
  }

  /// The text of the post.
  var text: String {
    get { post.withLock { $0.text } }
    set {
      label.text = newValue
      change { $0.text = newValue }
    }
  }

  /// How many people like it; nil until a server has answered.
  var likes: Int? {
    get { post.withLock { $0.likes } }
    set {
      label.shownBy.opacity = newValue == nil ? textOpacity / 2 : textOpacity
      change { $0.likes = newValue }
    }
  }

  private func change(_ body: (inout Post) -> Void) {
    post.withLock { body(&$0) }
    Transaction(self, action: .contents).commit(to: transactions)
  }

  /// Records that the row was not visible in time.
  ///
  /// - Returns: whether this is the first time.
  func markLate() -> Bool {
    isLate.withLock { isLate in
      defer { isLate = true }
      return !isLate
    }
  }

  /// Its layers, from the lowest to the highest, and their positions.
  var layers: [(layer: any RowLayer, origin: Point)] {
    [(card, .zero), (label.shownBy, PostDrawing.textFrame.origin)]
  }

  /// Whether it is visible, with its current or older contents.
  var isVisible: Bool { layers.allSatisfy { $0.layer.contents != nil } }

  /// Whether its contents are complete and no display is pending.
  var isShown: Bool { likes != nil && isVisible && !layers.contains { $0.layer.needsDisplay } }
}

extension TransactionAction where Target == RowView {
  fileprivate static let contents = TransactionAction("contents") { row in row.card.invalidate() }
}
