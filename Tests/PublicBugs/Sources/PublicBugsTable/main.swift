import PublicBugs

// Prints a Markdown table of all bugs. The argument is the number of runs without a simulation; 1000 unless given.

let liveRuns = CommandLine.arguments.dropFirst().first.flatMap { Int($0) } ?? 1_000

print("| bug | source | schedules | time | deviations | share | live |")
print("| --- | --- | ---: | ---: | ---: | ---: | ---: |")
for bug in PublicBug.all {
  print(await Row(measuring: bug, liveRuns: liveRuns))
}
