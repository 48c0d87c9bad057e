import Foundation
import Measuring

/// The time that the built program needs to start, and to load a plugin from source.
struct Program {
  let path: String
  /// The folder for the program's caches and the user's files during the measurement.
  private let folder: URL

  init(path: String) throws {
    self.path = path
    folder = FileManager.default.temporaryDirectory.appending(path: "bench-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  func remove() { try? FileManager.default.removeItem(at: folder) }

  /// The program's start, with and without plugins. The peers let the system's loader open the same files, and do
  /// nothing else with them.
  func measureStart() throws -> [Figure] {
    let objects = try plugins()
    let libraries = try libraries()
    let medians = try Contestant.medians(
      of: [
        Contestant("with all plugins") { try eval("load").run() },
        Contestant("with their objects") { try eval("", preloading: objects).run() },
        Contestant("with none") { try eval("").run() },
        Contestant("true") { try Child("/bin/true", environment: preloading(libraries)).run() },
      ], rounds: 20)
    return [
      Figure(
        "starting with all plugins loaded, and exiting", medians[0],
        peer: ("with none", medians[2]), target: .milliseconds(45)),
      Figure(
        "the same, compared with the system's loader", medians[0],
        peer: ("starting with their objects, which that loader opens", medians[1]), ratio: 1.5),
      Figure("starting with none, and exiting", medians[2], target: .milliseconds(20)),
      Figure(
        "the same, compared with the program's libraries", medians[2],
        peer: ("/bin/true with these libraries", medians[3]), ratio: 2),
    ]
  }

  /// The objects of all plugins that came with the program.
  private func plugins() throws -> [String] {
    let made = try child(["plugin", "build"]).output()
    return made.split(separator: "\n").compactMap { line in
      line.firstIndex(of: "/").map { String(line[$0...]) }
    }
  }

  /// The libraries that the system loads with the program.
  private func libraries() throws -> [String] {
    let listed = try Child("/usr/bin/ldd", [path]).output()
    return listed.split(separator: "\n").compactMap { line in
      line.split(separator: " ").first { $0.hasPrefix("/") }.map(String.init)
    }
  }

  private func preloading(_ files: [String]) -> [String: String] {
    files.isEmpty ? [:] : ["LD_PRELOAD": files.joined(separator: ":")]
  }

  /// The first start of a new user, whose cache is empty.
  func measureFirstStart() throws -> [Figure] {
    let cache = folder.appending(path: "XDG_CACHE_HOME")
    let script = "load SerialQueue; serial { a: value 1 }"
    let medians = try Contestant.medians(
      of: [
        Contestant("with an empty cache") {
          try? FileManager.default.removeItem(at: cache)
          return try eval(script).run()
        },
        Contestant("again") { try eval(script).run() },
      ], rounds: 5)
    return [
      Figure(
        "the first start, with an empty cache", medians[0], peer: ("the next start", medians[1]),
        target: .milliseconds(1_500))
    ]
  }

  /// The work of the program in addition to a long run: it makes the steps, analyses the run, and draws its timeline.
  func measureLongRun() throws -> [Figure] {
    let count = 1_000_000
    let run = try Sequences.serial(count)
    var memory: [Double] = []
    let times = try Contestant.times(
      of: [
        Contestant("at the prompt") {
          let script = "load SerialQueue; serial { v: \(count) * value 1 }"
          let child = try eval(script).measured()
          memory.append(Double(child.memory))
          return child.time
        },
        Contestant("one step") { try eval("load SerialQueue; serial { v: value 1 }").run() },
        Contestant("the run itself") { try run() },
      ], rounds: 3)
    let beside = times[0].indices.map { times[0][$0] - times[1][$0] - times[2][$0] }
    return [
      Figure(
        "what the prompt does beside a run of \(count) steps", beside.median,
        peer: ("the run itself", times[2].median), ratio: 1),
      Figure(
        "the memory of a step at the prompt",
        .number(memory.median / Double(count), of: "bytes"),
        target: .amount(.number(500, of: "bytes"))),
    ]
  }

  func measureSourcePlugins() throws -> [Figure] {
    var number = 0
    var latest = try writePlugin(number: 0)
    let medians = try Contestant.medians(
      of: [
        Contestant("for the first time") {
          number += 1
          latest = try writePlugin(number: number)
          return try eval("load \"\(latest)\"").run()
        },
        Contestant("again") { try eval("load \"\(latest)\"").run() },
      ], rounds: 7)
    return [
      Figure(
        "starting, and loading a source plugin for the first time", medians[0],
        peer: ("for the second time", medians[1]), target: .seconds(1))
    ]
  }

  private func eval(_ script: String, preloading objects: [String] = []) -> Child {
    child(["eval", script], environment: preloading(objects))
  }

  private func child(_ arguments: [String], environment: [String: String] = [:]) -> Child {
    let folders = ["XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME"]
    let own = folders.map { ($0, folder.appending(path: $0).path) }
    return Child(path, arguments, environment: environment.merging(own) { $1 })
  }

  /// Writes a plugin that the program has not seen before.
  private func writePlugin(number: Int) throws -> String {
    let file = folder.appending(path: "Bench\(number).swift")
    let source = """
      import AsyncPatterns

      struct Bench\(number): Plugin {
        static let name = "Bench\(number)"
        static let summary = "Something to load."
        static let patterns: [any AsyncPattern.Type] = [Backwards.self]
      }

      struct Backwards: AsyncPattern {
        static let manual = Manual(
          name: "backwards-\(number)", summary: "Runs its steps from last to first.")
        init(_ arguments: Arguments) {}

        func start(
          _ steps: [Step], input: Value, in scope: Scope, completion: @escaping Completion
        ) {
          guard let last = steps.last else { return completion(.success(input)) }
          scope.start(last, input: input) { result in
            guard case .success(let value) = result else { return completion(result) }
            start(steps.dropLast(), input: value, in: scope, completion: completion)
          }
        }
      }

      """
    try source.write(to: file, atomically: true, encoding: .utf8)
    return file.path
  }
}
