import AsyncRender
import RunLoopTransaction

/// A row on the screen: a post, and the layer that shows it.
///
/// Whatever is changed of it in a turn of the main lane, its layer is asked for one display at the end.
final class RowView: Sendable {
  let index: Int
  let layer: any RowLayer
  private let post: Locked<Post>
  private let isLate = Locked(false)
  private let transactions: TransactionQueue

  /// Is there as long as the row is.
  private final class Presence: Sendable {}
  private let presence = Presence()

  init(
    _ index: Int, of post: Post, layers: any RowLayers, displays: RowDisplays,
    transactions: TransactionQueue
  ) {
    self.index = index
    self.transactions = transactions
    let post = Locked(post)
    self.post = post
    // Of the row it takes what it draws, and does not keep the row.
    layer = layers.make { [weak presence] in
      displays.task(for: post.withLock { $0 }) { [weak presence] in presence != nil }
    }
  }

  /// What it says.
  var text: String {
    get { post.withLock { $0.text } }
    set { change { $0.text = newValue } }
  }

  /// How many people like it; nil as long as nobody knows.
  var likes: Int? {
    get { post.withLock { $0.likes } }
    set { change { $0.likes = newValue } }
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

  /// Whether all of it is there to be seen, unless it is being drawn.
  var isShown: Bool { likes != nil && layer.contents != nil && !layer.needsDisplay }
}

extension TransactionAction where Target == RowView {
  fileprivate static let contents = TransactionAction("contents") { row in row.layer.invalidate() }
}
