/** What ran on each lane of a run, and when a thread was blocked there: one row for each lane. */
function laneRows(run) {
  return run.lanes.map((lane, position) => ({
    lane, position, step: null, label: printable(lane.label), depth: 0, isLeaf: true, isCritical: false, ink: 'run', findings: [], marks: [], timeouts: [],
    from: 0, to: run.length, note: worded(lane.note),
    stretches: lane.stretches.map(([kind, from, to, caption]) => stretch(kind === 'wait' ? 'flight' : kind, from, to, printable(caption))),
  }));
}

function factsOfLane(run, row, at) {
  const { lane } = row;
  const part = (used) => `${time(used)}, ${share(used, run.record.makespan_ns)}`;
  const names = { flight: 'in flight', run: 'work', blocked: 'thread blocked' };
  const here = at == null ? [] : row.stretches.filter(({ from, to }) => from <= at && at <= to).slice(-4);
  return [
    ['work', part(lane.work_ns)], ['blocked', part(lane.blocked_ns)], ['idle', part(lane.idle_ns)],
    ...here.map(({ kind, from, to, caption }) => [names[kind], `${caption}, ${time(from)} … ${time(to)}`]),
  ];
}
