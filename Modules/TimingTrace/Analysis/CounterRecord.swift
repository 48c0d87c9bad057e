/// Something that changed during a run, such as an animated property: what it was when.
public struct CounterRecord: Sendable, Hashable, Codable {
  /// What it was called, and by which step if several told it at the same time.
  public var name: String
  /// In time order.
  public var samples: [Sample]

  public init(name: String, samples: [Sample]) {
    self.name = name
    self.samples = samples
  }

  public struct Sample: Sendable, Hashable, Codable {
    /// In nanoseconds since the run's start.
    public var time: Int64
    public var value: Double

    public init(time: Int64, value: Double) {
      self.time = time
      self.value = value
    }
  }
}

/// The counters of a run, by name: steps that took turns in telling one share it.
struct CounterLayout {
  let counters: [CounterRecord]

  init(_ table: SpanTable, _ layout: StepLayout, origin: Int64) {
    var order: [String] = []
    var samples: [String: [SpanTable.CounterSample]] = [:]
    for sample in table.counters where sample.value.isFinite {
      if samples[sample.name] == nil { order.append(sample.name) }
      samples[sample.name, default: []].append(sample)
    }
    counters = order.flatMap { name in
      CounterLayout.split(samples[name] ?? []).map { node, samples in
        CounterRecord(
          name: node.map { "\(name), \(layout.path(of: $0))" } ?? name,
          samples: samples.map {
            .init(time: $0.time.subtractingClamped(origin), value: $0.value)
          })
      }
    }
  }

  /// The samples by their steps, if these told them at the same time; else all of them, of no step.
  private static func split(
    _ samples: [SpanTable.CounterSample]
  ) -> [(node: Int?, [SpanTable.CounterSample])] {
    let changes = zip(samples, samples.dropFirst()).count { $0.node != $1.node }
    let parts = Dictionary(grouping: samples, by: \.node)
    guard changes >= parts.count else { return [(nil, samples)] }
    return parts.sorted { ($0.key ?? -1) < ($1.key ?? -1) }.map { ($0.key, $0.value) }
  }
}
