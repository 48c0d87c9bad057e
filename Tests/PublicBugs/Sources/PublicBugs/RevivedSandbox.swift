/// A sandbox that is about to shut down becomes a stopped one again.
///
/// Source: apple/container#684. The actor `SandboxService` checked and changed its state in `stop()`, then awaited the
/// end of the container. Meanwhile `shutdown()` could enter the actor, and `stop()` later overwrote the state “shutting
/// down”. The fix makes both methods hold the actor's lock from the check to the last change.
enum RevivedSandbox {
  static let bug = PublicBug(
    "“stop” overwrites the state of a later “shutdown”", in: "apple/container", 684
  ) { version in
    let service = SandboxService(version)
    async let stopped: Void = service.stop()
    // The container stops at about the same time.
    try await Task.sleep(for: .milliseconds(1))
    let isShutDown = await service.shutdown()
    await stopped
    let state = await service.state
    if isShutDown, state != .shuttingDown {
      throw Symptom("shut down, but the state is “\(state)”")
    }
  }

  actor SandboxService {
    enum State { case running, stopping, stopped, shuttingDown }

    private(set) var state = State.running
    private let lock = AsyncLock()
    private let version: Version

    init(_ version: Version) { self.version = version }

    func stop() async {
      switch version {
      case .before:
        guard state == .running else { return }
        state = .stopping
        await gracefulStopContainer()
        await lock.withLock { await self.finishStopping() }
      case .after:
        await lock.withLock {
          guard await self.state == .running else { return }
          await self.setState(.stopping)
          await self.gracefulStopContainer()
          await self.finishStopping()
        }
      }
    }

    /// Returns false if the container is not stopped.
    func shutdown() async -> Bool {
      switch version {
      case .before: setShuttingDown()
      case .after: await lock.withLock { await self.setShuttingDown() }
      }
    }

    private func finishStopping() async {
      if state == .stopped { return }
      await cleanUpContainer()
      state = .stopped
    }

    private func setShuttingDown() -> Bool {
      guard state == .stopping || state == .stopped else { return false }
      state = .shuttingDown
      return true
    }

    private func setState(_ state: State) { self.state = state }
    private func gracefulStopContainer() async { try? await Task.sleep(for: .milliseconds(1)) }
    private func cleanUpContainer() async { await Task.yield() }
  }
}
