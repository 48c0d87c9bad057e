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

/// All processes of a command.
struct ProcessGroup: Sendable {
  /// The time between the signals TERM and KILL.
  static let grace = Duration.milliseconds(500)
  /// The time to wait after KILL for a process that is blocked inside the kernel.
  private static let patience = Duration.seconds(2)

  /// The process ID of its leader.
  let id: pid_t
  let pool: any Scheduler

  /// Sends TERM to all members, and KILL to those that still run after the grace period. Returns when no member runs,
  /// or when the wait after KILL has timed out.
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

  /// Waits for `duration`, even if the task is cancelled.
  private func wait(for duration: Duration) async {
    await withCheckedContinuation { continuation in
      pool.schedule(after: duration) { continuation.resume() }
    }
  }

  /// Whether the group has a member that is not a zombie. The leader is a zombie until it is reaped. An orphan stays
  /// a zombie if the first process of a container reaps no children.
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

/// The state of a process, as reported by the kernel.
struct ProcessState: Sendable {
  let group: pid_t
  let isDead: Bool

  /// Nil if there is no such process.
  init?(of pid: pid_t) {
    // The format is `pid (name) state parent group …`, where the name may contain any character.
    guard let file = FileManager.default.contents(atPath: "/proc/\(pid)/stat"),
      let nameEnd = file.lastIndex(of: UInt8(ascii: ")"))
    else { return nil }
    let fields = String(decoding: file[(nameEnd + 1)...], as: UTF8.self).split(separator: " ")
    guard fields.count > 2, let group = pid_t(fields[2]) else { return nil }
    self.group = group
    isDead = ["Z", "X", "x"].contains(fields[0])
  }
}
