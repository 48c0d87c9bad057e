import Dispatch
import Testing

/// The code at the beginning of the page. It fails as the page says.
@Suite struct FailingSamples {
  /// Draws a title in the background, as often as it changes.
  final class TitleView: @unchecked Sendable {
    private let queue = DispatchQueue(label: "title")
    private var version = 0
    var onBegin: () -> Void = {}
    var onEnd: () -> Void = {}
    private(set) var picture: String?

    func show(_ title: String, draw: @escaping @Sendable (String) -> String) {
      version += 1
      let mine = version
      onBegin()
      queue.async {
        if self.version != mine { return }
        let picture = draw(title)
        DispatchQueue.main.async {
          guard self.version == mine else { return self.onEnd() }
          self.picture = picture
          self.onEnd()
        }
      }
    }
  }

  @Test func `an end is never reported`() {
    let view = TitleView()
    let drawn = Log()
    var begun = 0
    view.onBegin = { begun += 1 }
    view.hold {
      for title in ["one", "two", "three"] {
        view.show(title) { title in
          drawn.append(title)
          return title
        }
      }
    }
    // Two drawings returned without a report: whatever the main queue does, at most one end is ever reported.
    #expect(begun == 3 && drawn.entries == ["three"])
  }
}

extension FailingSamples.TitleView {
  /// Returns when all drawings that `body` has queued have run.
  fileprivate func hold(_ body: () -> Void) {
    queue.suspend()
    body()
    queue.resume()
    queue.sync {}
  }
}
