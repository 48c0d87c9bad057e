import Promises

/// The 872 cases, and the facts about them that are known before they run.
enum APlus {
  static let cases =
    StateCases.all + HandlerCases.all + CleanStackCases.all + SharingCases.all
    + ChainingCases.all + AdoptionCases.all + ThenableCases.all + FirstCallCases.all
    + ValueCases.all

  /// The number of cases that each section of the original suite has.
  static let counts: [(section: String, count: Int)] = [
    ("2.1.2.1", 6), ("2.1.3.1", 6), ("2.2.1.1", 10), ("2.2.1.2", 10), ("2.2.2.1", 3),
    ("2.2.2.2", 2), ("2.2.2.3", 6), ("2.2.3.1", 3), ("2.2.3.2", 2), ("2.2.3.3", 6), ("2.2.4", 16),
    ("2.2.5", 4), ("2.2.6.1", 15), ("2.2.6.2", 15), ("2.2.7", 1), ("2.2.7.1", 1), ("2.2.7.2", 66),
    ("2.2.7.3", 18), ("2.2.7.4", 18), ("2.3.1", 2), ("2.3.2.1", 2), ("2.3.2.2", 4), ("2.3.2.3", 4),
    ("2.3.3.1", 6), ("2.3.3.2", 22), ("2.3.3.3", 4), ("2.3.3.3.1", 472), ("2.3.3.3.2", 44),
    ("2.3.3.3.3", 34), ("2.3.3.3.4.1", 12), ("2.3.3.3.4.2", 6), ("2.3.3.4", 10), ("2.3.4", 42),
  ]
}

/// The results of all cases, by section, as the documentation shows them.
struct APlusTable {
  private(set) var lines = [
    "| Section | Cases | Pass | Without meaning | Why |", "| --- | ---: | ---: | ---: | --- |",
  ]

  init(_ results: [(tested: APlusCase, failures: [String]?)]) {
    for (section, _) in APlus.counts {
      add(section, results.filter { $0.tested.section == section })
    }
    add("all", results, isSum: true)
  }

  private mutating func add(
    _ name: String, _ results: [(tested: APlusCase, failures: [String]?)], isSum: Bool = false
  ) {
    let passed = results.count { $0.failures == [] }
    let reasons = results.compactMap { result -> NoMeaning? in
      if case .hasNoMeaning(let reason) = result.tested.kind { reason } else { nil }
    }
    let why = isSum ? [] : NoMeaning.allCases.filter(reasons.contains).map(\.rawValue)
    lines.append(
      "| \(name) | \(results.count) | \(passed) | \(reasons.count) | "
        + "\(why.joined(separator: "; ")) |")
  }
}
