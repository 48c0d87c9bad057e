public import AsyncRuntime

/// The work of an operator on the result of the previous promise.
///
/// Each shape of closure has its own type, and no other closure wraps the user's. So a link is one object.
@usableFromInline
protocol LinkStep: Sendable {
  associatedtype Input: Sendable
  associatedtype InputFailure: Error
  associatedtype Output: Sendable
  associatedtype OutputFailure: Error

  func run(
    _ result: Result<Input, InputFailure>, _ next: PromiseStorage<Output, OutputFailure>)
}

/// A step that is complete when it returns.
@usableFromInline
protocol ImmediateStep: LinkStep {
  // Repeated here, so that the compiler infers these types from the function.
  associatedtype Input
  associatedtype InputFailure
  associatedtype Output
  associatedtype OutputFailure

  func outcome(of result: Result<Input, InputFailure>) -> Result<Output, OutputFailure>
}

extension ImmediateStep {
  @inlinable
  func run(
    _ result: Result<Input, InputFailure>, _ next: PromiseStorage<Output, OutputFailure>
  ) {
    // The promise may have been cancelled in the meantime. Then this has no effect.
    next.settle(outcome(of: result))
  }
}

/// A promise that an operator makes from another promise, and that waits for it.
@usableFromInline
class Link<Step: LinkStep>: PromiseStorage<Step.Output, Step.OutputFailure>, @unchecked Sendable {
  // Safe to share: the step stays in the node until it runs, on one thread.

  /// Runs the step of the second argument with the result of the first.
  @usableFromInline final let runStep: @Sendable (PromiseNode, PromiseNode) -> Void

  @inlinable
  init(
    of source: PromiseStorage<Step.Input, Step.InputFailure>, _ wants: PromiseNode.Wants,
    _ site: Site, _ step: Step
  ) {
    // The closure captures nothing. So it is specialized for the operator and allocates no memory. A method of this
    // generic class would not be specialized.
    runStep = { source, link in
      link.holdsStep = false
      let step = link.step.take(Step.self)
      step.run(
        unsafeDowncast(source, to: PromiseStorage<Step.Input, Step.InputFailure>.self)
          .settledResult,
        unsafeDowncast(link, to: PromiseStorage<Step.Output, Step.OutputFailure>.self))
    }
    super.init(of: source, source.contextReference.retained(), wants, site)
    self.step.store(step)
    holdsStep = true
  }

  @usableFromInline
  override final func runStep(after source: PromiseNode) { runStep(source, self) }

  @usableFromInline
  override final func destroyStep() { step.destroy(Step.self) }
}

/// A link whose handler has a placement of its own.
@usableFromInline
final class PlacedLink<Step: LinkStep>: Link<Step>, @unchecked Sendable {
  // Safe to share: the placement never changes.
  @usableFromInline let placement: ContextReference

  /// - Parameter placement: the link takes ownership of it.
  @inlinable
  init(
    of source: PromiseStorage<Step.Input, Step.InputFailure>, at placement: ContextReference,
    _ wants: PromiseNode.Wants, _ site: Site, _ step: Step
  ) {
    self.placement = placement
    super.init(of: source, wants.union(.placed), site, step)
  }

  deinit { placement.release() }

  override var ownTarget: ContextReference { placement }
}

extension Promise {
  /// The next promise of the chain.
  @inlinable
  func link<Step: LinkStep>(
    on placement: Placement?, _ wants: PromiseNode.Wants, _ site: Site, _ step: Step
  ) -> Promise<Step.Output, Step.OutputFailure>
  where Step.Input == Success, Step.InputFailure == Failure {
    // If the promise is settled and the step can run here and now, no dependent is needed.
    if let lane = laneToNotifyHere(placement) {
      let next = PromiseStorage<Step.Output, Step.OutputFailure>(
        storage.contextReference.retained(), site, flags: storage.flagsOfNext | Flag.claimed)
      let outer = storage.enterHandler(on: lane)
      step.run(.success(storage.fulfilledValue), next)
      storage.leaveHandler(on: lane, outer)
      return Promise<Step.Output, Step.OutputFailure>(next)
    }
    return listen(on: placement, wants, site, step)
  }

  /// The next promise of the chain, for a step that is complete when it returns.
  @inlinable
  func linkImmediate<Step: ImmediateStep>(
    on placement: Placement?, _ wants: PromiseNode.Wants, _ site: Site, _ step: Step
  ) -> Promise<Step.Output, Step.OutputFailure>
  where Step.Input == Success, Step.InputFailure == Failure {
    // The result exists before there is a promise for it. So no other code can settle that promise,
    // and no claim is needed.
    if let lane = laneToNotifyHere(placement) {
      let outer = storage.enterHandler(on: lane)
      let outcome = step.outcome(of: .success(storage.fulfilledValue))
      storage.leaveHandler(on: lane, outer)
      return Promise<Step.Output, Step.OutputFailure>(
        PromiseStorage(
          outcome, storage.contextReference.retained(), site, flags: storage.flagsOfNext))
    }
    return listen(on: placement, wants, site, step)
  }

  @inlinable
  func laneToNotifyHere(_ placement: Placement?) -> LaneContext? {
    switch placement {
    case nil: storage.laneToNotifyHere(isInline: false)
    case .inline: storage.laneToNotifyHere(isInline: true)
    default: nil
    }
  }

  /// The next promise of the chain, which is notified when this one is settled.
  @inlinable
  func listen<Step: LinkStep>(
    on placement: Placement?, _ wants: PromiseNode.Wants, _ site: Site, _ step: Step
  ) -> Promise<Step.Output, Step.OutputFailure>
  where Step.Input == Success, Step.InputFailure == Failure {
    let link =
      switch placement {
      case nil: Link(of: storage, wants, site, step)
      case .inline: Link(of: storage, wants.union(.inline), site, step)
      case let placement?:
        PlacedLink(of: storage, at: storage.target(at: placement), wants, site, step)
      }
    storage.add(link)
    return Promise<Step.Output, Step.OutputFailure>(link)
  }

  /// The next promise of the chain, which `body` settles.
  func link<Output: Sendable, OutputFailure: Error>(
    on placement: Placement?, _ wants: PromiseNode.Wants, _ site: Site,
    _ body:
      @escaping @Sendable (Result<Success, Failure>, PromiseStorage<Output, OutputFailure>) -> Void
  ) -> Promise<Output, OutputFailure> {
    link(on: placement, wants, site, AnyStep(body: body))
  }
}

/// A step for operators that are too rare to need a type of their own.
struct AnyStep<Input: Sendable, InputFailure: Error, Output: Sendable, OutputFailure: Error>:
  LinkStep
{
  let body: @Sendable (Result<Input, InputFailure>, PromiseStorage<Output, OutputFailure>) -> Void

  func run(
    _ result: Result<Input, InputFailure>, _ next: PromiseStorage<Output, OutputFailure>
  ) { body(result, next) }
}
