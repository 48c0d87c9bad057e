/** A stretch of a row: what it did from when to when. */
function stretch(kind, from, to, caption) { return { kind, from, to, caption }; }

/** What a step did: it waited for its turn, ran, and let a thread stand blocked. */
function stepStretches(row, parts) {
  const { step } = row;
  if (step.started_ns == null) return [stretch('wait', step.submitted_ns, row.to)];
  const result = [];
  if (step.started_ns > step.submitted_ns) result.push(stretch('wait', step.submitted_ns, step.started_ns));
  // A pattern that found no worker runs while a part of it does; in between it waits, if only for a worker.
  if (parts) result.push(stretch('wait', row.from, row.to));
  for (const piece of parts ?? [row]) {
    if (piece.step.started_ns != null) result.push(stretch(runKind(row), piece.from, piece.to));
  }
  return result.concat(row.blocked.map(([from, to]) => stretch('blocked', from, to)));
}

/** How a step's own time is told apart from that of others. */
function runKind({ step, isCritical }) {
  if (step.outcome === 'failure') return 'failure';
  return isCritical ? 'critical' : step.outcome === 'success' ? 'run' : 'ended';
}

/** What lies over the rest comes last. */
const kindOrder = ['flight', 'wait', 'run', 'ended', 'failure', 'critical', 'blocked'];

/** The stretches of many steps as those of one row, what overlaps or follows on itself taken together. */
function mergedStretches(all) {
  const byKind = new Map(kindOrder.map((kind) => [kind, []]));
  for (const piece of all) byKind.get(piece.kind).push(piece);
  return [...byKind.values()].flatMap((pieces) => {
    const result = [];
    for (const piece of pieces.sort((a, b) => a.from - b.from)) {
      const last = result[result.length - 1];
      if (last && piece.from <= last.to) last.to = Math.max(last.to, piece.to);
      else result.push({ ...piece });
    }
    return result;
  });
}
