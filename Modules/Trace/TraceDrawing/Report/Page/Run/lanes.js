/** What ran on each lane of a run, and when a thread was blocked there: one row for each lane. */
function laneRows(run) {
  return (run.lanes ?? []).map((lane, position) => {
    const { record } = run;
    const flights = run.rows.filter(({ step }) => step?.leaf && step.lane === lane.lane && step.started_ns != null)
      .map((row) => stretch(row.to > row.from ? 'flight' : 'run', row.from, row.to, printable(row.step.path)));
    const work = lane.work.map(([step, from, to]) => stretch('run', from, to, printable(step)));
    const blocked = record.intervals.filter((interval) => interval.kind === 'blocked' && interval.lane === lane.lane)
      .map((interval) => stretch('blocked', interval.from_ns, interval.to_ns, printable(interval.step)));
    return {
      lane, position, step: null, label: printable(lane.lane), depth: 0, isLeaf: true, isCritical: false, findings: [], blocked: [], queued: [],
      from: 0, to: run.length, stretches: joined([...flights, ...work, ...blocked]), note: laneNote(lane, record.makespan_ns),
    };
  });
}

/** Ordered by kind and time. Adjacent stretches of one step are joined. */
function joined(stretches) {
  const sorted = stretches.sort((a, b) => kindOrder.indexOf(a.kind) - kindOrder.indexOf(b.kind) || a.from - b.from || a.to - b.to);
  const result = [];
  for (const piece of sorted) {
    const last = result[result.length - 1];
    if (last?.kind === piece.kind && last.caption === piece.caption && last.to === piece.from) last.to = piece.to;
    else result.push(piece);
  }
  return result;
}

/** How a lane was used. */
function laneNote(lane, makespan) {
  const parts = [['work', lane.work_ns], ['blocked', lane.blocked_ns]].filter(([, used]) => used > 0);
  return parts.map(([what, used]) => `${what} ${share(used, makespan)}`).join(', ') || 'idle';
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
