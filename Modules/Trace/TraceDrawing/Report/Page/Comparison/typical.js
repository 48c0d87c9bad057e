/** How many rows a run has in a comparison, and how many runs are shown below each other. */
const mostTypicalRows = 8;
const mostTypicalRuns = 6;

/** The timelines of the typical runs of a comparison, below each other with the same time axis. */
function typicalRuns(record, typical, showRun) {
  const chosen = record.rows.map((row, index) => ({ row, index: typical[index] }))
    .filter(({ index }) => index != null).slice(0, mostTypicalRuns)
    .map(({ row, index }) => ({ row, index, run: new Run(data.runs[index]) }));
  if (chosen.length < 2) return null;
  const view = new View(Math.max(...chosen.map(({ run }) => run.length)));
  const pictures = chosen.map(({ run }) => new TypicalPicture(run, view));
  // A run's findings are shown where it is shown alone.
  const named = chosen.filter((_, position) => pictures[position].drawing.rows.some((row) => row.findings.length)).map(({ row }) => printable(row.name));
  const found = `a finding, shown below when ${named.join(' or ')} is chosen`;
  const show = () => {
    // The same moment has the same place in all of them.
    for (const picture of pictures) picture.measure();
    const left = Math.max(...pictures.map(({ drawing }) => drawing.left)), right = Math.min(...pictures.map(({ drawing }) => drawing.right));
    pictures.forEach((picture) => picture.draw(left, right));
  };
  const place = element('div', { class: 'typical' }, chosen.map(({ row, index, run }, position) => [
    element('h4', {}, element('button', { class: 'plain', onclick: () => showRun(index) }, printable(row.name)),
      element('span', { class: 'note' }, ` ${time(run.record.makespan_ns)}`
        + (run.record.blocked_ns > 0 ? `, thread blocked ${time(run.record.blocked_ns)}` : '')
        + (row.runs > 1 ? `, nearest to the median of ${counted(row.runs, 'run')}` : ''))),
    pictures[position].canvas,
  ]), legend(pictures.flatMap(({ drawing }) => drawing.rows), pictures.some(({ drawing }) => drawing.handOvers.some(({ from, to }) => from.shown !== to.shown)), false, found));
  new ResizeObserver(show).observe(place);
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => {
    for (const { drawing } of pictures) drawing.readColors();
    show();
  });
  return place;
}

/** A timeline that cannot be scrolled or zoomed. */
class TypicalPicture {
  constructor(run, view) {
    const folding = new Folding(run, mostTypicalRows);
    this.drawing = Object.assign(new Drawing(run, view), { rows: folding.rows, handOvers: run.handOvers });
    this.canvas = element('canvas', { role: 'img', 'aria-label': `Timeline: ${folding.rows.map((row) => `${row.label} ${row.note}`).join(', ')}` });
  }

  get height() { return this.drawing.rows.length * rowHeight; }

  measure() {
    const width = this.canvas.parentElement.clientWidth;
    const scale = window.devicePixelRatio || 1;
    [this.canvas.width, this.canvas.height] = [Math.max(width * scale, 1), (this.height + axisHeight) * scale];
    Object.assign(this.canvas.style, { width: width + 'px', height: this.height + axisHeight + 'px' });
    this.context = this.canvas.getContext('2d');
    this.context.scale(scale, scale);
    this.drawing.layOut(this.context, width);
  }

  draw(left, right) {
    const { context, drawing } = this;
    Object.assign(drawing, { left, right });
    drawing.drawAxis(context, axisHeight);
    context.translate(0, axisHeight);
    drawing.drawRows(context, this.height, 0);
  }
}
