/// The position of each span among the nodes. Spans of a run and spans outside it are stored separately.
struct SpanPositions {
  private var ofRun: Half
  private var outside: Half
  /// The number of submitted spans.
  let count: Int

  init(_ events: TraceEvents) {
    var largest = [UInt32](repeating: 0, count: 2)
    var count = 0
    for position in events.indices where events[position].kind == .submitted {
      let span = events[position].span
      let half = Int(span.id >> 31)
      largest[half] = max(largest[half], span.id & .max >> 1)
      count += 1
    }
    self.count = count
    ofRun = Half(largest: largest[0], among: events.count)
    outside = Half(largest: largest[1], among: events.count)
  }

  subscript(span: Span) -> Int? {
    get { span.id >> 31 == 0 ? ofRun[span.id] : outside[span.id & .max >> 1] }
    set {
      if span.id >> 31 == 0 {
        ofRun[span.id] = newValue
      } else {
        outside[span.id & .max >> 1] = newValue
      }
    }
  }

  /// An array if the numbers are dense, otherwise a dictionary. Only invented events have numbers that are not dense.
  private struct Half {
    private var dense = OptionalPositions()
    private var sparse: [UInt32: Int] = [:]

    init(largest: UInt32, among eventCount: Int) {
      if Int(largest) <= 2 * eventCount + 1024 {
        dense = OptionalPositions(count: Int(largest) + 1)
      }
    }

    subscript(number: UInt32) -> Int? {
      get {
        if dense.isEmpty { return sparse[number] }
        return number < dense.count ? dense[Int(number)] : nil
      }
      set {
        guard let newValue else { return }
        if dense.isEmpty {
          sparse[number] = newValue
        } else {
          dense[Int(number)] = newValue
        }
      }
    }
  }
}
