const rowHeight = 28;
const axisHeight = 30;

/** Paints what is seen of a run, and nothing else: a run of any length costs as much as its visible rows. */
class Drawing {
  constructor(run, view) {
    Object.assign(this, { run, view, width: 0, chosen: null, hovered: null });
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

  /** Tells how wide everything is, and from that how wide labels may be. */
  layOut(context, width) {
    this.width = width;
    context.font = this.font(14, 'bold');
    let widest = 104;
    // Enough to know: the rest is cut where it does not fit.
    for (const row of this.run.rows.slice(0, 2000)) {
      widest = Math.max(widest, context.measureText(row.label).width + this.indent(row) + 12);
    }
    this.left = Math.round(Math.min(widest, width * (width < 560 ? 0.32 : 0.3)));
    this.right = width - (width < 560 ? 12 : 76);
    this.hatches = {
      wait: this.hatch(context, this.colors.wait, 1.2), blocked: this.hatch(context, this.colors.blocked, 4),
    };
  }

  indent(row) { return 26 + Math.min(row.depth, 8) * 12; }

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

  /** On a phone, too, one is no scale. */
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
    const { rows } = this.run;
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
      this.drawBar(context, row, y);
      this.drawLabel(context, row, y);
    }
    this.drawHandOvers(context, first, last, scrolled);
  }

  drawLabel(context, row, y) {
    const { colors } = this;
    context.fillStyle = this.chosen === row ? colors.panel : colors.ground;
    context.fillRect(0, y, this.left - 4, rowHeight);
    if (row.findings.length) {
      context.fillStyle = colors.text;
      context.beginPath();
      context.arc(13, y + rowHeight / 2, 8.5, 0, 7);
      context.fill();
      context.fillStyle = colors.ground;
      context.font = this.font(12, 'bold');
      context.textAlign = 'center';
      context.fillText(row.findings[0], 13, y + rowHeight / 2 + 4.5);
      context.textAlign = 'left';
    }
    const failed = row.step?.outcome === 'failure';
    context.font = this.font(14, row.isCritical ? 'bold' : '');
    context.fillStyle = failed ? colors.failure : row.isCritical ? colors.critical : colors.text;
    const x = this.indent(row);
    context.fillText(this.cut(context, row.label, this.left - 10 - x), x, y + rowHeight / 2 + 5);
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

  barHeight(row) { return row.isLeaf ? 17 : row.blocked.length ? 13 : 8; }

  color(row) {
    if (row.step?.outcome === 'failure') return this.colors.failure;
    if (row.isCritical) return this.colors.critical;
    return row.step && row.step.outcome !== 'success' ? this.colors.wait : this.colors.run;
  }

  drawBar(context, row, y) {
    const height = this.barHeight(row);
    const top = y + (rowHeight - height) / 2;
    const { step } = row;
    if (step) {
      if (step.started_ns == null) this.fill(context, this.hatches.wait, step.submitted_ns, row.to, top, height);
      else {
        if (step.started_ns > step.submitted_ns) {
          this.fill(context, this.hatches.wait, step.submitted_ns, step.started_ns, top, height);
        }
        this.fill(context, this.color(row), row.from, row.to, top, height);
      }
    }
    for (const [from, to] of row.blocked) {
      this.fill(context, this.colors.ground, from, to, top, height);
      this.fill(context, this.hatches.blocked, from, to, top, height);
    }
    this.drawTime(context, row, y);
  }

  /** A stretch in time, at least wide enough to be seen, as far as it lies in the view. */
  fill(context, style, from, to, top, height) {
    const start = Math.max(this.x(from), this.left);
    const end = Math.min(Math.max(this.x(to), this.x(from) + 2), this.right);
    if (end <= start) return;
    context.fillStyle = style;
    context.fillRect(start, top, end - start, height);
  }

  drawTime(context, row, y) {
    const { step } = row;
    const base = y + rowHeight / 2 + 4.5;
    if (!step || step.started_ns == null) return;
    const took = row.to - row.from;
    const [start, end] = [Math.max(this.x(row.from), this.left), Math.min(this.x(row.to), this.right)];
    context.font = this.font(13, row.isCritical ? 'bold' : '');
    const text = step.outcome === 'success' ? time(took) : `${time(took)} ${step.outcome}`;
    const width = context.measureText(text).width;
    let used = 0;
    if (row.isCritical && row.isLeaf && !row.blocked.length) {
      const part = share(took, this.run.record.makespan_ns);
      const partWidth = context.measureText(part).width;
      used = partWidth + 40;
      if (end - start > partWidth + 10) {
        context.fillStyle = this.colors.onBar;
        context.fillText(part, (start + end - partWidth) / 2, base);
      }
    }
    if (this.x(row.to) > this.right + 1 || this.x(row.to) < this.left) return;
    // Beside the arrow that may begin here.
    const x = Math.max(end, start + 2) + (row.isCritical ? 14 : 6);
    context.fillStyle = this.colors.text;
    if (x + width < this.width) context.fillText(text, x, base);
    else if (start - 6 - width > this.left) context.fillText(text, start - 6 - width, base);
    else if (row.isLeaf && !row.blocked.length && (end - start - used) / 2 > width + 6) {
      context.fillStyle = this.color(row) === this.colors.wait ? this.colors.text : this.colors.onBar;
      context.fillText(text, end - 6 - width, base);
    }
  }

  // Critical path

  drawHandOvers(context, first, last, scrolled) {
    context.save();
    context.beginPath();
    context.rect(this.left, 0, this.width - this.left, 1e5);
    context.clip();
    context.strokeStyle = context.fillStyle = this.colors.text;
    context.lineWidth = 1.6;
    let shown = 0;
    for (const handOver of this.run.handOvers) {
      const { from, to } = handOver;
      if (Math.max(from.position, to.position) < first || Math.min(from.position, to.position) >= last) continue;
      const end = this.x(from.to);
      const start = Math.max(this.x(to.from), end);
      if (end > this.right + 1 || start < this.left - 1) continue;
      // More than that is a black page.
      if (++shown > 400) break;
      this.drawArrow(context, handOver, end, start, scrolled);
    }
    context.restore();
  }

  drawArrow(context, { from, to, reason }, end, begin, scrolled) {
    const sign = to.position > from.position ? 1 : -1;
    const middle = (row) => (row.position + 0.5) * rowHeight - scrolled;
    const start = begin + 4;
    const target = middle(to) - sign * this.barHeight(to) / 2;
    context.beginPath();
    context.moveTo(end, middle(from));
    context.lineTo(start, middle(from));
    context.lineTo(start, target - sign * 4);
    context.stroke();
    context.beginPath();
    context.moveTo(start - 4.5, target - sign * 6);
    context.lineTo(start, target);
    context.lineTo(start + 4.5, target - sign * 6);
    context.fill();
    context.font = this.font(12);
    const width = context.measureText(reason).width;
    if (start - 8 - width < this.left) return;
    const base = middle(to) + 4;
    context.lineJoin = 'round';
    context.strokeStyle = this.colors.ground;
    context.lineWidth = 4;
    context.strokeText(reason, start - 8 - width, base);
    context.strokeStyle = this.colors.text;
    context.lineWidth = 1.6;
    context.fillText(reason, start - 8 - width, base);
  }
}
