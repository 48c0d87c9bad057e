import AsyncRuntime

/// The chain of commits that led to one, each made by the action of the one before it.
final class CommitLineage: Sendable {
  /// How many there are.
  let depth: Int
  /// The last of them, the latest last.
  private let recent: [Link]

  /// How many of them are kept for the report.
  private static let reportLimit = 8

  private struct Link: Sendable {
    let target: ObjectIdentifier
    let action: ActionBody
    let site: CommitSite

    /// Whether both stand for the same work.
    func isSame(as other: Link) -> Bool {
      target == other.target && action.isSame(as: other.action)
    }

    var description: String { action.subject }

    /// Where it was committed, after a word that leads there; empty if that is no place in the source.
    func place(_ lead: String) -> String { action.hasPlace ? " \(lead) \(site)" : "" }
  }

  private init(depth: Int, recent: [Link]) {
    self.depth = depth
    self.recent = recent
  }

  /// What a commit is a consequence of, if the calling thread performs a transaction; else nil.
  static func current(in context: LaneContext) -> CommitLineage? {
    guard let entry = Performing.current(in: context)?.entry else { return nil }
    let before = entry.lineage
    let link = Link(target: ObjectIdentifier(entry.target), action: entry.action, site: entry.site)
    return CommitLineage(
      depth: (before?.depth ?? 0) + 1,
      recent: (before?.recent ?? []).suffix(reportLimit - 1) + [link])
  }

  /// Says who commits whom, where a chain of `depth` ends with one more commit.
  func report(
    refusing target: any AnyObject & Sendable, _ action: ActionBody, at site: CommitSite
  ) -> String {
    let last = Link(target: ObjectIdentifier(target), action: action, site: site)
    let way =
      "commit what follows from outside of the action, or only if something has changed"
    let committed = last.action.hasPlace ? ", committed at \(site)," : ""
    // What is committed where, from the last time that the same was.
    guard let start = recent.lastIndex(where: { $0.isSame(as: last) }) else {
      if let only = recent.last, depth == 1 {
        return
          "\(last.description)\(committed) was committed by the action of \(only.description): "
          + "the commit was refused; \(way)"
      }
      return
        "\(last.description)\(committed) is the end of a chain of \(depth) commits, each made by the "
        + "action of the one before it: the commit was refused; \(way)"
    }
    let cycle = recent[start...]
    if cycle.count == 1 {
      let often =
        depth == 1 ? "when it is performed" : "whenever it is performed, \(depth) turns in a row"
      return
        "\(last.description) commits itself again\(last.place("at")) \(often): the commit was refused; \(way)"
    }
    let chain = (cycle.dropFirst() + [last]).map { $0.description + $0.place("at") }
    return
      "\(last.description) commits " + chain.joined(separator: ", which commits ")
      + ", \(depth) commits in a row: the last one was refused; \(way)"
  }

  /// The transaction whose action a thread performs. Only for use on it.
  final class Performing {
    fileprivate var entry: PendingTransaction?

    /// Has `context`'s thread be one that performs `entry`, while `body` runs.
    func perform(_ entry: PendingTransaction, in context: LaneContext, _ body: () -> Void) {
      let outer = context.transaction
      self.entry = entry
      context.transaction = UnsafeRawPointer(Unmanaged.passUnretained(self).toOpaque())
      body()
      context.transaction = outer
      self.entry = nil
    }

    fileprivate static func current(in context: LaneContext) -> Performing? {
      guard let performing = context.transaction else { return nil }
      // It is on the thread's stack further up.
      return Unmanaged<Performing>.fromOpaque(performing).takeUnretainedValue()
    }
  }
}

extension LaneContext {
  /// Runs `body` as if the thread performed no transaction: what `body` commits does not count as committed by an
  /// action, whatever its limit of cycles. For actions that start work of others.
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
