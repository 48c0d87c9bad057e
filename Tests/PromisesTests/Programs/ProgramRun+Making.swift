import Promises

/// Applies each operator as the program describes it.
extension ProgramRun {
  func make(_ operation: Program.Operation, _ index: Int) -> Number {
    switch operation.kind {
    case .root, .lazy, .settled, .never: root(operation, index)
    case .all, .any, .race, .join, .outcomes, .select: gathering(operation, index)
    case .allLimited, .mapLimited, .filter, .each, .reduce, .retry: sequence(operation, index)
    case .recover, .recoverWhere, .flatMapError, .mapError, .catch: catching(operation, index)
    case .map, .get, .validate, .compactMap, .unwrap, .then: mapping(operation, index)
    default: watching(operation, index)
    }
  }

  private func root(_ operation: Program.Operation, _ index: Int) -> Number {
    let place = beginning(operation)
    let whenUnused = operation.unused ? UnusedPolicy.cancel : .keep
    switch operation.kind {
    case .settled:
      return Number(result(operation.reply(to: 0)), on: place, runtime: runtime)
    case .never: return .never(on: place, runtime: runtime)
    case .lazy:
      let count = counting(index)
      return .lazy(on: place, runtime: runtime, whenUnused: whenUnused) {
        resolver throws(Failure) in
        count()
        self.keep(resolver, index)
        if operation.number % 3 == 0 { resolver.resolve(self.result(operation.reply(to: 0))) }
      }
    default:
      let (promise, resolver) = Number.withResolvers(
        on: place, runtime: runtime, whenUnused: whenUnused)
      keep(resolver, index)
      return promise
    }
  }

  private func mapping(_ operation: Program.Operation, _ index: Int) -> Number {
    let (source, place) = (promise(operation.inputs[0]), place(operation))
    let reply = replying(operation, index)
    switch operation.kind {
    case .get: return source.get(on: place) { value throws(Failure) in _ = try reply(value).get() }
    case .validate:
      return source.validate(orError: self.wrap(Fault(number: 97)), on: place) { value in
        (try? reply(value).get()) != nil
      }
    case .compactMap:
      return source.compactMap(orError: self.wrap(Fault(number: 99)), on: place) { value in
        try? reply(value).get()
      }
    case .unwrap:
      let optional: Promise<Int?, Failure> = source.map(on: .inline) { $0 % 2 == 0 ? nil : $0 }
      return optional.unwrap(orError: self.wrap(Fault(number: 98)))
    case .then:
      let (count, inner) = (counting(index), operation.inputs[1])
      return source.then(on: place) { _ in
        count()
        return self.promise(inner)
      }
    default: return source.map(on: place) { value throws(Failure) in try reply(value).get() }
    }
  }

  private func catching(_ operation: Program.Operation, _ index: Int) -> Number {
    let (source, place) = (promise(operation.inputs[0]), place(operation))
    let reply = replying(operation, index)
    let count = counting(index)
    switch operation.kind {
    case .recover:
      return source.recover(on: place) { error throws(Failure) in
        try reply(Self.outcome(of: error).code).get()
      }
    case .recoverWhere:
      let isEven: @Sendable (Failure) -> Bool = { Self.outcome(of: $0).code % 2 == 0 }
      return source.recover(where: isEven, on: place) {
        error throws(Failure) in try reply(Self.outcome(of: error).code).get()
      }
    case .flatMapError:
      let inner = operation.inputs[1]
      return source.flatMapError(on: place) { _ throws(Failure) in
        count()
        return self.promise(inner)
      }
    case .mapError:
      return source.mapError(on: place) { error in
        count()
        return self.wrap(
          Fault(number: (Self.outcome(of: error).code + operation.number) % 50))
      }
    default: return source.catch(on: place) { _ in count() }
    }
  }

