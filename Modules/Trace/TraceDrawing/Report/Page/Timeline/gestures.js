/** Handles the wheel, touches, the mouse and keys of a timeline. */
class Gestures {
  constructor(timeline) {
    Object.assign(this, { timeline, pointers: new Map() });
    this.listen();
  }

  listen() {
    const { timeline } = this;
    for (const canvas of [timeline.axis, timeline.bars, timeline.strips]) {
      canvas.addEventListener('wheel', (event) => this.wheel(event), { passive: false });
      canvas.addEventListener('pointerdown', (event) => this.press(event));
      canvas.addEventListener('pointermove', (event) => this.move(event));
      for (const name of ['pointerup', 'pointercancel']) {
        canvas.addEventListener(name, (event) => this.release(event));
      }
      canvas.addEventListener('pointerleave', () => timeline.hover(null));
      canvas.addEventListener('dblclick', (event) => this.enter(timeline.row(event.offsetY), true));
    }
    timeline.scroller.addEventListener('scroll', () => timeline.draw(), { passive: true });
    timeline.chart.addEventListener('keydown', (event) => this.key(event));
  }

  wheel(event) {
    const { timeline } = this;
    const isOverBars = event.offsetX >= timeline.drawing.left;
    const lines = event.deltaMode === 1 ? 16 : event.deltaMode === 2 ? 400 : 1;
    if (Math.abs(event.deltaX) > Math.abs(event.deltaY) || event.shiftKey) {
      event.preventDefault();
      const by = (event.deltaX || event.deltaY) * lines;
      return timeline.pan(by / (timeline.drawing.right - timeline.drawing.left));
    }
    if (!isOverBars && !event.ctrlKey) return;
    const factor = Math.exp(-event.deltaY * lines * (event.ctrlKey ? 0.01 : 0.002));
    // If the timeline is fully zoomed out, the page scrolls.
    if (timeline.zoom(factor, timeline.drawing.at(event.offsetX)) || event.ctrlKey) event.preventDefault();
  }

  press(event) {
    if (event.button !== 0) return;
    this.pointers.set(event.pointerId, { x: event.offsetX, y: event.offsetY });
    this.moved = 0;
    if (event.pointerType === 'mouse') event.target.setPointerCapture(event.pointerId);
  }

  move(event) {
    const { timeline } = this;
    const held = this.pointers.get(event.pointerId);
    if (!held) {
      const row = event.target === timeline.bars && event.pointerType !== 'touch' ? timeline.row(event.offsetY) : null;
      return timeline.hover(row ?? null, event);
    }
    const others = [...this.pointers].filter(([id]) => id !== event.pointerId).map(([, point]) => point);
    const by = event.offsetX - held.x;
    if (others.length) {
      const before = Math.abs(held.x - others[0].x);
      const after = Math.abs(event.offsetX - others[0].x);
      if (before > 10 && after > 10) timeline.zoom(after / before, timeline.drawing.at((event.offsetX + others[0].x) / 2));
      this.moved += 10;
    } else if (!timeline.view.isWhole) {
      timeline.view.pan(-by / (timeline.drawing.right - timeline.drawing.left) * timeline.view.span);
      timeline.draw();
    }
    this.moved += Math.abs(by);
    if (this.moved > 4) event.target.classList.add('dragged');
    Object.assign(held, { x: event.offsetX, y: event.offsetY });
  }

  release(event) {
    const { timeline } = this;
    const wasHeld = this.pointers.delete(event.pointerId);
    event.target.classList.remove('dragged');
    if (!wasHeld || event.type === 'pointercancel' || this.moved > 4 || event.target !== timeline.bars) return;
    const row = timeline.row(event.offsetY);
    if (!row) return;
    timeline.choose(row, { scrolls: false });
    if (row.members) timeline.toggle(row);
  }

  /** Zooms to a step. A row of several steps is opened, or folded if possible. */
  enter(row, staysOpen) {
    const { timeline } = this;
    if (!row?.members) timeline.zoomTo(row);
    else if (!row.isOpen || !staysOpen) timeline.toggle(row);
  }

  key(event) {
    const { timeline } = this;
    if (event.ctrlKey || event.metaKey || event.altKey || event.target !== timeline.chart) return;
    const { rows, drawing: { chosen } } = timeline;
    const go = (by) => {
      const position = chosen ? Math.min(Math.max(chosen.position + by, 0), rows.length - 1) : 0;
      if (rows.length) timeline.choose(rows[position]);
    };
    const page = Math.max(Math.floor(timeline.height / rowHeight) - 1, 1);
    const actions = {
      '+': () => timeline.zoom(1.5), '=': () => timeline.zoom(1.5), '-': () => timeline.zoom(1 / 1.5), 0: () => timeline.fit(),
      ArrowLeft: () => timeline.pan(-0.1), ArrowRight: () => timeline.pan(0.1), ArrowUp: () => go(-1), ArrowDown: () => go(1),
      Enter: () => this.enter(chosen), PageUp: () => go(-page), PageDown: () => go(page), Home: () => go(-rows.length), End: () => go(rows.length),
    };
    if (!actions[event.key]) return;
    actions[event.key]();
    event.preventDefault();
  }
}
