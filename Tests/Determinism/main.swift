import Foundation
import PlainSwiftScenarios

// Runs programs of plain Swift again and again under the same seeds, and compares everything that happened; see --help.

let arguments = Arguments.parse(CommandLine.arguments.dropFirst())
let scenarios = Scenario.all.filter {
  arguments.filter.isEmpty || $0.description.contains(arguments.filter)
}
if let seed = arguments.batchSeed {
  Batch(scenarios, seed: seed, runs: arguments.runs).printFingerprints()
} else {
  let survey = Survey(of: scenarios, arguments)
  survey.run()
  print(survey.table)
  exit(survey.isDeterministic ? 0 : 1)
}
