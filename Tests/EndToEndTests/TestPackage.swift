import Foundation
import TerminalTesting

/// A package with tests of Swift Testing and tests of XCTest. It does not use the playground.
enum TestPackage {
  /// Its folder; the package is built only once.
  static var folder: String { get async throws { try await built.value } }

  private static let built = Task {
    let folder = builtProgram("EndToEndTests.tests")
    try FileManager.default.createDirectory(
      atPath: folder + "/Tests/OwnTests", withIntermediateDirectories: true)
    for (name, text) in [
      ("Package.swift", package), ("Tests/OwnTests/OwnTests.swift", tests),
      ("Tests/OwnTests/OwnXCTests.swift", xctests),
    ] {
      try text.write(toFile: folder + "/" + name, atomically: true, encoding: .utf8)
    }
    try await Shell.run("swift", "build", "--build-tests", in: folder)
    return folder
  }

  private static let package = """
    // swift-tools-version: 6.2
    import PackageDescription
    let package = Package(name: "Own", targets: [.testTarget(name: "OwnTests")])
    """

  private static let tests = """
    import Testing
    actor Log {
      private(set) var text = ""
      func add(_ word: String) { text += word }
    }
    func twoWords() async -> String {
      let log = Log()
      let first = Task { await log.add("a") }
      let second = Task { await log.add("b") }
      _ = await (first.value, second.value)
      return await log.text
    }
    @Test func isInOrder() async {
      #expect(await twoWords() == "ab")
    }
    @Test func hasBothWords() async {
      #expect(await twoWords().count == 2)
    }
    """

  private static let xctests = """
    import Foundation
    import XCTest

    final class FailingTests: XCTestCase {
      func testWordsAreInOrder() async {
        let words = await twoWords()
        XCTAssertEqual(words, "ab")
      }
      func testContinues() async {
        await withCheckedContinuation { (_: CheckedContinuation<Void, Never>) in }
      }
      func testBlocks() async {
        pause()
      }
      func testTimesOut() {
        let late = expectation(description: "late")
        let task = Task {
          try await Task.sleep(for: .milliseconds(1_100))
          late.fulfill()
        }
        wait(for: [late], timeout: 1)
        task.cancel()
      }
    }

    final class PassingTests: XCTestCase {
      func testHasBothWords() async {
        let words = await twoWords()
        XCTAssertEqual(words.count, 2)
      }
      func testSleeps() async throws {
        try await Task.sleep(for: .seconds(3600))
      }
      @MainActor func testIsOnTheMainThread() async {
        XCTAssertTrue(Thread.isMainThread)
        _ = await twoWords()
        XCTAssertTrue(Thread.isMainThread)
        MainActor.assertIsolated()
      }
      func testHopsToTheMainThread() async {
        let isMain = await MainActor.run { Thread.isMainThread }
        XCTAssertTrue(isMain)
      }
      func testIsSynchronous() {
        XCTAssertEqual(1 + 1, 2)
      }
      func testExpects() {
        let main = expectation(description: "main"), task = expectation(description: "task")
        let late = expectation(description: "late")
        DispatchQueue.main.async { main.fulfill() }
        Task {
          try await Task.sleep(for: .seconds(2))
          task.fulfill()
        }
        DispatchQueue.global().asyncAfter(deadline: .now() + 1_000) { late.fulfill() }
        wait(for: [main, task, late], timeout: 1_001)
      }
      func testNeverHappens() {
        let never = expectation(description: "never")
        never.isInverted = true
        let start = Date()
        wait(for: [never], timeout: 600)
        XCTAssertEqual(Date().timeIntervalSince(start), 600, accuracy: 0.001)
      }
      func testRunsTheLoopOnce() {
        nonisolated(unsafe) var hasRun = false
        RunLoop.main.perform { hasRun = true }
        RunLoop.main.run(until: .distantPast)
        XCTAssertTrue(hasRun)
        XCTAssertFalse(RunLoop.main.run(mode: RunLoop.Mode("empty"), before: .distantFuture))
      }
      func testAwaitsExpectations() async {
        let expectations = (0..<6).map { expectation(description: "\\($0)") }
        let waits = expectations.map { expected in
          Task { await XCTWaiter.fulfillment(of: [expected], timeout: 60) == .completed }
        }
        for expected in expectations {
          Task { expected.fulfill() }
        }
        for wait in waits {
          let isCompleted = await wait.value
          XCTAssertTrue(isCompleted)
        }
      }
      func testPolls() {
        let end = Date() + 5
        let predicate = NSPredicate { _, _ in Date() > end }
        wait(for: [expectation(for: predicate, evaluatedWith: nil)], timeout: 60)
      }
      func testUsesTimers() {
        let fired = expectation(description: "fired")
        fired.expectedFulfillmentCount = 3
        let timer = Timer.scheduledTimer(withTimeInterval: 100, repeats: true) { _ in fired.fulfill() }
        wait(for: [fired], timeout: 301)
        timer.invalidate()
      }
      override func setUp() async throws {
        try await Task.sleep(for: .seconds(1))
      }
      override func tearDown() async throws {
        try await Task.sleep(for: .seconds(1))
      }
    }
    """
}
