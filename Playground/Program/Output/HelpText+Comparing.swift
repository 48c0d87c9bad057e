extension HelpText {
  /// The help text on comparisons.
  static let comparing = """
    On the live clock a verdict is statistical: it uses medians, the Mann-Whitney test with Holm's correction, and \
    an interval of the ratio that must lie on one side of the threshold. It needs at least six runs. On the virtual \
    clock a verdict is exact: “same” means equal.
    Below the table is the distribution of the runs (whiskers, quartiles, median, outliers), and what differs \
    besides time. Runs that fail are compared too: a column counts them, and a warning names their errors. If only two \
    patterns or runs are compared, the steps that changed most and the steps without a partner follow. On the virtual \
    clock the first difference is shown side by side. The runs have no numbers, and “runs” does not list them, unless \
    you “set list-compared on”; “trace save” saves them too. Steps with the same label path are partners. \
    “playground compare A B” does the same with the runs of two saved files.
    With --json the record has “rows” and, where they apply: “warnings” (another machine, build, \
    number of workers), “steps” (“path”, “name”, and “started”, “duration”, “wait” with “baseline_ns”, “median_ns”, \
    “p”, “verdict”), “unmatched” (“path”, “in”, “not_in”), “divergence” (“name”, “kind”, “step”, “at_ns”, \
    “baseline”, “other”, and “sides”: what each did there), “costs” (“work_ns”, “blocked_ns”, “main_held_ns”, \
    “findings” of the run nearest to each median). On the live clock a row has a “box” of “low_ns”, “q1_ns”, “median_ns”, \
    “q3_ns”, “high_ns”, “outliers_ns”.
    """
}
