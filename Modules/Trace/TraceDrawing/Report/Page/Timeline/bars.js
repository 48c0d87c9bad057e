/** Paints the bars of rows, and the texts in and behind them. */
class BarDrawing {
  constructor(drawing) { this.drawing = drawing; }

  height(row) { return row.isLeaf ? 17 : row.blocked.length ? 13 : 8; }

  draw(context, row, y) {
    const height = this.height(row);
    const top = y + (rowHeight - height) / 2;
    const { drawing } = this;
    const { colors, hatches, view } = drawing;
    let [kind, from, to] = [null, 0, 0];
    const flush = () => {
      if (!kind) return;
      const start = Math.max(from, drawing.left), end = Math.min(to, drawing.right);
      if (end <= start) return;
      const paint = (style) => { context.fillStyle = style; context.fillRect(start, top, end - start, height); };
      if (kind === 'blocked') paint(colors.ground);
      paint({ wait: hatches.wait, flight: hatches.wait, blocked: hatches.blocked, ended: colors.wait }[kind] ?? colors[kind]);
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
    if (row.lane) this.drawCaptions(context, row, y);
    this.drawNote(context, row, y);
  }

  /** The names of the steps in the stretches of a lane, where there is room. */
  drawCaptions(context, row, y) {
    const { drawing } = this;
    const { colors } = drawing;
    context.font = drawing.font(13);
    const seen = [...row.stretches].filter(({ from, to }) => drawing.x(to) - drawing.x(from) > 24);
    for (const kind of ['blocked', 'run', 'flight']) {
      for (const piece of seen.filter((piece) => piece.kind === kind).slice(0, 400)) {
        // A stretch that covers it takes its room.
        const over = kind === 'flight' && seen.some((other) => other.kind !== 'flight' && other.from < piece.to && other.to > piece.from);
        const beside = seen.some((other) => other !== piece && other.kind === kind && other.from < piece.to && other.to > piece.from);
        const [start, end] = [Math.max(drawing.x(piece.from), drawing.left), Math.min(drawing.x(piece.to), drawing.right)];
        const width = context.measureText(piece.caption).width;
        if (over || beside || width + 10 > end - start) continue;
        const at = [(start + end - width) / 2, y + rowHeight / 2 + 4.5];
        if (kind !== 'run') this.halo(context, piece.caption, ...at);
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
    if (row.share && !row.isRest) {
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
    const arrow = row.next && row.next.shown !== row ? drawing.x(row.next.from) : 0;
    const x = Math.max(end, start + 2, arrow < end + 60 ? arrow : 0) + (row.isCritical ? 14 : 6);
    context.fillStyle = drawing.colors.text;
    if (x + width < drawing.width) context.fillText(row.note, x, base);
    else if (start - 6 - width > drawing.left && !row.stretches.some((piece) => piece.from < row.from)) {
      context.fillText(row.note, start - 6 - width, base);
    } else if (row.isLeaf && !row.blocked.length && (end - start - used) / 2 > width + 6) {
      const isSolid = row.stretches.some(({ kind }) => ['run', 'critical', 'failure'].includes(kind));
      if (!isSolid) this.halo(context, row.note, end - 6 - width, base);
      context.fillStyle = isSolid && !row.lane ? drawing.colors.onBar : drawing.colors.text;
      context.fillText(row.note, end - 6 - width, base);
    }
  }
}
