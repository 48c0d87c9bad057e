import AsyncRuntime

/// A chain of commits, each made by the action of the one before it. It leads to another commit.
final class CommitLineage: Sendable {
  /// The number of commits in the chain.
  let depth: Int
  /// The last commits of the chain, the latest one last.
  private let recent: [Link]

  /// How many commits are kept for the report.
  private static let reportLimit = 8

  fileprivate struct Link: Sendable {
    let target: ObjectIdentifier
    let action: ActionBody
    let site: CommitSite

    /// Whether both links stand for the same work.
    func isSame(as other: Link) -> Bool {
      target == other.target && action.isSame(as: other.action)
    }

    var description: String { action.subject }

    /// The place of the commit in the source code, after the word `lead`; empty if no line of source code made the
    /// commit.
    func place(_ lead: String) -> String { action.hasPlace ? " \(lead) \(site)" : "" }
  }

  private init(depth: Int, recent: [Link]) {
    self.depth = depth
    self.recent = recent
  }

  /// The chain that leads to a commit by the calling thread; nil if the thread performs no transaction.
  static func current(in context: LaneContext) -> CommitLineage? {
    guard let entry = Performing.current(in: context)?.entry else { return nil }
    let before = entry.lineage
    return CommitLineage(
      depth: (before?.depth ?? 0) + 1,
      recent: (before?.recent ?? []).suffix(reportLimit - 1) + [entry.link])
  }

  /// Describes which commit led to which: the `depth` commits of the chain, and the refused commit that followed them.
  func report(
    refusing target: any AnyObject & Sendable, _ action: ActionBody, at site: CommitSite
  ) -> String {
    let last = Link(target: ObjectIdentifier(target), action: action, site: site)
    let fix =
      "make the next commit outside of the action, or only if something has changed"
    let committed = last.action.hasPlace ? ", committed at \(site)," : ""
    // The cycle starts at the last earlier commit of the same work.
    guard let start = recent.lastIndex(where: { $0.isSame(as: last) }) else {
      if let only = recent.last, depth == 1 {
        return
          "\(last.description)\(committed) was committed by the action of \(only.description): "
          + "the commit was refused; \(fix)"
      }
      return
        "\(last.description)\(committed) is the end of a chain of \(depth) commits, each made by the "
        + "action of the one before it: the commit was refused; \(fix)"
    }
    let cycle = recent[start...]
    if cycle.count == 1 {
      let often =
        depth == 1 ? "when it is performed" : "whenever it is performed, \(depth) turns in a row"
      return
        "\(last.description) commits itself again\(last.place("at")) \(often): the commit was refused; \(fix)"
    }
    let chain = (cycle.dropFirst() + [last]).map { $0.description + $0.place("at") }
    return
      "\(last.description) commits " + chain.joined(separator: ", which commits ")
      + ", \(depth) commits in a row: the last one was refused; \(fix)"
  }

  /// What the lineage of a commit needs of the transaction that makes it. It does not retain the target.
  struct Entry {
    fileprivate let link: Link
    fileprivate let lineage: CommitLineage?

    init(_ transaction: PendingTransaction) {
      link = Link(
        target: ObjectIdentifier(transaction.target), action: transaction.action,
        site: transaction.site)
      lineage = transaction.lineage
    }
  }

  /// The transaction whose action a thread performs. Use it only on that thread.
  final class Performing {
    fileprivate var entry: Entry?

    /// Records that the thread of `context` performs `entry` while `body` runs.
    func perform(_ entry: Entry, in context: LaneContext, _ body: () -> Void) {
      let outer = context.transaction
      self.entry = entry
      context.transaction = UnsafeRawPointer(Unmanaged.passUnretained(self).toOpaque())
      body()
      context.transaction = outer
      self.entry = nil
    }

    fileprivate static func current(in context: LaneContext) -> Performing? {
      guard let performing = context.transaction else { return nil }
      // A caller on the stack of this thread keeps it alive.
      return Unmanaged<Performing>.fromOpaque(performing).takeUnretainedValue()
    }
  }
}

extension LaneContext {
  /// Runs `body` as if the thread performed no transaction. What `body` commits does not count as committed by an
  /// action, so the cycle limit does not apply to it. Use this in actions that start the work of other code.
  public func performOutsideTransactions(_ body: () -> Void) {
    let outer = transaction
    transaction = nil
    body()
    transaction = outer
  }
}

extension LaneContext {
  private static let transactionSlot = LaneSlot<UnsafeRawPointer?>()

  /// The transaction whose action the thread runs.
  var transaction: UnsafeRawPointer? {
    get { self[Self.transactionSlot].pointee }
    nonmutating set { self[Self.transactionSlot].pointee = newValue }
  }
}
