/** Paints the bars of rows, and the texts in and behind them. */
class BarDrawing {
  constructor(drawing) { this.drawing = drawing; }

  height(row) { return row.isLeaf ? 17 : row.stretches.some(({ kind }) => kind === 'blocked') ? 13 : 8; }

  draw(context, row, y) {
    const height = this.height(row);
    const top = y + (rowHeight - height) / 2;
    const { drawing } = this;
    const { view } = drawing;
    let [kind, from, to] = [null, 0, 0];
    const flush = () => {
      const start = Math.max(from, drawing.left), end = Math.min(to, drawing.right);
      if (kind && end > start) this.fill(context, row, kind, { x: start, y: top, width: end - start, height });
    };
    for (const piece of row.stretches) {
      if (piece.to < view.from || piece.from > view.to) continue;
      // At least wide enough to be visible. Bars that could not be distinguished are one.
      const start = drawing.x(piece.from), end = Math.max(drawing.x(piece.to), start + 2);
      if (piece.kind === kind && start <= to + (row.stretches.length > 200 ? 0.5 : 0) && start >= from) to = Math.max(to, end);
      else {
        flush();
        [kind, from, to] = [piece.kind, start, end];
      }
    }
    flush();
    if (row.lane || row.stretches.some(({ kind }) => kind === 'delay')) this.drawCaptions(context, row, y);
    this.drawNote(context, row, y);
  }

  fill(context, row, kind, { x, y, width, height }) {
    const { colors, hatches } = this.drawing;
    const paint = (style) => { context.fillStyle = style; context.fillRect(x, y, width, height); };
    const frame = (color) => {
      paint(colors.ground);
      context.strokeStyle = color;
      context.lineWidth = 2;
      context.strokeRect(x + 1, y + 1, Math.max(width - 2, 0), height - 2);
    };
    switch (kind) {
      case 'wait': case 'flight': return paint(hatches.wait);
      case 'delay': return this.dashes(context, x, y + height / 2, width, row.isCritical ? colors.critical : colors.faint);
      case 'run': return paint(colors[row.ink]);
      case 'unfinished': return paint(colors.wait);
      case 'cancelled': return frame(colors[row.ink]);
      case 'kept-running': paint(colors.ground); return paint(hatches.kept);
      case 'blocked': paint(colors.ground); return paint(hatches.blocked);
      default: return paint(colors[kind]);
    }
  }

  dashes(context, x, y, width, color) {
    context.save();
    context.setLineDash([4, 4]);
    context.strokeStyle = color;
    context.lineWidth = 2.5;
    context.beginPath();
    context.moveTo(x, y);
    context.lineTo(x + width, y);
    context.stroke();
    context.restore();
  }

  /** A cross where the row timed out, and a number at the place of each finding. They are drawn above all bars. */
  drawMarks(context, row, y) {
    const { drawing } = this;
    const { colors } = drawing;
    const middle = y + rowHeight / 2;
    const isVisible = (at) => at >= drawing.view.from && at <= drawing.view.to;
    for (const at of row.timeouts.filter(isVisible)) {
      const x = Math.min(drawing.x(at), drawing.right - 2);
      for (const [color, width] of [[colors.ground, 5.5], [colors.failure, 2.5]]) {
        context.strokeStyle = color;
        context.lineWidth = width;
        context.beginPath();
        for (const sign of [-1, 1]) {
          context.moveTo(x - 6, middle - 6 * sign);
          context.lineTo(x + 6, middle + 6 * sign);
        }
        context.stroke();
      }
    }
    const taken = [];
    row.marks.filter(([, at]) => isVisible(at)).slice(0, 4).forEach(([number, at]) => {
      const x = freePlace(Math.min(Math.max(drawing.x(at), drawing.left + 9), drawing.right - 9), drawing.right - 9, taken);
      taken.push(x);
      context.fillStyle = colors.text;
      context.beginPath();
      context.arc(x, middle, 8.5, 0, 7);
      context.fill();
      context.fillStyle = colors.ground;
      context.font = drawing.font(12, 'bold');
      context.textAlign = 'center';
      context.fillText(number, x, middle + 4.5);
      context.textAlign = 'left';
    });
  }

