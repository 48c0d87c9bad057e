import AsyncPatterns
import AsyncSimulation

/// A pattern with its arguments and a workload, which a search runs.
struct Candidate: Sendable {
  let step: Step
  let workload: Workload
  /// The pattern with its arguments and steps, as text for people.
  let text: String
}

/// Why there is nothing to search.
struct NothingToSearch: Error {
  var reason: String
}

extension PatternLaws {
  /// The pattern with each set of arguments and each workload that it accepts.
  func candidates(_ workloads: Workloads) throws(NothingToSearch) -> [Candidate] {
    guard manual.clocks.contains(.virtual) else {
      throw NothingToSearch(reason: "it does not run on the virtual clock")
    }
    let made = try madePatterns()
    var candidates: [Candidate] = []
    var refusal: any Error = NothingToSearch(reason: "")
    for workload in workloads.all {
      for (pattern, call) in made {
        do {
          try pattern.validate(workload.steps)
          candidates.append(
            Candidate(
              step: Step(manual.name, pattern: pattern, steps: workload.steps),
              workload: workload, text: "\(call) { \(workload.text) }"))
        } catch {
          refusal = error
        }
      }
    }
    guard !candidates.isEmpty else {
      throw NothingToSearch(reason: "it rejects the generated steps: \(refusal)")
    }
    return candidates
  }

  /// The pattern with its required arguments. If optional arguments make a difference, also the pattern with those.
  private func madePatterns() throws(NothingToSearch) -> [(any AsyncPattern, call: String)] {
    do {
      let needed = try manual.madeUpArguments(arguments, fillsOptional: false)
      var made = [(try pattern.init(needed), call: call(needed))]
      if let all = try? manual.madeUpArguments(arguments, fillsOptional: true), all != needed,
        let other = try? pattern.init(all)
      {
        made.append((other, call: call(all)))
      }
      return made
    } catch {
      throw NothingToSearch(
        reason: "it rejects the generated arguments: \(error); pass other arguments")
    }
  }

  private func call(_ arguments: Arguments) -> String {
    let written = arguments.names.map { "\($0): \(arguments[$0] ?? .none)" }
    return written.isEmpty ? manual.name : "\(manual.name)(\(written.joined(separator: ", ")))"
  }
}
