import Testing

@testable import AsyncRender

/// Events on a drawing lane, and the presentation that follows.
extension StateTrial {
  mutating func pick(_ phase: RenderLayerState.Phase) -> Int? {
    model.displays.indices.filter {
      model.displays[$0].phase == phase && model.displays[$0].drawing != nil
        && (phase == .queued || model.displays[$0].ends == 0)
    }.randomElement(using: &random)
  }

  mutating func start() {
    guard let index = pick(.queued) else { return }
    let display = model.displays[index]
    let isWanted = call { state, _ in
      state.start(display.number)
    } expecting: { _ in
      (nil, nil)
    }
    #expect(isWanted == display.isWanted)
    // A display that is not wanted is finished on the lane, and its end has been reported.
    #expect(isWanted || display.ends == 1)
    model.displays[index].phase = isWanted ? .drawing : .drawn
  }

  mutating func drew() {
    guard let index = pick(.drawing) else { return }
    let display = model.displays[index]
    let isWanted = call {
      $0.drew(display.number, for: .ms(1), &$1)
    } expecting: { _ in
      (nil, nil)
    }
    #expect(isWanted == display.isWanted)
    model.displays[index].phase = .drawn
    if !isWanted { model.displays[index].ends += 1 }
  }

  mutating func present() throws {
    guard let index = pick(.drawn) else { return }
    let display = model.displays[index]
    let outcome: Result<Picture, DrawingError> =
      chance(6) ? .failure(DrawingError("no")) : .success(try Self.picture())
    model.displays[index].ends += 1
    let ending = call {
      $0.present(display.number, outcome.map { $0 }, &$1)
    } expecting: { model in
      if display.isWanted { model.note(outcome.map { $0 }) }
      return (nil, nil)
    }
    if display.isWanted {
      check(ending, display.request, outcome.map { $0 })
    } else {
      #expect(!ending.isFinished && ending.calls.isEmpty)
    }
  }
}
