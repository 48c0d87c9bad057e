import AsyncPatterns

/// Saves a document: a while after an edit, it writes the current text.
final class Autosave: Sendable {
  private struct State {
    var text = ""
    var isSaveDue = false
  }

  private let state = Locked(State())
  private let delay: Duration
  private let runtime: any Runtime
  private let disk: any Scheduler
  private let write: @Sendable (String) -> Void

  init(
    after delay: Duration, runtime: any Runtime = LiveRuntime.shared,
    write: @escaping @Sendable (String) -> Void
  ) {
    self.delay = delay
    self.runtime = runtime
    self.write = write
    disk = runtime.serial("disk")
  }

  func edit(_ text: String) {
    let isFirst = state.withLock { state in
      defer { state.isSaveDue = true }
      state.text = text
      return !state.isSaveDue
    }
    if isFirst { runtime.main.schedule(after: delay) { self.save() } }
  }

  private func save() {
    let text = state.withLock { $0.text }
    disk.schedule {
      self.write(text)
      self.state.withLock { $0.isSaveDue = false }
    }
  }
}
