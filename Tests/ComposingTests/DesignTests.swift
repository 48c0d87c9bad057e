import Testing

/// The example that explains the language can be composed, line by line.
@Suite struct DesignTests {
  @Test func `the whole example composes without findings`() {
    let composition = Composition(
      """
      load SerialQueue Promises OperationGraph
      job = [ fetch: sleep 20ms; parse: work 5ms; store: sleep 10ms ]   # a named list of steps
      serial job                                                        # run it under a pattern
      serial { fetch: sleep 20ms; parse: work 5ms }                     # or write the steps in place
      graph(width: 2) { a: sleep 10ms; b: sleep 20ms; c: serial job after a, b }
      promise { read "README.md"; sh "wc -w" }                          # values flow
      bounded(2) { page: 4 * sleep 10ms }                               # page-1 … page-4
      compare job under serial, serial.semaphore, promise runs 30
      expect makespan < 40ms
      """, clock: .live)
    let job = "{job/fetch:sleep job/parse:work job/store:sleep}"
    #expect(composition.findings == [])
    #expect(
      composition.composed.map { outlined($0.step) } == [
        "serial\(job)", "serial{fetch:sleep parse:work}",
        "graph{a:sleep b:sleep c:serial<a,b\(job)}", "promise{read sh}",
        "bounded{page-1:sleep page-2:sleep page-3:sleep page-4:sleep}",
        "serial\(job)", "serial.semaphore\(job)", "promise\(job)",
      ])
  }
}
