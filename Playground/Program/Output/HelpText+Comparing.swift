extension HelpText {
  /// The help text on comparisons.
  static let comparing = """
    On the live clock a verdict is statistical: medians, the Mann-Whitney test with Holm's correction, and an \
    interval of the ratio that must lie on one side of the threshold; fewer than six runs bear none. On the \
    virtual clock it is exact: same means equal.
    Below the table: how the runs lie (whiskers, quartiles, median, outliers); what differs beside time; and where \
    two are compared, the steps that changed most, those without a partner, and on the virtual clock the first \
    difference side by side. Steps are partners by label path. “playground compare A B” does the same with the \
    runs of two saved files.
    With --json the record has “rows”, and where there is something to tell: “warnings” (another machine, build, \
    number of workers), “steps” (“path”, “name”, and “started”, “duration”, “wait” with “baseline_ns”, “median_ns”, \
    “p”, “verdict”), “unmatched” (“path”, “in”, “not_in”), “divergence” (“name”, “kind”, “step”, “at_ns”, \
    “baseline”, “other”, and “sides”: what either did there), “costs” (“work_ns”, “blocked_ns”, “main_held_ns”, \
    “findings” of the run nearest to each median). On the live clock a row has a “box” of “low_ns”, “q1_ns”, “median_ns”, \
    “q3_ns”, “high_ns”, “outliers_ns”.
    """
}
