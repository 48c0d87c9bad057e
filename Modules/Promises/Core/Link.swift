/// What an operator does with what comes of the promise before.
///
/// A type for each shape of closure, and no closure around the user's: so a link is one object.
@usableFromInline
protocol LinkStep: Sendable {
  associatedtype Input: Sendable
  associatedtype InputFailure: Error
  associatedtype Output: Sendable
  associatedtype OutputFailure: Error

  func run(
    _ result: Result<Input, InputFailure>, _ next: PromiseStorage<Output, OutputFailure>)
}

/// A promise that an operator makes of another one, which it listens to.
@usableFromInline
final class Link<Step: LinkStep>: PromiseStorage<Step.Output, Step.OutputFailure>,
  @unchecked Sendable
{
  // Safe to share: the step lies in the node until it runs, on one thread.

  @inlinable
  init(
    of source: PromiseStorage<Step.Input, Step.InputFailure>, at target: PromiseContext?,
    _ wants: PromiseNode.Wants, _ site: Site, _ step: Step
  ) {
    // The closure captures nothing: it is as specialised as the operator, and costs no memory.
    super.init(of: source, source.context, at: target, wants, site) { source, link in
      link.holdsStep = false
      let step = link.step.take(Step.self)
      step.run(
        unsafeDowncast(source, to: PromiseStorage<Step.Input, Step.InputFailure>.self)
          .settledResult,
        unsafeDowncast(link, to: PromiseStorage<Step.Output, Step.OutputFailure>.self))
    }
    self.step.store(step)
    holdsStep = true
  }

  @usableFromInline
  override func destroyStep() { step.destroy(Step.self) }
}

extension Promise {
  /// The next promise of the chain.
  @inlinable
  func link<Step: LinkStep>(
    on placement: Placement?, _ wants: PromiseNode.Wants, _ site: Site, _ step: Step
  ) -> Promise<Step.Output, Step.OutputFailure>
  where Step.Input == Success, Step.InputFailure == Failure {
    if placement == nil {
      // What is settled, and can be told here and now, needs no listener.
      let next = PromiseStorage<Step.Output, Step.OutputFailure>(
        ifToldAtOnce: storage, wants, site)
      if let next {
        storage.tellHere { step.run(storage.settledResult, next) }
        return Promise<Step.Output, Step.OutputFailure>(next)
      }
    }
    var target: PromiseContext?
    if let placement { target = storage.context.at(placement) }
    let link = Link(of: storage, at: target, wants, site, step)
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

/// A step for what is done too seldom to have a type of its own.
struct AnyStep<Input: Sendable, InputFailure: Error, Output: Sendable, OutputFailure: Error>:
  LinkStep
{
  let body: @Sendable (Result<Input, InputFailure>, PromiseStorage<Output, OutputFailure>) -> Void

  func run(
    _ result: Result<Input, InputFailure>, _ next: PromiseStorage<Output, OutputFailure>
  ) { body(result, next) }
}
