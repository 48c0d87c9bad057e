/** The label of a step without the number at its end. */
function stem(label) { return label.replace(/(.)-[0-9]+$/s, '$1'); }

/** One row for all steps of a family: `page × 10 000`. */
function familyRow(run, name, members, below) {
  const everything = below(members);
  const durations = members.map(({ step }) => step)
    .filter((step) => step.started_ns != null && step.finished_ns != null)
    .map((step) => step.finished_ns - step.started_ns).sort((a, b) => a - b);
  const [median, longest] = [durations[Math.floor(durations.length / 2)], durations[durations.length - 1]].map((value) => time(value ?? 0));
  const fates = countedFates(members.map(({ step }) => step));
  const took = durations.length && (median === longest ? `each ${median}` : fates.length ? `p50 ${median}` : `p50 ${median}, max ${longest}`);
  return {
    ...manyRow(run, `${name} × ${grouped(members.length)}`, members, everything),
    depth: members[0].depth, durations, fates,
    note: [took, ...fates].filter(Boolean).join(', ') || '–',
  };
}

/** How many of the steps did not succeed, as the terminal counts them. */
function countedFates(steps) {
  const fates = steps.map(({ outcome, started_ns, timed_out_ns }) => {
    if (timed_out_ns != null && (outcome === 'failure' || outcome === 'cancelled' && started_ns != null)) return 'timed out';
    return outcome === 'failure' ? 'failed' : outcome;
  });
  return ['failed', 'timed out', 'cancelled', 'unfinished', 'skipped', 'waiting']
    .map((fate) => [fates.filter((other) => other === fate).length, fate])
    .filter(([count]) => count > 0).map(([count, fate]) => `${grouped(count)} ${fate}`);
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
