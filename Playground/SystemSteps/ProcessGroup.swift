import AsyncPatterns

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// The processes that a command consists of, however many it started.
struct ProcessGroup: Sendable {
  /// How long its members have from TERM to KILL.
  static let grace = Duration.milliseconds(500)
  /// How long to wait after KILL for one that hangs inside the kernel.
  private static let patience = Duration.seconds(2)

  /// The process ID of its leader.
  let id: pid_t
  let pool: any Scheduler

  /// Asks all members to end, and kills those that have not after the grace. Returns when none lives.
  func end() async {
    killpg(id, SIGTERM)
    if await isGone(within: Self.grace) { return }
    killpg(id, SIGKILL)
    _ = await isGone(within: Self.patience)
  }

  private func isGone(within limit: Duration) async -> Bool {
    let deadline = pool.now.advanced(by: limit)
    var pause = Duration.milliseconds(1)
    while hasLiveMember {
      let left = pool.now.duration(to: deadline)
      guard left > .zero else { return false }
      await wait(for: min(pause, left))
      pause = min(pause + pause, .milliseconds(20))
    }
    return true
  }

  /// Waits also in a task that is cancelled.
  private func wait(for duration: Duration) async {
    await withCheckedContinuation { continuation in
      pool.schedule(after: duration) { continuation.resume() }
    }
  }

  /// Whether a member is there that is not a zombie: the leader stays one until it is reaped, and an
  /// orphan does so for ever where the first process of a container reaps nobody.
  private var hasLiveMember: Bool {
    guard killpg(id, 0) == 0 else { return false }
    #if os(Linux)
      guard let entries = try? FileManager.default.contentsOfDirectory(atPath: "/proc") else {
        return true
      }
      return entries.contains { entry in
        guard let pid = pid_t(entry), let process = ProcessState(of: pid) else { return false }
        return process.group == id && !process.isDead
      }
    #else
      return true
    #endif
  }
}

/// What the kernel tells of a process.
struct ProcessState: Sendable {
  let group: pid_t
  let isDead: Bool

  /// Nil if there is no such process.
  init?(of pid: pid_t) {
    // `pid (name) state parent group …`, where the name may hold anything.
    guard let file = FileManager.default.contents(atPath: "/proc/\(pid)/stat"),
      let nameEnd = file.lastIndex(of: UInt8(ascii: ")"))
    else { return nil }
    let fields = String(decoding: file[(nameEnd + 1)...], as: UTF8.self).split(separator: " ")
    guard fields.count > 2, let group = pid_t(fields[2]) else { return nil }
    self.group = group
    isDead = ["Z", "X", "x"].contains(fields[0])
  }
}
