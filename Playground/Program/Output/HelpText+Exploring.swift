extension HelpText {
  static let explore = Command(
    name: "explore",
    usage: "explore EXPRESSION [runs N] [strategy random|pct|dfs] [depth N] "
      + "[inject cancel|failure|lateness] [checking { expect …; expect … }]",
    summary:
      "Runs it under many schedules, and shows the simplest under which something does not hold.",
    discussion: """
      On the virtual clock, whatever can happen in any order is a choice; each schedule makes other \
      choices. Without “checking”, a run is to finish and to use nothing wrongly; with it, each \
      expectation is to hold, and the run to finish unless one says what “outcome” there is to be.
      runs: how many schedules, by default 1000; fewer where nothing can happen in another order.
      strategy: random makes every choice by chance; pct finds bugs that take a few orderings, “depth” of \
      them, by default 3; dfs tries all there are, or those with at most “depth” choices that are not \
      first in, first out.
      inject: at another place in each schedule, the run is cancelled, a step fails as it starts, or a \
      step’s completion comes last of all.
      The first violation is made simple and told one event a line: * marks what was not the first in \
      line, “or” tells who else could have been next. The line “replay …” can be pasted.
      A function of plain Swift is a step if “// step” stands above it in a loaded file. Its tasks, actors and       sleeps are simulated; each hop to an actor is a choice. For a whole program, leave the prompt:       playground explore -- ./program
      """,
    examples: [
      "explore serial { a: twice 1ms; b: sleep 5ms; c: sleep 5ms } checking { expect order a, b, c }",
      "explore swift.taskgroup { a: sleep 1ms; b: sleep 1ms } checking { expect order a, b }\n"
        + "expect violations > 0",
      "explore promise { a: sleep 1ms; b: work 1ms } inject cancel checking { expect outcome != failure }",
    ])
}