  /** The names of the steps in the stretches of a lane, and the lengths of delays, where there is room. */
  drawCaptions(context, row, y) {
    const { drawing } = this;
    const { colors } = drawing;
    context.font = drawing.font(13);
    const seen = row.stretches.filter(({ caption, from, to }) => caption && drawing.x(to) - drawing.x(from) > 24);
    for (const kind of ['blocked', 'run', 'delay', 'flight']) {
      for (const piece of seen.filter((piece) => piece.kind === kind).slice(0, 400)) {
        // A stretch that covers it takes its room.
        const over = kind === 'flight' && seen.some((other) => other.kind !== 'flight' && other.from < piece.to && other.to > piece.from);
        const beside = seen.some((other) => other !== piece && other.kind === kind && other.from < piece.to && other.to > piece.from);
        const [start, end] = [Math.max(drawing.x(piece.from), drawing.left), Math.min(drawing.x(piece.to), drawing.right)];
        const width = context.measureText(piece.caption).width;
        if (over || beside || width + 10 > end - start) continue;
        const at = [(start + end - width) / 2, y + rowHeight / 2 + 4.5];
        if (kind === 'delay') {
          // Also between the words.
          context.fillStyle = colors.ground;
          context.fillRect(at[0] - 4, at[1] - 10, width + 8, 12);
        } else if (kind !== 'run') this.halo(context, piece.caption, ...at);
        context.fillStyle = kind === 'run' ? colors.onBar : colors.text;
        context.fillText(piece.caption, ...at);
      }
    }
  }

  halo(context, text, x, y) {
    context.lineJoin = 'round';
    context.strokeStyle = this.drawing.colors.ground;
    context.lineWidth = 4;
    context.strokeText(text, x, y);
  }

  /** The share of the makespan, and how long the step took. */
  drawNote(context, row, y) {
    const { drawing } = this;
    const base = y + rowHeight / 2 + 4.5;
    const [start, end] = [Math.max(drawing.x(row.from), drawing.left), Math.min(drawing.x(row.to), drawing.right)];
    context.font = drawing.font(13, row.isCritical ? 'bold' : '');
    const width = context.measureText(row.note).width;
    let used = 0;
    row.noteEnd = null;
    // The text is as high as the bar of a step without parts.
    if (row.share && !row.isRest && this.height(row) > 14) {
      const shareWidth = context.measureText(row.share).width;
      used = shareWidth + 40;
      if (end - start > shareWidth + 10) {
        context.fillStyle = drawing.colors.onBar;
        context.fillText(row.share, (start + end - shareWidth) / 2, base);
      }
    }
    // If the bar ends outside of the view, its duration is not shown.
    if (!row.lane && (drawing.x(row.to) > drawing.right + 1 || drawing.x(row.to) < drawing.left)) return;
    // Beside the arrow that may start here, unless that would be far away.
    const arrow = row.next && row.next.to.shown !== row ? drawing.x(row.next.start) : 0;
    const x = Math.max(end, start + 2, arrow < end + 60 ? arrow : 0) + (row.isCritical ? 14 : row.timeouts.length ? 10 : 6);
    context.fillStyle = drawing.colors.text;
    if (x + width < drawing.width) {
      context.fillText(row.note, x, base);
      row.noteEnd = x + width;
    } else if (start - 6 - width > drawing.left && !row.stretches.some((piece) => piece.from < row.from)) {
      context.fillText(row.note, start - 6 - width, base);
    } else if (row.isLeaf && !row.stretches.some(({ kind }) => kind === 'blocked') && (end - start - used) / 2 > width + 6) {
      const isSolid = row.stretches.some(({ kind }) => ['run', 'critical', 'failure'].includes(kind)) && row.stretches.every(({ kind }) => kind !== 'kept-running');
      if (!isSolid) this.halo(context, row.note, end - 6 - width, base);
      context.fillStyle = isSolid && !row.lane ? drawing.colors.onBar : drawing.colors.text;
      context.fillText(row.note, end - 6 - width, base);
    }
  }
}

/** The place nearest to `x` that is 18 pixels from all others: on its right, or on its left if that is past the edge. */
function freePlace(x, right, taken) {
  const next = (step) => {
    let place = x;
    while (taken.some((other) => Math.abs(other - place) < 18)) place += step;
    return place;
  };
  const place = next(19);
  return place <= right ? place : next(-19);
}
