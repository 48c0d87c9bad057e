/** Paints which step on the critical path let which step continue, and why. */
class ArrowDrawing {
  constructor(drawing) { this.drawing = drawing; }

  draw(context, first, last, scrolled) {
    const { drawing } = this;
    context.save();
    context.beginPath();
    context.rect(drawing.left, 0, drawing.width - drawing.left, 1e5);
    context.clip();
    context.strokeStyle = context.fillStyle = drawing.colors.text;
    context.lineWidth = 1.6;
    let shown = 0;
    for (const { from, to, reason, end: ended, start: begun } of drawing.handOvers) {
      // If both are in one row, there is nothing to point at.
      if (from.shown === to.shown) continue;
      const [one, other] = [from.shown.position, to.shown.position];
      if (Math.max(one, other) < first || Math.min(one, other) >= last) continue;
      const [end, start] = [drawing.x(ended), drawing.x(begun)];
      if (end > drawing.right + 1 || start < drawing.left - 1) continue;
      // More arrows would cover everything.
      if (++shown > 400) break;
      this.arrow(context, from.shown, to.shown, reason, end, start, scrolled);
    }
    context.restore();
  }

  arrow(context, from, to, reason, end, begin, scrolled) {
    const { drawing } = this;
    const sign = to.position > from.position ? 1 : -1;
    const middle = (row) => (row.position + 0.5) * rowHeight - scrolled;
    const start = begin + 4;
    const target = middle(to) - sign * drawing.bars.height(to) / 2;
    context.beginPath();
    // A long arrow starts behind the note.
    context.moveTo(from.noteEnd > end && from.noteEnd + 8 < start ? from.noteEnd + 4 : end, middle(from));
    context.lineTo(start, middle(from));
    context.lineTo(start, target - sign * 4);
    context.stroke();
    context.beginPath();
    context.moveTo(start - 4.5, target - sign * 6);
    context.lineTo(start, target);
    context.lineTo(start + 4.5, target - sign * 6);
    context.fill();
    // The text of a delay takes this room.
    if (to.stretches.some(({ kind, to: until }) => kind === 'delay' && drawing.x(until) === begin)) return;
    context.font = drawing.font(12);
    const width = context.measureText(reason).width;
    if (start - 8 - width < drawing.left) return;
    drawing.bars.halo(context, reason, start - 8 - width, middle(to) + 4);
    context.strokeStyle = drawing.colors.text;
    context.lineWidth = 1.6;
    context.fillText(reason, start - 8 - width, middle(to) + 4);
  }
}
