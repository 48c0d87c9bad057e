import AsyncPatterns
import PatternTesting
import Testing

@testable import OperationGraph

/// Tests the decisions about waiters before and after they are suspended.
@Suite struct WaiterLineTests {
  private let log = Log()

  private func resume(_ name: String) -> WaiterLine.Resume {
    let log = log
    return { verdict in log.append("\(name) \(verdict)") }
  }

  @Test func `a waiter that gives up before it suspends is notified then, and takes no turn`() {
    var line = WaiterLine()
    let (a, b) = (line.enter(for: .none), line.enter(for: .none))
    #expect(line.giveUp(a) == nil)
    #expect(line.first == b)
    #expect(line.suspend(at: a, resume("a")) == .givesUp)
    #expect(line.suspend(at: b, resume("b")) == nil)
    #expect(line.giveUp(a) == nil)
    #expect(line.count == 1)
    #expect(log.entries.isEmpty)
  }

  @Test func `a waiter that is resumed before it suspends does not suspend or give up`() {
    var line = WaiterLine()
    let a = line.enter(for: .none)
    #expect(line.resume(at: a)?.resume == nil)
    #expect(line.giveUp(a) == nil)
    #expect(line.suspend(at: a, resume("a")) == .continues)
    #expect(line.isEmpty)
  }

  @Test func `a suspended waiter is returned once, whatever is decided`() {
    var line = WaiterLine()
    let (a, b) = (line.enter(for: .none), line.enter(for: .none, resume("b")))
    #expect(line.suspend(at: a, resume("a")) == nil)
    line.giveUp(a)?(.givesUp)
    line.giveUp(a)?(.givesUp)
    for waiter in line.resumeAll() { waiter.resume?(.continues) }
    #expect(line.resume(at: b) == nil)
    #expect(log.entries == ["a givesUp", "b continues"])
  }
}
