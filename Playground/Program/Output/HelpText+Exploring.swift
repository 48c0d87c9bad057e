extension HelpText {
  static let explore = Command(
    name: "explore",
    usage: "explore EXPRESSION [runs [exactly] N] [strategy random|pct|dfs] [depth N] "
      + "[inject cancel|failure|lateness] [checking { expect …; expect … }]",
    summary:
      "Runs an expression under many schedules, and shows the simplest schedule with a violation.",
    discussion: """
      On the virtual clock, there is a choice wherever events can happen in any order; each schedule makes \
      different choices. Without “checking”, a run must finish and must not misuse anything. With it, each \
      expectation must hold, and the run must finish unless one of them expects another “outcome”.
      runs: how many schedules, by default 1000. The exploration ends earlier when it has tried all of them, \
      unless you write “runs exactly N”.
      “set cores 2” tries two schedules at a time, with the same result. Functions that share global \
      variables must then be safe to run in parallel.
      strategy: random makes every choice by chance; pct finds bugs that need a few orderings, “depth” of \
      them, by default 3; dfs tries all schedules, or those with at most “depth” choices that are not \
      first in, first out.
      inject: at a different place in each schedule, the run is cancelled, a step fails as it starts, or a \
      step’s completion comes last of all.
      The first violation is simplified and shown one event a line: * marks an event that was not the \
      first in line, and “or” lists what else could have been next. The line “replay …” can be pasted.
      A function of plain Swift is a step if the line above it is “// step” in a loaded file. Its tasks, \
      actors and sleeps are simulated; each hop to an actor is a choice. To explore a whole program, leave \
      the prompt: playground explore -- ./program
      """,
    examples: [
      "explore serial { a: twice 1ms; b: sleep 5ms; c: sleep 5ms } checking { expect order a, b, c }",
      "explore swift.taskgroup { a: sleep 1ms; b: sleep 1ms } checking { expect order a, b }\n"
        + "expect violations > 0",
      "explore promise { a: sleep 1ms; b: work 1ms } inject cancel checking { expect outcome != failure }",
    ])
}
