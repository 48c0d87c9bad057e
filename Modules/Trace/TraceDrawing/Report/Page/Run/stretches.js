/** A stretch of a row: what it did from one time to another. */
function stretch(kind, from, to, caption) { return { kind, from, to, caption }; }

/** What a step did: it was queued, ran, and blocked a thread. */
function stepStretches(row, parts) {
  const { step } = row;
  if (step.started_ns == null) return [stretch('wait', step.submitted_ns, row.to)];
  const result = [];
  if (step.started_ns > step.submitted_ns) result.push(stretch('wait', step.submitted_ns, step.started_ns));
  // A pattern that found no worker runs while a part of it runs. In between it waits, at least for a worker.
  if (parts) result.push(stretch('wait', row.from, row.to));
  for (const piece of parts ?? [row]) {
    if (piece.step.started_ns == null) continue;
    for (const [from, to] of without(row.queued, piece)) result.push(stretch(runKind(row), from, to));
  }
  return result.concat(row.queued.map(([from, to]) => stretch('wait', from, to)), row.blocked.map(([from, to]) => stretch('blocked', from, to)));
}

/** A time without other times, which are ordered by their start. An empty time stays an empty time. */
function without(others, { from, to }) {
  const left = [];
  let at = from;
  for (const [begin, end] of others) {
    if (begin >= to) break;
    if (at < begin) left.push([at, begin]);
    at = Math.max(at, end);
  }
  if (at < to || from === to) left.push([at, Math.max(to, at)]);
  return left;
}

/** The kind of a step's own time, which distinguishes it from others. */
function runKind({ step, isCritical }) {
  if (step.outcome === 'failure') return 'failure';
  return isCritical ? 'critical' : step.outcome === 'success' ? 'run' : 'ended';
}

/** Kinds that cover others come last. */
const kindOrder = ['flight', 'wait', 'run', 'ended', 'failure', 'critical', 'blocked'];

/** The stretches of several steps as those of one row. Overlapping and adjacent ones are merged. */
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
