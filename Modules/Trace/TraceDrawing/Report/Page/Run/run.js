/** As many counters as fit. */
const mostCounters = 8;

/** A run of the report with everything that its drawing needs: the rows that the other pictures draw, one for each
 * step, and rows for what the run's own step did. Numbers are those of its record. */
class Run {
  constructor(data) {
    Object.assign(this, data);
    const { record } = data;
    this.length = Math.max(record.makespan_ns, 1);
    this.rows = data.rows.map((row) => this.row(row));
    this.rowOfStep = new Map(this.rows.filter((row) => row.step).map((row) => [row.index, row]));
    this.byPath = new Map();
    for (const row of this.rows) {
      const path = row.step?.path ?? row.label;
      const same = this.byPath.get(path);
      if (same) same.push(row); else this.byPath.set(path, [row]);
    }
    this.shareOfStep = new Map(this.chain.filter((part) => part.step != null).map((part) => [part.step, part.duration_ns]));
    for (const row of this.rows) {
      const own = this.shareOfStep.get(row.index);
      if (own > 0 && row.stretches.every(({ kind }) => kind === 'run' || kind === 'wait')) row.share = share(own, record.makespan_ns);
    }
    this.handOvers = data.arrows.map((arrow) => (
      { from: this.rows[arrow.from_row], to: this.rows[arrow.to_row], reason: arrow.reason, end: arrow.end_ns, start: arrow.start_ns }));
    for (const handOver of this.handOvers) handOver.from.next = handOver;
    this.strips = [this.concurrency(), ...this.counters()].filter((strip) => strip.points.length);
    this.countersLeftOut = Math.max(data.counter_lines.length - mostCounters, 0);
  }

  row(data) {
    const step = this.record.steps[data.step] ?? null;
    const stretches = data.stretches.map(([kind, from, to, caption]) => stretch(kind, from, to, caption && worded(caption)));
    const started = step?.started_ns ?? step?.submitted_ns;
    return {
      step, index: step ? data.step : null, label: printable(data.label), depth: data.depth, note: worded(data.note), ink: data.ink, stretches,
      // Parts follow their pattern.
      parent: step?.parent != null && step.parent < data.step ? step.parent : null,
      isLeaf: step?.leaf ?? false, isCritical: data.critical ?? false,
      from: started ?? stretches.reduce((least, { from }) => Math.min(least, from), Infinity),
      to: stretches.reduce((most, { to }) => Math.max(most, to), started ?? 0),
      timeouts: data.timeouts ?? [], marks: data.findings ?? [], findings: (data.findings ?? []).map(([number]) => number),
    };
  }

  /** How many leaves were in flight at each time. */
  concurrency() {
    const changes = new Map();
    const add = (at, amount) => changes.set(at, (changes.get(at) ?? 0) + amount);
    for (const { step } of this.rows) {
      if (!step?.leaf || step.started_ns == null) continue;
      add(step.started_ns, 1);
      if (step.finished_ns != null) add(step.finished_ns, -1);
    }
    let count = 0;
    const points = [...changes].sort((a, b) => a[0] - b[0]).map(([at, amount]) => [at, count += amount]);
    const highest = Math.max(1, points.reduce((most, point) => Math.max(most, point[1]), 0));
    return { label: 'in flight', points, lowest: 0, highest, isFilled: true, note: `up to ${this.record.max_concurrency}` };
  }

  /** One strip for counters that the terminal draws as one line. */
  counters() {
    return this.counter_lines.slice(0, mostCounters).map((line) => {
      const points = line.counters.flatMap((position) => this.record.counters[position].points)
        .filter((point) => point.value != null).map((point) => [point.at_ns, point.value]);
      const values = points.map((point) => point[1]);
      const lowest = values.reduce((a, b) => Math.min(a, b), Infinity);
      const highest = values.reduce((a, b) => Math.max(a, b), -Infinity);
      return {
        label: printable(line.title), points, lowest, highest, isFilled: false,
        note: `${+lowest.toPrecision(4)} … ${+highest.toPrecision(4)}`,
      };
    });
  }
}

/** How long a thread was blocked for a row, or how long a row of the run's own step was delayed. */
function timeOf(row, kind) { return row.stretches.reduce((sum, piece) => sum + (piece.kind === kind ? piece.to - piece.from : 0), 0); }
