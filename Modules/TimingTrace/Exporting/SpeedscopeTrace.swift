internal import AsyncPatterns

/// Runs in the format of speedscope (speedscope.app): a profile for each lane of each run, in which steps open
/// and close as calls do. Of those that overlap on their lane each further one stands in a profile of its own
/// beside it.
///
/// The format: `file-format-spec.ts` of speedscope; times are nanoseconds since the start of the run.
enum SpeedscopeTrace {
  static func write(_ runs: [SavedRun], to writer: inout JSONWriter) {
    var frames = Frames()
    let profiles = runs.map { SpeedscopeProfiles(ExportedRun($0), &frames) }
    writer.object { writer in
      writer.field("$schema", "https://www.speedscope.app/file-format-schema.json")
      writer.field("exporter", "asynchronous-patterns")
      writer.field("name", runs.map(\.record.name).joined(separator: ", "))
      writer.field("activeProfileIndex", 0)
      writer.key("shared")
      writer.object { writer in
        writer.key("frames")
        writer.array { writer in
          for name in frames.names {
            writer.object { $0.field("name", name) }
            writer.breakLine()
          }
        }
      }
      writer.key("profiles")
      writer.array { writer in
        for (index, profiles) in profiles.enumerated() {
          let prefix = runs.count > 1 ? "\(index + 1) \(runs[index].record.name), " : ""
          profiles.write(to: &writer, prefix: prefix)
        }
      }
    }
  }

  /// The names of what is called, each once.
  struct Frames {
    private(set) var names: [String] = []
    private var numbers: [String: Int] = [:]

    mutating func number(of name: String) -> Int {
      if let known = numbers[name] { return known }
      numbers[name] = names.count
      names.append(name)
      return names.count - 1
    }
  }
}

/// The lanes of one run.
private struct SpeedscopeProfiles {
  private struct Call {
    let frame: Int
    let from: Int64
    let to: Int64
  }

  private let run: ExportedRun
  private let names: [String]
  /// For each row its calls, in the order in which they begin.
  private var calls: [[Call]]

  init(_ run: ExportedRun, _ frames: inout SpeedscopeTrace.Frames) {
    self.run = run
    var rows = SliceRows(run.table)
    var calls: [[Call]] = []
    for slice in SpeedscopeProfiles.slices(run) {
      let row = rows.row(
        for: slice.node, isStep: slice.isStep, lane: slice.lane, from: slice.from, to: slice.to,
        mayAdd: true)
      guard let row else { continue }
      while calls.count <= row { calls.append([]) }
      let name = slice.isStep ? slice.node.map { run.table.nodes[$0].label } ?? "" : "blocked"
      calls[row].append(
        Call(
          frame: frames.number(of: name), from: run.relative(slice.from),
          to: run.relative(slice.to)))
    }
    names = rows.names
    while calls.count < names.count { calls.append([]) }
    self.calls = calls
  }

  private typealias Slice = (
    node: Int?, isStep: Bool, lane: Lane, from: Int64, to: Int64, position: Int
  )

  private static func slices(_ run: ExportedRun) -> [Slice] {
    var slices: [Slice] = []
    for (index, node) in run.table.nodes.enumerated() {
      guard let started = node.started else { continue }
      let end = max(node.finished ?? run.end, started)
      slices.append((index, true, run.lane(of: index), started, end, node.startPosition))
    }
    for interval in run.blocked {
      slices.append((interval.node, false, interval.lane, interval.from, interval.to, .max))
    }
    return slices.sorted { ($0.from, $0.position, $1.to) < ($1.from, $1.position, $0.to) }
  }

  func write(to writer: inout JSONWriter, prefix: String) {
    for (row, calls) in calls.enumerated() {
      writer.object { writer in
        writer.field("type", "evented")
        writer.field("name", prefix + names[row])
        writer.field("unit", "nanoseconds")
        writer.field("startValue", min(calls.first?.from ?? 0, 0))
        writer.field("endValue", max(run.relative(run.end), 0))
        writer.key("events")
        writer.array { writer in
          var open: [Call] = []
          for call in calls {
            while let last = open.last, last.to <= call.from {
              event("C", last.frame, at: last.to, to: &writer)
              open.removeLast()
            }
            event("O", call.frame, at: call.from, to: &writer)
            open.append(call)
          }
          for call in open.reversed() { event("C", call.frame, at: call.to, to: &writer) }
        }
      }
      writer.breakLine()
    }
  }

  private func event(
    _ type: String, _ frame: Int, at time: Int64, to writer: inout JSONWriter
  ) {
    writer.object { writer in
      writer.field("type", type)
      writer.field("frame", frame)
      writer.field("at", time)
    }
    writer.breakLine()
  }
}
