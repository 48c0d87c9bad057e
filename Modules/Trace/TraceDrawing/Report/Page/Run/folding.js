/** How many rows the first screen has. */
const mostRows = 21;

/** Chooses the rows if there are more steps than rows. Steps whose names differ only in a number share a row that can
 * be opened, the largest families first. All steps that still do not fit share a last row, as in the terminal. */
class Folding {
  constructor(run, room = mostRows) {
    Object.assign(this, { run, room, showsRest: false });
    this.steps = run.rows.filter((row) => row.step);
    this.children = new Map();
    for (const row of this.steps) {
      if (this.children.has(row.parent)) this.children.get(row.parent).push(row); else this.children.set(row.parent, [row]);
    }
    this.families = new Map();
    if (run.rows.length > room) this.fold();
    this.rows = this.visible();
  }

  fold() {
    const all = new Map();
    for (const row of this.steps) {
      row.key = JSON.stringify([row.parent, stem(row.step.label), row.step.pattern]);
      if (all.has(row.key)) all.get(row.key).push(row); else all.set(row.key, [row]);
    }
    const sizes = this.sizes();
    const largest = [...all].filter(([, members]) => members.length > 2)
      .map(([key, members]) => ({ key, members, size: members.reduce((sum, row) => sum + sizes[row.index], 0) }))
      .sort((a, b) => b.size - a.size || a.members[0].index - b.members[0].index);
    const room = Math.max(this.room - (this.run.rows.length - this.steps.length), 1);
    let left = this.steps.length;
    for (const { key, members, size } of largest) {
      if (left <= room) break;
      this.families.set(key, familyRow(this.run, stem(members[0].step.label), members, (rows) => this.below(rows)));
      left -= size - 1;
    }
  }

  /** How many steps each step stands for, including those below it. */
  sizes() {
    const result = this.run.record.steps.map(() => 1);
    for (const row of [...this.steps].reverse()) if (row.parent != null) result[row.parent] += result[row.index];
    return result;
  }

  /** Steps and all steps below them. */
  below(rows) {
    const result = [...rows];
    for (let at = 0; at < result.length; at++) this.children.get(result[at].index)?.forEach((row) => result.push(row));
    return result;
  }

  /** The visible rows, each with its place. The place of a hidden row is that of the row that contains it. */
  visible() {
    const rows = this.run.rows.filter((row) => !row.step);
    const hide = (row, into) => this.below([row]).forEach((one) => { one.shown = into; });
    const add = (row) => {
      row.shown = row;
      rows.push(row);
      this.children.get(row.index)?.forEach(visit);
    };
    const visit = (row) => {
      const family = this.families.get(row.key);
      if (!family) return add(row);
      if (family.members[0] !== row) return;
      rows.push(family);
      family.members.forEach((member) => family.isOpen ? add(member) : hide(member, family));
    };
    this.children.get(null)?.forEach(visit);
    const seen = this.withoutRest(rows);
    seen.forEach((row, position) => { row.position = position; });
    return seen;
  }

  /** If nothing has been opened and there are too many rows, keeps those that explain why the run took so long. */
  withoutRest(rows) {
    const isTouched = this.showsRest || [...this.families.values()].some((family) => family.isOpen);
    if (isTouched || rows.length <= this.room + 1) return rows;
    const steps = rows.filter((row) => row.step || row.members);
    const kept = new Set(keptRows(steps, this.room - (rows.length - steps.length), (row) => this.below(row.members ?? [row])));
    const rest = new Set(steps.filter((row) => !kept.has(row)));
    const left = [...rest].flatMap((row) => row.members ? this.below(row.members) : [row]);
    const row = restRow(this.run, left);
    left.forEach((one) => { one.shown = row; });
    return rows.filter((row) => !rest.has(row)).concat(row);
  }

  get hasFolds() { return this.families.size > 0 || this.rows.some((row) => row.isRest) || this.showsRest; }
  get isOpened() { return this.showsRest || [...this.families.values()].some((family) => family.isOpen); }

  toggle(row) {
    if (row.isRest) this.showsRest = true; else row.isOpen = !row.isOpen;
    this.rows = this.visible();
  }

  foldAll() {
    this.showsRest = false;
    for (const family of this.families.values()) family.isOpen = false;
    this.rows = this.visible();
  }

  /** Opens all rows that hide a step. */
  reveal(row) {
    if (!row.step || row.shown === row) return;
    if (row.shown.isRest) this.showsRest = true;
    for (let one = row; one; one = one.parent == null ? null : this.run.rowOfStep.get(one.parent)) {
      const family = this.families.get(one.key);
      if (family) family.isOpen = true;
    }
    this.rows = this.visible();
  }
}

/** The rows that fit: the longest steps of the critical path, then the patterns around them, then steps that
 * failed or have findings, then the rest in order. */
function keptRows(rows, room, below) {
  const duration = ({ step }) => step.started_ns == null || step.finished_ns == null ? 0 : step.finished_ns - step.started_ns;
  const worth = (row) => {
    const own = (row.members ?? [row]).filter((one) => one.isCritical);
    if (own.length) return [0, -own.reduce((sum, one) => sum + duration(one), 0)];
    if (row.members ? row.isCritical : below(row).some((one) => one.isCritical)) return [1, 0];
    return row.findings.length || row.hasFailed || row.step?.outcome === 'failure' ? [2, 0] : [3, 0];
  };
  return rows.map((row, position) => [...worth(row), position, row])
    .sort((a, b) => a[0] - b[0] || a[1] - b[1] || a[2] - b[2]).slice(0, Math.max(room, 1)).map(([, , , row]) => row);
}
