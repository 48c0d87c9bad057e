const stripHeight = 52;

/** Paints the curves below the rows: how many steps were in flight, and counters. */
class StripDrawing {
  constructor(drawing) { this.drawing = drawing; }

  draw(context, height) {
    const { drawing } = this;
    const { colors } = drawing;
    context.clearRect(0, 0, drawing.width, height);
    drawing.drawGrid(context, height);
    drawing.run.strips.forEach((strip, position) => {
      const base = (position + 1) * stripHeight - 8;
      context.fillStyle = colors.faint;
      context.font = drawing.font(13);
      context.fillText(drawing.cut(context, strip.label, drawing.left - 22), 12, base - 4);
      this.drawStrip(context, strip, base);
      context.fillStyle = colors.text;
      const width = context.measureText(strip.note).width;
      context.fillText(strip.note, Math.min(drawing.right + 6, drawing.width - width - 2), base - 26);
    });
  }

  drawStrip(context, strip, base) {
    const { drawing } = this;
    const span = strip.highest - strip.lowest;
    const y = (value) => base - (span > 0 ? (value - strip.lowest) / span : 0.5) * (stripHeight - 16);
    context.save();
    context.beginPath();
    context.rect(drawing.left, 0, drawing.right - drawing.left, 1e5);
    context.clip();
    context.beginPath();
    let last = null, lowest = 0, highest = 0, value = 0, isBegun = false;
    for (const [at, next] of strip.points) {
      const x = Math.round(drawing.x(at) * 2) / 2;
      if (isBegun && x === last) {
        // Points at the same place are one stroke from the lowest to the highest.
        [lowest, highest, value] = [Math.min(lowest, next), Math.max(highest, next), next];
        continue;
      }
      if (isBegun) this.stroke(context, last, x, y, lowest, highest, value);
      else context.moveTo(x, strip.isFilled ? base : y(next));
      [lowest, highest] = isBegun ? [Math.min(value, next), Math.max(value, next)] : [next, next];
      [last, value, isBegun] = [x, next, true];
    }
    const end = drawing.x(drawing.run.length);
    if (isBegun) this.stroke(context, last, end, y, lowest, highest, value);
    if (strip.isFilled) {
      context.lineTo(end, base);
      context.fillStyle = drawing.colors.strip;
      context.fill();
    } else {
      context.strokeStyle = drawing.colors.run;
      context.lineWidth = 1.6;
      context.stroke();
    }
    context.restore();
  }

  stroke(context, x, next, y, lowest, highest, value) {
    context.lineTo(x, y(lowest));
    context.lineTo(x, y(highest));
    context.lineTo(x, y(value));
    context.lineTo(next, y(value));
  }
}
