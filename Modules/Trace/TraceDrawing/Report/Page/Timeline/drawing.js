const rowHeight = 28;
const axisHeight = 30;

/** Paints only the visible part of a run, so that the cost does not depend on the length of the run. */
class Drawing {
  constructor(run, view) {
    Object.assign(this, { run, view, rows: [], handOvers: [], width: 0, chosen: null, hovered: null });
    this.bars = new BarDrawing(this);
    this.arrows = new ArrowDrawing(this);
    this.readColors();
  }

  readColors() {
    const style = getComputedStyle(document.documentElement);
    this.colors = {};
    for (const name of ['ground', 'panel', 'line', 'text', 'faint', 'run', 'critical', 'wait', 'blocked', 'failure', 'onBar', 'strip']) {
      this.colors[name] = style.getPropertyValue('--' + name).trim();
    }
    this.font = (size, weight = '') => `${weight} ${size}px system-ui, "Segoe UI", Roboto, "DejaVu Sans", sans-serif`;
    this.hatches = {};
  }

  /** Measures the texts, and derives how wide labels may be. */
  layOut(context, width) {
    this.width = width;
    context.font = this.font(14, 'bold');
    let widest = 104;
    // These are enough: longer labels are truncated.
    for (const row of this.rows.slice(0, 2000)) {
      widest = Math.max(widest, context.measureText(row.label).width + this.labelRoom(row) + 12);
    }
    // On a phone, the number of steps in a row is worth more room.
    const most = width >= 560 ? 0.3 : this.rows.some((row) => row.members) ? 0.48 : 0.32;
    this.left = Math.round(Math.min(widest, width * most));
    this.right = width - (width < 560 ? 12 : this.noteRoom(context));
    this.hatches = {
      wait: this.hatch(context, this.colors.wait, 1.2), blocked: this.hatch(context, this.colors.blocked, 4),
      kept: this.hatch(context, this.colors.failure, 2),
    };
  }

  /** Enough room for the text behind a bar, up to a limit. */
  noteRoom(context) {
    context.font = this.font(13, 'bold');
    return this.rows.slice(0, 2000).reduce((most, row) =>
      Math.max(most, Math.min(context.measureText(row.note).width + (row.isCritical ? 20 : 12), 150)), 76);
  }

  indent(row) { return 12 + Math.min(row.depth, 8) * 12; }
  labelRoom(row) { return this.indent(row) + (row.members ? 14 : 0); }

  x(at) { return this.left + (at - this.view.from) / this.view.span * (this.right - this.left); }
  at(x) { return this.view.from + (x - this.left) / (this.right - this.left) * this.view.span; }

  hatch(context, color, thickness) {
    const size = 8;
    const tile = document.createElement('canvas');
    tile.width = tile.height = size * 2;
    const pen = tile.getContext('2d');
    pen.scale(2, 2);
    pen.strokeStyle = color;
    pen.lineWidth = thickness;
    pen.beginPath();
    for (const shift of [-size, 0, size]) {
      pen.moveTo(shift - 1, size + 1);
      pen.lineTo(shift + size + 1, -1);
    }
    pen.stroke();
    const pattern = context.createPattern(tile, 'repeat');
    pattern.setTransform(new DOMMatrix().scale(0.5));
    return pattern;
  }

  // Axis

  drawAxis(context, height) {
    const { colors } = this;
    context.clearRect(0, 0, this.width, height);
    context.font = this.font(13);
    context.fillStyle = colors.faint;
    context.textAlign = 'center';
    for (const at of this.ticks()) {
      const x = this.x(at);
      if (x < this.left - 1) continue;
      const text = at === 0 ? '0' : time(Math.round(at));
      const half = context.measureText(text).width / 2;
      context.fillText(text, Math.min(Math.max(x, this.left + half - 8), this.width - half - 2), height - 10);
    }
    context.textAlign = 'left';
  }

  /** At least two ticks, even on a phone: one is not a scale. */
  ticks() { return ticks(this.view.from, this.view.to, Math.max(Math.floor((this.right - this.left) / 90), 3)); }

  drawGrid(context, height) {
    context.strokeStyle = this.colors.line;
    context.lineWidth = 1;
    context.beginPath();
    for (const at of this.ticks()) {
      const x = Math.round(this.x(at)) + 0.5;
      context.moveTo(x, 0);
      context.lineTo(x, height);
    }
    context.stroke();
  }

  // Rows

  drawRows(context, height, scrolled) {
    const { rows } = this;
    context.clearRect(0, 0, this.width, height);
    this.drawGrid(context, height);
    const first = Math.max(Math.floor(scrolled / rowHeight), 0);
    const last = Math.min(Math.ceil((scrolled + height) / rowHeight), rows.length);
    for (let position = first; position < last; position++) {
      const row = rows[position];
      const y = position * rowHeight - scrolled;
      if (row === this.chosen || row === this.hovered) {
        context.fillStyle = this.colors.panel;
        context.globalAlpha = row === this.chosen ? 1 : 0.7;
        context.fillRect(0, y, this.width, rowHeight);
        context.globalAlpha = 1;
      }
      this.bars.draw(context, row, y);
      this.drawLabel(context, row, y);
    }
    this.arrows.draw(context, first, last, scrolled);
    for (let position = first; position < last; position++) this.bars.drawMarks(context, rows[position], position * rowHeight - scrolled);
  }

  drawLabel(context, row, y) {
    const { colors } = this;
    context.fillStyle = this.chosen === row ? colors.panel : colors.ground;
    context.fillRect(0, y, this.left - 4, rowHeight);
    const failed = row.step?.outcome === 'failure' || row.hasFailed && !row.isCritical;
    context.font = this.font(14, row.isCritical ? 'bold' : '');
    context.fillStyle = failed ? colors.failure : row.isCritical ? colors.critical : colors.text;
    let x = this.indent(row);
    if (row.members) {
      this.drawTriangle(context, x + 4, y + rowHeight / 2, row.isOpen);
      x += 14;
    }
    context.fillText(this.cut(context, row.label, this.left - 10 - x), x, y + rowHeight / 2 + 5);
  }

  /** The sign of a row that can be opened, or is open. */
  drawTriangle(context, x, y, isOpen) {
    context.beginPath();
    for (const [along, across] of [[-3, -5], [4, 0], [-3, 5]]) {
      const [dx, dy] = isOpen ? [across, along] : [along, across];
      context.lineTo(x + dx, y + dy);
    }
    context.fill();
  }

  cut(context, text, room) {
    if (text.length * 14 < room || context.measureText(text).width <= room) return text;
    let low = 0, high = Math.min(text.length, 400);
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (context.measureText(text.slice(0, middle) + '…').width <= room) low = middle; else high = middle - 1;
    }
    return text.slice(0, low) + '…';
  }
}
