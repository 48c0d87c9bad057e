import AsyncPatterns
import AsyncRender
import RunLoopTransaction

/// A list of posts, with a row for each post that is in view.
///
/// A row that leaves is released, and its layer with it. Use it on the main lane only.
final class ListView: Sendable {
  private struct State: Sendable {
    /// From the top.
    var rows: [RowView] = []
    /// The pending requests to servers, by frame.
    var answers: [Int: any Cancellable] = [:]
  }

  private let state = Locked(State())
  private let posts: [Post]
  private let height: Double
  private let textOpacity: Double
  private let runtime: any Runtime
  private let layers: any RowLayers
  private let transactions: TransactionQueue
  private let tally: Tally
  private let displays: RowDisplays

  /// How long a server takes to answer how many people like some posts.
  static let answerDelay = Duration.milliseconds(50)

  /// - Parameters:
  ///   - height: the height of the viewport, in units.
  ///   - textOpacity: how much a text hides of its card.
  init(
    _ posts: [Post], height: Double, textOpacity: Double, layers: any RowLayers,
    displays: RowDisplays, transactions: TransactionQueue
  ) {
    self.posts = posts
    self.height = height
    self.textOpacity = textOpacity
    self.layers = layers
    self.displays = displays
    runtime = displays.runtime
    tally = displays.tally
    self.transactions = transactions
  }

  /// The largest offset, in units.
  var farthest: Double { max(Double(posts.count) * PostDrawing.size.height - height, 0) }

  /// The rows in view, from the top.
  var rows: [RowView] { state.withLock { $0.rows } }

  /// Whether the contents of all rows are complete and no display is pending.
  var isShown: Bool { rows.allSatisfy(\.isShown) }

  /// Shows another part: rows come into view, and rows leave.
  ///
  /// - Returns: the number of rows that come into view.
  func scroll(to offset: Double, in frame: Int) -> Int {
    let old = rows
    let first = max(Int(offset / PostDrawing.size.height), 0)
    let last = min(Int((offset + height) / PostDrawing.size.height), posts.count - 1)
    var known = old[...]
    var coming: [RowView] = []
    let rows = (first..<max(last + 1, first)).map { index in
      known = known.drop { $0.index < index }
      if let row = known.first, row.index == index { return row }
      let row = RowView(
        index, of: posts[index], textOpacity: textOpacity, layers: layers, displays: displays,
        transactions: transactions)
      row.text = posts[index].text
      coming.append(row)
      return row
    }
    state.withLock { $0.rows = rows }
    for row in old where !(first...last).contains(row.index) && !row.isVisible {
      tally.noteUnseen()
    }
    tally.noteRows(coming.count)
    if !coming.isEmpty { ask(for: coming, in: frame) }
    return coming.count
  }

  /// Asks a server how many people like some posts. The rows that are in view when it answers show the answer.
  private func ask(for coming: [RowView], in frame: Int) {
    let range = coming[0].index...coming[coming.count - 1].index
    let answer = runtime.main.schedule(after: Self.answerDelay) { [weak self] in
      guard let self else { return }
      tally.main.enter()
      state.withLock { $0.answers[frame] = nil }
      for row in rows where range.contains(row.index) { row.likes = Post.likes(at: row.index) }
    }
    state.withLock { $0.answers[frame] = answer }
  }

  /// Releases all rows, and cancels all requests.
  func clear() {
    let old = state.withLock { state in
      defer { state = State() }
      return state
    }
    for answer in old.answers.values { answer.cancel() }
  }
}
