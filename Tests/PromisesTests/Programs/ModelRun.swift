/// Runs a program in the model.
final class ModelRun {
  private let program: Program
  private let model: Model
  private var nodes: [Model.Node] = []
  private var isDropped = false
  private var lazyRoots: Set<Int> = []
  /// How often the handler of each promise has run.
  private var runs: [Int]

  /// The outcome of each promise, how often its handler ran, and how often it was notified of its cancellation.
  struct Result: Equatable {
    var outcomes: [Ending?]
    var runs: [Int]
    var cancellations: [Int]
  }

  init(_ program: Program, canCancel: Bool, seed: UInt64) {
    self.program = program
    model = Model(canCancel: canCancel, seed: seed)
    runs = Array(repeating: 0, count: program.operations.count)
  }

  func run() -> Result {
    var time = 0
    for action in program.actions {
      if case .pause = action { time += 100 }
      time += 1
      advance(to: .milliseconds(time), then: action)
    }
    while let next = model.timers.map(\.time).min() { advance(to: next, then: nil) }
    defer { model.close() }
    return Result(
      outcomes: nodes.map(\.outcome), runs: runs,
      cancellations: nodes.indices.map { index in
        isRoot(index) ? min(nodes[index].cancellations, 1) : 0
      })
  }

  private func isRoot(_ index: Int) -> Bool {
    program.operations[index].kind == .root || lazyRoots.contains(index)
  }

  private func advance(to time: Duration, then action: Program.Action?) {
    while let next = model.timers.map(\.time).min(), next < time {
      model.now = next
      model.settleDown()
    }
    model.now = time
    // The action comes before or after the operations that end now.
    if Bool.random(using: &model.generator) { model.settleDown() }
    if let action { perform(action) }
    model.settleDown()
  }

  private func perform(_ action: Program.Action) {
    switch action {
    case .make(let index): nodes.append(make(program.operations[index], index))
    case .resolve(let index, let number):
      guard let node = claim(index) else { return }
      model.settle(node, program.operations[index].reply(to: number))
    case .adopt(let index, let other):
      guard let node = claim(index) else { return }
      model.adopt(node, nodes[other])
    case .cancel(let index): model.cancel(nodes[index])
    case .cancelToken: model.isTokenCancelled = true
    case .pause: break
    case .drop:
      isDropped = true
      for index in nodes.indices {
        if let node = claim(index) { drop(node) }
      }
    }
  }

  private func drop(_ node: Model.Node) {
    if node.canCancel {
      model.settle(node, .dropped)
    } else {
      node.state = .gone(isCancelled: false)
    }
  }

  private func claim(_ index: Int) -> Model.Node? {
    guard isRoot(index), !nodes[index].isClaimed, nodes[index].isPending else { return nil }
    nodes[index].isClaimed = true
    return nodes[index]
  }

  // MARK: Making

  private func make(_ operation: Program.Operation, _ index: Int) -> Model.Node {
    let inputs = operation.inputs.map { nodes[$0] }
    return switch operation.kind {
    case .root, .lazy, .settled, .never: beginning(operation, index)
    case .all, .any, .race, .join, .outcomes, .select: gathering(operation, index, inputs)
    case .allLimited, .mapLimited, .filter, .each, .reduce, .retry:
      sequence(operation, index, inputs)
    default: link(operation, index, inputs)
    }
  }

  private func beginning(_ operation: Program.Operation, _ index: Int) -> Model.Node {
    let isRoot = [.root, .lazy].contains(operation.kind)
    let node = model.node(unused: isRoot && operation.unused)
    switch operation.kind {
    case .settled: node.state = .settled(operation.reply(to: 0))
    case .never: node.state = .gone(isCancelled: false)
    case .lazy:
      node.start = { [unowned self, unowned node] in
        runs[index] += 1
        lazyRoots.insert(index)
        if operation.number % 3 == 0 {
          node.isClaimed = true
          model.settle(node, operation.reply(to: 0))
        } else if isDropped {
          node.isClaimed = true
          node.step = { [unowned self, unowned node] in
            node.step = nil
            drop(node)
          }
        }
      }
    default: break
    }
    return node
  }

