import RunLoopTransaction
import Testing

/// At the end of each turn, lays out each view that has changed in the turn, once.
final class LayoutPass: @unchecked Sendable {
  private var changed: Set<View> = []
  private var observer: (any Cancellable)?

  init(on loop: any RunLoopScheduler) {
    observer = loop.atEndOfTurn(order: 0xFFFFFF) { [weak self] in self?.flush() }
  }

  func setNeedsLayout(_ view: View) { changed.insert(view) }

  private func flush() {
    let views = changed
    changed = []
    for view in views { view.layOut() }
  }
}

/// The view that the code of the page uses.
final class View: Sendable, Hashable {
  let name: String
  let written: Log
  private let words = Locked("")
  private let didLayOut = Locked<(@Sendable () -> Void)?>(nil)

  init(_ name: String, _ log: Log) {
    self.name = name
    written = log
  }

  var text: String {
    get { words.withLock { $0 } }
    set { words.withLock { $0 = newValue } }
  }

  func log(_ entry: String) { written.append(entry) }

  func layOut() {
    log("\(name) is laid out\(text.isEmpty ? "" : ": \(text)")")
    didLayOut.withLock { $0 }?()
  }

  func onLayout(_ body: @escaping @Sendable () -> Void) { didLayOut.withLock { $0 = body } }

  static func == (left: View, right: View) -> Bool { left === right }
  func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

/// The example that the documentation leads with really fails.
@Suite struct LayoutPassTests {
  let runtime = SimulatedRuntime()
  let log = Log()

  @Test func `in one turn it works`() {
    let pass = LayoutPass(on: runtime.main)
    let view = View("a", log)
    runtime.main.schedule {
      pass.setNeedsLayout(view)
      pass.setNeedsLayout(view)
    }
    runtime.runUntilIdle()
    #expect(log.entries == ["a is laid out"])
  }

  @Test func `a request from another thread waits until something else wakes the loop`() {
    let pass = LayoutPass(on: runtime.main)
    let view = View("a", log)
    runtime.pool.schedule { pass.setNeedsLayout(view) }
    runtime.runUntilIdle()
    #expect(log.entries == [])
    runtime.wakeMain()
    runtime.runUntilIdle()
    #expect(log.entries.count == 1)
  }

  @Test func `a request from a layout waits as well`() {
    let pass = LayoutPass(on: runtime.main)
    let (a, b) = (View("a", log), View("b", log))
    a.onLayout { pass.setNeedsLayout(b) }
    runtime.main.schedule { pass.setNeedsLayout(a) }
    runtime.runUntilIdle()
    #expect(log.entries == ["a is laid out"])
  }

  @Test func `it has no order`() {
    let pass = LayoutPass(on: runtime.main)
    let views = (0..<30).map { View("\($0)", log) }
    runtime.main.schedule { for view in views { pass.setNeedsLayout(view) } }
    runtime.runUntilIdle()
    #expect(log.entries.count == 30)
    #expect(log.entries != views.map { "\($0.name) is laid out" })
  }
}
