/** The label of a step without the number at its end. */
function stem(label) { return label.replace(/(.)-[0-9]+$/s, '$1'); }

/** One row for all steps of a family: `page × 10 000`. */
function familyRow(run, name, members, below) {
  const everything = below(members);
  const durations = members.map(({ step }) => step)
    .filter((step) => step.started_ns != null && step.finished_ns != null)
    .map((step) => step.finished_ns - step.started_ns).sort((a, b) => a - b);
  const [median, longest] = [durations[Math.floor(durations.length / 2)], durations[durations.length - 1]].map((value) => time(value ?? 0));
  return {
    ...manyRow(run, `${name} × ${grouped(members.length)}`, members, everything),
    depth: members[0].depth, durations,
    note: !durations.length ? '–' : median === longest ? `each ${median}` : `p50 ${median}, max ${longest}`,
  };
}

/** One row for all steps for which there is no room. */
function restRow(run, rows) {
  const critical = rows.filter((row) => row.isCritical).length;
  return {
    ...manyRow(run, `… ${counted(rows.length, 'more step')}`, rows, rows), depth: 0, isRest: true,
    note: critical ? `${grouped(critical)} on the critical path` : '',
  };
}

/** The common part of rows of several steps. `everything` also contains the steps below the members. */
function manyRow(run, label, members, everything) {
  const critical = everything.filter((row) => row.isCritical);
  const onPath = new Set(critical.map((row) => row.index));
  const parts = run.chain.filter((part) => onPath.has(part.step));
  return {
    step: null, label: printable(label), members, everything, criticalCount: critical.length,
    isLeaf: members.every((row) => row.isLeaf), isCritical: critical.length > 0, isOpen: false,
    hasFailed: everything.some((row) => row.step.outcome === 'failure'), ink: 'run',
    timeouts: members.flatMap((row) => row.timeouts), marks: firstOfEach(everything.flatMap((row) => row.marks)),
    from: members.reduce((least, row) => Math.min(least, row.from), Infinity),
    to: members.reduce((most, row) => Math.max(most, row.to), 0),
    findings: [...new Set(everything.flatMap((row) => row.findings))].sort((a, b) => a - b),
    stretches: mergedStretches(members.concat(critical)),
    share: parts.length ? share(parts.reduce((sum, part) => sum + part.duration_ns, 0), run.record.makespan_ns) : null,
  };
}

/** Each finding at the first of its places. */
function firstOfEach(marks) {
  const first = new Map();
  for (const [number, at] of marks) if (!first.has(number)) first.set(number, at);
  return [...first];
}
