import Testing
import TimingTrace

@Suite(.timeLimit(.minutes(1))) struct CounterUpdateTests {
  private func record(_ number: Double, in recorder: Recorder?) {
    recorder?.record(.counter("depth", number, of: .none, at: .zero))
  }

  @Test func `every later counter is delivered in order, and nothing else`() async throws {
    var recorder: Recorder? = Recorder(clock: .live)
    record(1, in: recorder)
    let counters = try #require(recorder?.counterUpdates)
    record(2, in: recorder)
    recorder?.record(.mark("mark", of: .none, at: .zero))
    record(3, in: recorder)
    #expect(recorder?.snapshot().count == 4)
    recorder = nil
    var values: [String] = []
    for await counter in counters { values.append("\(counter.name) \(counter.number)") }
    #expect(values == ["depth 2.0", "depth 3.0"])
  }

  @Test func `a counter beyond the limit is delivered`() async throws {
    var recorder: Recorder? = Recorder(clock: .live, limit: 0)
    let counters = try #require(recorder?.counterUpdates)
    record(1, in: recorder)
    #expect(recorder?.dropped == 1)
    recorder = nil
    var values: [Double] = []
    for await counter in counters { values.append(counter.number) }
    #expect(values == [1])
  }
}
