/// The position of each span among the nodes. Spans of a run and spans outside it are stored separately.
struct SpanPositions {
  private var ofRun: Half
  private var outside: Half

  /// - Parameter eventCount: the number of events that name the spans.
  init(eventCount: Int) {
    ofRun = Half(eventCount: eventCount)
    outside = Half(eventCount: eventCount)
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

  /// An array, and a dictionary for numbers that are too large for it. Only invented events have such numbers.
  private struct Half {
    private var dense = OptionalPositions()
    private var sparse: [UInt32: Int] = [:]
    private let mostDense: Int

    init(eventCount: Int) { mostDense = 2 * eventCount + 1024 }

    subscript(number: UInt32) -> Int? {
      get {
        if number < dense.count { return dense[Int(number)] }
        return sparse.isEmpty ? nil : sparse[number]
      }
      set {
        if number > mostDense {
          sparse[number] = newValue
        } else {
          dense.extend(to: Int(number) + 1)
          dense[Int(number)] = newValue
        }
      }
    }
  }
}
