/** As many counters as fit. */
const mostCounters = 8;

/** A run of the report with everything that its drawing needs. Numbers are those of its record. */
class Run {
  constructor(data) {
    Object.assign(this, data);
    const { record } = data;
    this.length = Math.max(record.makespan_ns, 1);
    this.rows = record.steps.map((step, index) => ({
      index, step,
      label: printable(step.label),
      // Parts follow their pattern.
      parent: step.parent != null && step.parent < index ? step.parent : null,
      depth: 0,
      isLeaf: step.leaf,
      isCritical: step.critical,
      from: step.started_ns ?? step.submitted_ns,
      to: step.started_ns == null ? record.makespan_ns
        : step.finished_ns ?? Math.max(record.makespan_ns, step.started_ns),
      blocked: [],
      queued: [],
      findings: [],
    }));
    for (const row of this.rows) if (row.parent != null) row.depth = this.rows[row.parent].depth + 1;
    this.byPath = new Map();
    for (const row of this.rows) {
      const same = this.byPath.get(row.step.path);
      if (same) same.push(row); else this.byPath.set(row.step.path, [row]);
    }
    this.addIntervals();
    record.lints.forEach((lint, number) => {
      for (const path of lint.steps ?? [lint.step]) this.byPath.get(path)?.[0].findings.push(number + 1);
    });
    this.shareOfStep = new Map(this.path.map((part) => [part.step, part.duration_ns]));
    this.addStretches();
    this.rowOfStep = new Map(this.rows.filter((row) => row.index != null).map((row) => [row.index, row]));
    this.handOvers = this.path.slice(1).map((part, position) => ({
      from: this.rowOfStep.get(this.path[position].step), to: this.rowOfStep.get(part.step), reason: part.reason,
    })).filter(({ from, to, reason }) => from && to && reason && from !== to);
    for (const { from, to } of this.handOvers) from.next = to;
    this.strips = [this.concurrency(), ...this.counters()].filter((strip) => strip.points.length);
    this.countersLeftOut = Math.max(data.counter_lines.length - mostCounters, 0);
  }

  /** When threads were blocked, for which the run's own step has its own row; and when steps waited for lanes. */
  addIntervals() {
    for (const interval of this.record.intervals) {
      let rows = this.byPath.get(interval.step);
      if (!rows && interval.kind === 'queued') continue;
      if (!rows) {
        rows = [{
          step: null, label: printable(interval.step), depth: 0, isLeaf: false, isCritical: false, findings: [],
          from: interval.from_ns, to: interval.to_ns, blocked: [], queued: [],
        }];
        this.byPath.set(interval.step, rows);
        this.rows.unshift(rows[0]);
      }
      for (const row of rows) {
        if (!row.step) {
          row.from = Math.min(row.from, interval.from_ns);
          row.to = Math.max(row.to, interval.to_ns);
        } else if (interval.to_ns <= row.from || interval.from_ns >= row.to) continue;
        row[interval.kind].push([Math.max(interval.from_ns, row.from), Math.min(interval.to_ns, row.to)]);
      }
    }
  }

  addStretches() {
    const starved = new Set(this.record.lints.filter((lint) => lint.rule === 'starvation').flatMap((lint) => lint.steps ?? [lint.step]));
    const parts = new Map();
    for (const row of this.rows) {
      const pattern = row.parent == null ? null : this.record.steps[row.parent];
      if (!pattern || !starved.has(pattern.path)) continue;
      if (parts.has(row.parent)) parts.get(row.parent).push(row); else parts.set(row.parent, [row]);
    }
    for (const row of this.rows) {
      const { step } = row;
      if (step) {
        row.stretches = stepStretches(row, parts.get(row.index));
        const took = time(row.to - row.from);
        row.note = step.started_ns == null ? step.outcome
          : { success: took, failure: `${took} failed` }[step.outcome] ?? `${took} ${step.outcome}`;
        const own = this.shareOfStep.get(row.index);
        if (own > 0 && !row.blocked.length) row.share = share(own, this.record.makespan_ns);
      } else {
        row.stretches = row.blocked.map(([from, to]) => stretch('blocked', from, to));
        row.note = time(blockedTime(row));
      }
    }
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

/** How long a thread was blocked for a row. */
function blockedTime(row) { return total(row.blocked); }

/** How long a row waited for its lane after it had started. */
function queued(row) { return total(row.queued); }

function total(times) { return times.reduce((sum, [from, to]) => sum + to - from, 0); }
