/// A concurrency bug of public code, in plain Swift that knows nothing of simulations.
///
/// Each bug is written anew, with the original's types and the places where the original suspends. Its documentation
/// names the original and says what differs.
public struct PublicBug: Sendable {
  /// What goes wrong.
  public let name: String
  /// The public repository, such as “apple/container”.
  public let repository: String
  /// The number of the issue or pull request there.
  public let number: Int

  private let body: @Sendable (Version) async throws -> Void

  init(
    _ name: String, in repository: String, _ number: Int,
    body: @escaping @Sendable (Version) async throws -> Void
  ) {
    self.name = name
    self.repository = repository
    self.number = number
    self.body = body
  }

  /// Runs a small program that uses the code once.
  ///
  /// A hang is a symptom, too: the call then never returns.
  ///
  /// - Throws: a ``Symptom`` if the program shows the bug.
  public func run(_ version: Version) async throws { try await body(version) }

  /// Each bug, in the order of the table.
  public static let all = [
    CancelledReader.bug, EmptyWaitingList.bug, UncancellableSend.bug, CancelledMerge.bug,
    LostFailure.bug, RevivedSandbox.bug, UnloadedBlob.bug, ResumedTwice.bug, SpentToken.bug,
    MissedHandler.bug, CancelledOwner.bug, BlockedKeeper.bug,
  ]
}

/// Which code a program uses.
public enum Version: Sendable, CaseIterable {
  /// The code with the bug.
  case before
  /// The code with the original's fix.
  case after
}

/// What a user of the code notices.
public struct Symptom: Error, CustomStringConvertible {
  public let description: String

  init(_ description: String) { self.description = description }
}

extension PublicBug: CustomStringConvertible {
  public var description: String { "\(repository)#\(number): \(name)" }
}
