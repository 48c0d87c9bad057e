/** A stretch of a row: what happened from one time to another. */
function stretch(kind, from, to, caption) { return { kind, from, to, caption }; }

/** Kinds that cover others come last. */
const kindOrder = ['flight', 'wait', 'delay', 'run', 'unfinished', 'cancelled', 'kept-running', 'failure', 'critical', 'blocked'];

/** The kind of a stretch as it is drawn: a run on the critical path, or one that failed, is a kind of its own. */
function shownKind(row, { kind }) { return kind !== 'run' ? kind : row.ink === 'wait' ? 'unfinished' : row.ink; }

/** What a kind is called. */
const kindNames = {
  critical: 'on the critical path', run: 'runs', failure: 'failed', unfinished: 'unfinished', cancelled: 'cancelled',
  'kept-running': 'keeps running after it was cancelled', flight: 'a step in flight that started here', wait: 'waits',
  delay: 'delayed by a timer', blocked: 'a thread is blocked',
};

/** The stretches of several steps as those of one row. Overlapping and adjacent ones are merged. */
function mergedStretches(rows) {
  const byKind = new Map(kindOrder.map((kind) => [kind, []]));
  for (const row of rows) {
    for (const piece of row.stretches) byKind.get(shownKind(row, piece)).push(piece);
  }
  return [...byKind].flatMap(([kind, pieces]) => {
    const result = [];
    for (const piece of pieces.sort((a, b) => a.from - b.from)) {
      const last = result[result.length - 1];
      if (last && piece.from <= last.to) last.to = Math.max(last.to, piece.to);
      else result.push({ ...piece, kind });
    }
    return result;
  });
}