  private func watching(_ operation: Program.Operation, _ index: Int) -> Number {
    let (source, place) = (promise(operation.inputs[0]), place(operation))
    let count = counting(index)
    switch operation.kind {
    case .tap: return source.tap(on: place) { _ in count() }
    case .ensure: return source.ensure(on: place) { count() }
    case .ensureThen:
      let inner = operation.inputs[1]
      return source.ensureThen(on: place) {
        count()
        return self.promise(inner)
      }
    case .observe:
      let observed: Promise<Void, Failure> = source.whenComplete(on: place) { _ in count() }
        .mapError(on: .inline, Self.impossible)
      return observed.map(on: .inline) { 1 }
    case .delay: return source.delay(operation.duration)
    case .on: return source.on(beginning(operation))
    case .until: return source.until(token)
    case .timeout:
      return source.timeout(operation.duration, orError: self.wrap(Fault(number: 88)))
    default:
      return source.timeoutOrNil(operation.duration).map(on: .inline) { $0 ?? 77 }
    }
  }

  @Sendable private static func impossible(_: Never) -> Failure {}

  private func gathering(_ operation: Program.Operation, _ index: Int) -> Number {
    let inputs = operation.inputs.map { promise($0) }
    switch operation.kind {
    case .all:
      return Promise<[Int], Failure>.all(inputs).map(on: .inline) { Ending.sum($0) }
    case .join:
      return Promise<[Int], Failure>.join(inputs).map(on: .inline) { Ending.sum($0) }
    case .race: return Number.race(inputs)
    case .any:
      return Promise<Int, AllFailed<Failure>>.any(inputs).mapError(on: .inline) { failed in
        self.wrap(Fault(number: Ending.sum(failed.errors.map { Self.outcome(of: $0).code })))
      }
    case .outcomes:
      let settled: Promise<[Result<Int, Failure>], Failure> =
        Promise<[Result<Int, Failure>], Never>.settled(inputs)
        .mapError(on: .inline, Self.impossible)
      return settled.map(on: .inline) { Ending.sum($0.map { Self.outcome($0).code }) }
    default:
      let reply = replying(operation, index)
      let clauses = inputs.map { input in
        SelectClause<Int, Failure>.when(input, on: place(operation)) { value throws(Failure) in
          try reply(value).get()
        }
      }
      return switch clauses.count {
      case 2: Number.select(clauses[0], clauses[1])
      case 3: Number.select(clauses[0], clauses[1], clauses[2])
      default: Number.select(clauses[0], clauses[1], clauses[2], clauses[3])
      }
    }
  }

  private func sequence(_ operation: Program.Operation, _ index: Int) -> Number {
    let inputs = operation.inputs.map { promise($0) }
    let place = beginning(operation)
    let whenUnused = operation.unused ? UnusedPolicy.cancel : .keep
    let (width, count) = (operation.width, counting(index))
    switch operation.kind {
    case .allLimited:
      return Promise<[Int], Failure>.all(
        inputs, width: width, on: place, runtime: runtime, whenUnused: whenUnused
      ).map(on: .inline) { Ending.sum($0) }
    case .mapLimited:
      return Promise<[Int], Failure>.map(
        inputs, width: width, on: place, runtime: runtime, whenUnused: whenUnused
      ) { input throws(Failure) in
        count()
        return input
      }.map(on: .inline) { Ending.sum($0) }
    case .filter:
      return Promise<[Int], Failure>.filter(
        Array(inputs.indices), width: width, on: place, runtime: runtime, whenUnused: whenUnused
      ) { number throws(Failure) in
        count()
        return inputs[number].map(on: .inline) { $0 % 2 == 0 }
      }.map(on: .inline) { Ending.sum($0) }
    case .each:
      return Promise<Void, Failure>.each(
        inputs, width: width, on: place, runtime: runtime, whenUnused: whenUnused
      ) { input throws(Failure) in
        count()
        return input
      }.map(on: .inline) { 1 }
    case .reduce:
      return Number.reduce(inputs, 0, on: place, runtime: runtime, whenUnused: whenUnused) {
        _, input throws(Failure) in
        count()
        return input
      }
    default:
      let isWorthIt: @Sendable (Failure) -> Bool = { Self.outcome(of: $0).code % 3 != 0 }
      return Number.retry(
        inputs.count,
        backoff: Backoff(operation.number % 2 == 0 ? .zero : operation.duration), on: place,
        runtime: runtime, whenUnused: whenUnused, while: isWorthIt
      ) { number throws(Failure) in
        count()
        return inputs[number - 1]
      }
    }
  }
}
