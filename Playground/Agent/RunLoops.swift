import AsyncRuntime
import AsyncSimulation
import CPlaygroundAgent
import Foundation

/// A run loop of Foundation that the program runs on a thread of the simulation.
///
/// The simulation decides when the thread continues. Foundation itself runs what was added to the loop: timers, and
/// closures for `perform`.
struct ProgramRunLoop {
  private let runLoop: RunLoop
  private let mode: RunLoop.Mode
  private let run: ProgramRun

  /// Nil on a thread that does not belong to the simulation.
  init?(_ address: UnsafeRawPointer, in mode: RunLoop.Mode = .default) {
    guard let run = ScheduledRun.program, run.isOnCallingThread else { return nil }
    self.run = run
    self.mode = mode
    runLoop = Unmanaged<RunLoop>.fromOpaque(address).takeUnretainedValue()
  }

  /// Waits until a job of the main lane has run, the loop is woken, or the limit is reached.
  ///
  /// - Parameter looks: whether the caller polls for a change instead of waiting.
  /// - Returns: false if there is nothing to wait for.
  @discardableResult
  func runOnce(until limit: Date, looks: Bool) -> Bool {
    let address = UnsafeRawPointer(Unmanaged.passUnretained(runLoop).toOpaque())
    // This call runs what is due. It returns nil if the mode has neither timers nor sources. Foundation does not wait
    // in that case. But if the caller polls, this function waits even then. Otherwise the caller would poll forever.
    let nextTimer = runLoop.limitDate(forMode: mode)
    if nextTimer == nil, !looks { return false }
    // A date is less exact than the time at which its timer fires. So this waits for at least 200 ns. Otherwise the
    // inexact last digit of the date could keep a timer that is due from ever firing.
    let timer = nextTimer.flatMap { instant($0, shortest: 200) }
    let end = instant(limit, shortest: 0)
    if looks {
      run.wait(inRunLoop: address, until: timer, lookingAt: end)
    } else {
      run.wait(inRunLoop: address, until: [timer, end].compactMap(\.self).min(), lookingAt: nil)
    }
    // Runs what has become due in the meantime.
    _ = runLoop.limitDate(forMode: mode)
    return true
  }

  func run(until limit: Date) {
    while runOnce(until: limit, looks: false), Date() < limit {}
  }

  /// The virtual time of a date; nil if the simulation never gets there.
  ///
  /// - Parameter shortest: the minimum distance of the result from now, in nanoseconds.
  private func instant(_ date: Date, shortest: Int64) -> Instant? {
    let seconds = date.timeIntervalSinceNow
    guard seconds < 1e9 else { return nil }
    // Rounded up, so that the date is not in the future when the wait ends.
    let nanoseconds = Int64(max(seconds * 1e9, 0).rounded(.up))
    return run.now.advanced(by: .nanoseconds(max(nanoseconds, shortest)))
  }
}

extension Date {
  /// The date that Foundation passes as this number of seconds.
  fileprivate init(number: Double) { self.init(timeIntervalSinceReferenceDate: number) }
}

/// - Parameters:
///   - mode: the first half of the mode's string, in its binary form; `modeRest` is the second half.
///   - hasRun: set to the value that the program's call returns.
@_cdecl("playground_agent_runOnce")
func runOnce(
  _ address: UnsafeRawPointer, _ mode: UInt, _ modeRest: UInt, _ limit: Double, _ looks: Bool,
  _ hasRun: UnsafeMutablePointer<Bool>
) -> Bool {
  let mode = unsafeBitCast((mode, modeRest), to: RunLoop.Mode.self)
  guard let runLoop = ProgramRunLoop(address, in: mode) else { return false }
  hasRun.pointee = runLoop.runOnce(until: Date(number: limit), looks: looks)
  return true
}

@_cdecl("playground_agent_runUntil")
func runUntil(_ address: UnsafeRawPointer, _ limit: Double) -> Bool {
  guard let runLoop = ProgramRunLoop(address) else { return false }
  runLoop.run(until: Date(number: limit))
  return true
}

@_cdecl("playground_agent_wake")
func wake(_ address: UnsafeRawPointer) { ScheduledRun.program?.wake(runLoop: address) }

@_cdecl("playground_agent_startThread")
func startThread(_ function: UnsafeMutableRawPointer, _ context: UnsafeMutableRawPointer?) -> Bool {
  guard let run = ScheduledRun.program, run.isOnCallingThread else { return false }
  playground_agent_retain(context)
  let closure = Closure(function: function, context: context)
  run.startThread("a thread of XCTest") { closure.call() }
  return true
}

/// A closure of the program, to be called once.
private struct Closure: @unchecked Sendable {
  // Safe to share: the program has passed a closure that is safe to share.
  let function: UnsafeMutableRawPointer
  let context: UnsafeMutableRawPointer?

  func call() { playground_agent_callAndRelease(function, context) }
}