  private func link(
    _ operation: Program.Operation, _ index: Int, _ inputs: [Model.Node]
  ) -> Model.Node {
    let (source, model) = (inputs[0], model)
    func handler(_ wants: Model.Wants, _ body: @escaping (Model.Node, Ending) -> Void)
      -> Model.Node
    {
      model.link(to: source, wants) { [unowned self] link, outcome in
        runs[index] += 1
        body(link, outcome)
      }
    }
    func replying(_ wants: Model.Wants) -> Model.Node {
      handler(wants) { model.settle($0, operation.reply(to: $1.code)) }
    }
    switch operation.kind {
    case .map: return replying(.value)
    case .get, .validate:
      return handler(.value) { link, outcome in
        var reply = operation.reply(to: outcome.code)
        if reply.isFailure, operation.kind == .validate { reply = .fault(97) }
        model.settle(link, reply.isFailure ? reply : outcome)
      }
    case .compactMap:
      return handler(.value) { link, outcome in
        let reply = operation.reply(to: outcome.code)
        model.settle(link, reply.isFailure ? .fault(99) : reply)
      }
    case .unwrap:
      let optional = model.link(to: source, .value) { model.settle($0, $1) }
      return model.link(to: optional, .value) { link, outcome in
        model.settle(link, outcome.code % 2 == 0 ? .fault(98) : outcome)
      }
    case .then: return handler(.value) { link, _ in model.adopt(link, inputs[1]) }
    case .flatMapError: return handler(.failure) { link, _ in model.adopt(link, inputs[1]) }
    case .delay: return model.delay(source, operation.duration)
    case .recover: return replying(.failure)
    case .recoverWhere:
      return model.link(to: source, .failure) { [unowned self] link, outcome in
        guard outcome.code % 2 == 0 else { return model.settle(link, outcome) }
        runs[index] += 1
        model.settle(link, operation.reply(to: outcome.code))
      }
    case .mapError:
      return handler(.failure) { model.settle($0, .fault(($1.code + operation.number) % 50)) }
    case .catch:
      return model.link(to: source, .failure) { [unowned self] link, outcome in
        if outcome != .cancelled { runs[index] += 1 }
        model.settle(link, outcome)
      }
    case .tap, .ensure: return handler(.any) { model.settle($0, $1) }
    case .ensureThen:
      return handler(.any) { link, outcome in
        model.adopt(
          link,
          model.link(to: inputs[1], .any) { cleanup, ended in
            model.settle(cleanup, ended.isFailure && !outcome.isFailure ? ended : outcome)
          })
      }
    case .observe:
      let observer = model.link(to: source, .any, canCancel: false) { [unowned self] link, _ in
        runs[index] += 1
        model.settle(link, .value(1))
      }
      return model.link(to: observer, .value) { model.settle($0, $1) }
    case .on: return model.link(to: source, .none)
    case .until:
      let link = model.link(to: source, .none, isBound: true)
      link.isWatched = true
      return link
    case .timeout: return model.timeout(source, operation.duration, .fault(88))
    default:
      let optional = model.link(to: source, .value) { model.settle($0, $1) }
      let limited = model.timeout(optional, operation.duration, .value(77))
      return model.link(to: limited, .value) { model.settle($0, $1) }
    }
  }

  private func gathering(
    _ operation: Program.Operation, _ index: Int, _ inputs: [Model.Node]
  ) -> Model.Node {
    let model = model
    let isUnused = inputs.contains { $0.unused }
    let result = model.node(
      unused: isUnused,
      canCancel: [.any, .outcomes, .select].contains(operation.kind) ? false : nil)
    func codes() -> Ending { .value(Ending.sum(inputs.compactMap { $0.outcome?.code })) }
    switch operation.kind {
    case .all:
      model.gather(inputs, into: result) { _, one, isLast in
        one.isFailure ? one : isLast ? codes() : nil
      }
    case .join:
      model.gather(inputs, into: result) { _, _, isLast in
        guard isLast else { return nil }
        return inputs.compactMap(\.outcome).first(where: \.isFailure) ?? codes()
      }
    case .race: model.gather(inputs, into: result) { _, first, _ in first }
    case .outcomes:
      model.gather(inputs, into: result) { _, _, isLast in isLast ? codes() : nil }
      return model.link(to: result, .any) { model.settle($0, $1) }
    case .any:
      model.gather(inputs, into: result) { _, outcome, isLast -> Ending? in
        if !outcome.isFailure { return outcome }
        guard isLast, case .value(let sum) = codes() else { return nil }
        return .fault(sum)
      }
      return model.link(to: result, .any) { model.settle($0, $1) }
    default:
      model.gather(inputs, into: result) { index, _, _ in .value(index) }
      return model.link(to: result, .any) { [unowned self] link, winner in
        model.adopt(
          link,
          model.link(to: inputs[winner.code], .value) { mapped, outcome in
            self.runs[index] += 1
            model.settle(mapped, operation.reply(to: outcome.code))
          })
      }
    }
    return result
  }

  private func sequence(
    _ operation: Program.Operation, _ index: Int, _ inputs: [Model.Node]
  ) -> Model.Node {
    let (width, unused) = (operation.width, operation.unused)
    let model = model
    let pull: (Model.Node) -> Model.Node = { [unowned self] source in
      if operation.kind != .allLimited { runs[index] += 1 }
      // A promise made from `source` belongs to the chain of `source`.
      guard [.filter, .each, .reduce].contains(operation.kind) else { return source }
      return model.link(to: source, .value) { model.settle($0, $1) }
    }
    switch operation.kind {
    case .retry:
      return model.retry(
        inputs, unused: unused, pause: operation.number % 2 == 0 ? nil : operation.duration,
        attempt: { [unowned self] in runs[index] += 1 }, isWorthIt: { $0.code % 3 != 0 })
    case .reduce:
      // `combine` gets the value that has been accumulated so far.
      return model.convey(inputs, width: 1, unused: unused, pull: pull) {
        .value($0.last ?? 0)
      }
    default:
      let result = model.convey(
        inputs, width: width, unused: unused, pull: pull
      ) { values in
        switch operation.kind {
        case .filter: .value(Ending.sum(values.indices.filter { values[$0] % 2 == 0 }))
        case .each: .value(1)
        default: .value(Ending.sum(values))
        }
      }
      return model.link(to: result, .none)
    }
  }
}
