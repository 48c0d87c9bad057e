import AsyncPatterns
import AsyncRender
import RunLoopTransaction

/// A row on the screen: a post on its card, and the text laid on that.
///
/// Whatever is changed of it in a turn of the main lane, each of its layers is asked for one display at the end. What
/// people say of it concerns the card alone, so the text is drawn once.
final class RowView: Sendable {
  let index: Int
  let card: any RowLayer
  private let label: any RowLabel
  private let post: Locked<Post>
  private let isLate = Locked(false)
  private let textOpacity: Double
  private let transactions: TransactionQueue

  /// Is there as long as the row is.
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
    // Of the row it takes what it draws, and does not keep the row.
    (card, label) = layers.make(
      RowContent(
        card: { displays.card(of: post.withLock { $0 }) },
        text: PostDrawing.text(displays.fonts)
      ) { [weak presence] in presence != nil })
    label.shownBy.opacity = textOpacity / 2
  }

  /// What it says.
  var text: String {
    get { post.withLock { $0.text } }
    set {
      label.text = newValue
      change { $0.text = newValue }
    }
  }

  /// How many people like it; nil as long as nobody knows.
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

  /// That it had nothing to show when it should have.
  ///
  /// - Returns: whether that is new.
  func markLate() -> Bool {
    isLate.withLock { isLate in
      defer { isLate = true }
      return !isLate
    }
  }

  /// Its layers, from the lowest to the highest, and where they lie.
  var layers: [(layer: any RowLayer, origin: Point)] {
    [(card, .zero), (label.shownBy, PostDrawing.textFrame.origin)]
  }

  /// Whether it can be seen, as it is or as it was.
  var isVisible: Bool { layers.allSatisfy { $0.layer.contents != nil } }

  /// Whether all of it is there to be seen, unless it is being drawn.
  var isShown: Bool { likes != nil && isVisible && !layers.contains { $0.layer.needsDisplay } }
}

extension TransactionAction where Target == RowView {
  fileprivate static let contents = TransactionAction("contents") { row in row.card.invalidate() }
}
