extension ChromeEvent.Arguments {
  /// What is of use in `args`; nil if nothing is.
  ///
  /// - Parameter isOwn: whether this program wrote it.
  init?(_ json: JSONValue, isOwn: Bool) {
    guard case .object(let fields) = json else { return nil }
    func string(_ name: String) -> String? {
      if case .string(let text)? = fields[name] { text.shortened } else { nil }
    }
    func integer(_ name: String) -> Int64? {
      if case .integer(let integer)? = fields[name] { integer } else { nil }
    }
    if isOwn, let span = integer("span").flatMap({ UInt32(exactly: $0) }) {
      var step = ChromeEvent.Step(span: span)
      step.source = integer("from").flatMap { UInt32(exactly: $0) }
      step.edge = string("edge").flatMap { .init(rawValue: $0) }
      step.parent = integer("parent").flatMap { UInt32(exactly: $0) }
      step.pattern = string("pattern") ?? ""
      step.label = string("label")
      step.list = string("list")
      step.submitted = integer("submitted_ns") ?? 0
      step.work = max(integer("work_ns") ?? 0, 0)
      step.queued = integer("queued_ns").map { max($0, 0) }
      step.outcome = string("outcome").flatMap { .init(rawValue: $0) } ?? .success
      step.error = string("error") ?? ""
      step.detail = string("detail") ?? ""
      for (name, bit) in TraceEvent.Ending.chromeNames where fields[name] == .bool(true) {
        step.ending.insert(bit)
      }
      step.finishLane = string("finish_lane")
      switch fields["order"] {
      case .array(let values)?:
        step.order = values.prefix(3).compactMap {
          if case .integer(let position) = $0 { Int(position) } else { nil }
        }
      case .integer(let position)?: step.order = [Int(position)]
      default: break
      }
      self = .step(step)
    } else if let name = string("name") {
      self = .name(name)
    } else if let detail = string("detail") {
      self = .detail(detail)
    } else if isOwn, let order = integer("order") {
      self = .arrow(order: Int(order), time: integer("let_go_on_ns"))
    } else {
      let numbers = fields.sorted { $0.key < $1.key }.compactMap { field in
        switch field.value {
        case .integer(let integer): (name: field.key.shortened, number: Double(integer))
        case .number(let number): (name: field.key.shortened, number: number)
        default: nil
        }
      }
      guard !numbers.isEmpty else { return nil }
      self = .numbers(numbers)
    }
  }
}
