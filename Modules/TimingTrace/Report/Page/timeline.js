/** The timeline of a run: its drawing, and whatever wheel, fingers, mouse and keys do to it. */
class Timeline {
  constructor(run, whenChosen) {
    Object.assign(this, { run, whenChosen, view: new View(run.length), pointers: new Map() });
    this.drawing = new Drawing(run, this.view);
    this.stripDrawing = new StripDrawing(this.drawing);
    this.axis = element('canvas', { 'aria-hidden': 'true' });
    this.bars = element('canvas', { 'aria-hidden': 'true' });
    this.strips = element('canvas', { 'aria-hidden': 'true' });
    this.spacer = element('div');
    this.scroller = element('div', { class: 'rows' }, this.bars, this.spacer);
    this.chart = element('div', {
      class: 'chart', tabindex: '0', role: 'application', 'aria-roledescription': 'timeline',
      'aria-label': `Timeline of ${counted(run.rows.length, 'step')}. Arrow up and down choose a step, left and right `
        + 'move in time, plus and minus zoom, Enter zooms to the step, zero shows everything. The table below says the same in words.',
    }, this.axis, this.scroller, this.strips);
    this.details = element('div', { class: 'details', 'aria-live': 'polite' },
      element('p', { class: 'note' }, 'Point at a step, or tap it, for its details.'));
    this.range = element('span', { class: 'note range' });
    const button = (text, label, action) => element('button', { 'aria-label': label, title: label, onclick: action }, text);
    this.element = element('div', {},
      element('div', { class: 'tools' },
        button('+', 'Zoom in', () => this.zoom(2)), button('−', 'Zoom out', () => this.zoom(0.5)),
        button('Fit', 'Show everything', () => this.fit()),
        button('◂', 'Earlier', () => this.pan(-0.25)), button('▸', 'Later', () => this.pan(0.25)), this.range),
      this.chart, this.legend(),
      element('p', { class: 'note minor' },
        'The wheel over the bars zooms, over the labels it scrolls; drag to move, click twice to zoom to a step. '
        + 'Keys: + − 0, the arrows, Enter.'),
      this.details);
    this.listen();
  }

  legend() {
    const { rows } = this.run;
    const entry = (kind, text) => element('li', {}, element('i', { class: 'is-' + kind }), text);
    const leaves = rows.filter((row) => row.step);
    const others = leaves.filter((row) => !row.isCritical && row.step.started_ns != null);
    return element('ul', { class: 'legend' },
      rows.some((row) => row.isCritical && row.step.outcome !== 'failure') && entry('critical', 'on the critical path'),
      others.some((row) => row.step.outcome === 'success') && entry('run', 'runs'),
      leaves.some((row) => row.step.outcome === 'failure') && entry('failure', 'failed'),
      others.some((row) => ['cancelled', 'unfinished'].includes(row.step.outcome)) && entry('ended', 'cancelled or unfinished'),
      leaves.some((row) => row.from > row.step.submitted_ns) && entry('wait', 'waits'),
      rows.some((row) => row.blocked.length) && entry('blocked', 'a thread stands blocked'),
      this.run.handOvers.length > 0 && element('li', {}, '↳ let the next one go on, and why'));
  }

  // Size and drawing

  layOut() {
    const width = this.chart.clientWidth;
    if (!width) return;
    const height = Math.min(this.run.rows.length * rowHeight, Math.max(window.innerHeight * 0.68, 120));
    this.spacer.style.height = Math.max(this.run.rows.length * rowHeight - height, 0) + 'px';
    this.scroller.style.height = height + 'px';
    const inner = this.scroller.clientWidth || width;
    const size = (canvas, height) => {
      const scale = window.devicePixelRatio || 1;
      canvas.width = Math.max(Math.round(inner * scale), 1);
      canvas.height = Math.max(Math.round(height * scale), 1);
      canvas.style.width = inner + 'px';
      canvas.style.height = height + 'px';
      const context = canvas.getContext('2d');
      context.scale(scale, scale);
      return context;
    };
    this.contexts = {
      axis: size(this.axis, axisHeight), bars: size(this.bars, height),
      strips: size(this.strips, this.run.strips.length * stripHeight),
    };
    this.height = height;
    this.drawing.layOut(this.contexts.bars, inner);
    this.draw();
  }

  /** Draws before the next frame, however often it is asked for. */
  draw() {
    if (this.isAsked) return;
    this.isAsked = true;
    requestAnimationFrame(() => {
      this.isAsked = false;
      if (!this.contexts) return;
      const start = performance.now();
      this.drawing.drawAxis(this.contexts.axis, axisHeight);
      this.drawing.drawRows(this.contexts.bars, this.height, this.scroller.scrollTop);
      this.stripDrawing.draw(this.contexts.strips, this.run.strips.length * stripHeight);
      this.chart.dataset.frame = (performance.now() - start).toFixed(2);
      this.chart.dataset.from = Math.round(this.view.from);
      this.chart.dataset.to = Math.round(this.view.to);
      this.range.textContent = this.view.isWhole ? ''
        : `${time(Math.round(this.view.from))} … ${time(Math.round(this.view.to))}`;
    });
  }

  recolor() {
    this.drawing.readColors();
    this.layOut();
  }

  zoom(factor, at) {
    const changed = this.view.zoom(factor, at);
    if (changed) this.draw();
    return changed;
  }

  /** Shows a step, and a little before and after it. */
  zoomTo(row) {
    if (!row) return;
    const middle = (row.from + row.to) / 2;
    this.view.fit();
    this.view.zoom(this.view.span / Math.max((row.to - row.from) * 3, 1), middle);
    this.view.pan(middle - (this.view.from + this.view.to) / 2);
    this.draw();
  }

  fit() { this.view.fit(); this.draw(); }
  pan(part) { this.view.pan(part * this.view.span); this.draw(); }

  // Choosing

  row(y) { return this.run.rows[Math.floor((y + this.scroller.scrollTop) / rowHeight)]; }

  /** Shows a step, wherever it lies. */
  choose(row, { scrolls = true } = {}) {
    this.drawing.chosen = row;
    this.details.replaceChildren(...description(this.run, row));
    if (scrolls) {
      const top = row.position * rowHeight;
      const { scrollTop } = this.scroller;
      if (top < scrollTop) this.scroller.scrollTop = top;
      else if (top + rowHeight > scrollTop + this.height) this.scroller.scrollTop = top + rowHeight - this.height;
      this.view.show(row.from, row.to);
    }
    this.whenChosen(row);
    this.draw();
  }

  hover(row, event) {
    const tip = document.getElementById('tip');
    if (this.drawing.hovered !== row) {
      this.drawing.hovered = row;
      this.draw();
      tip.hidden = !row;
      if (row) tip.replaceChildren(...description(this.run, row));
    }
    if (!row) return;
    const room = tip.getBoundingClientRect();
    const x = Math.min(event.clientX + 16, window.innerWidth - room.width - 8);
    const below = event.clientY + 20;
    const y = below + room.height > window.innerHeight ? event.clientY - room.height - 12 : below;
    tip.style.left = Math.max(x, 8) + 'px';
    tip.style.top = Math.max(y, 8) + 'px';
  }

  // What people do

  listen() {
    for (const canvas of [this.axis, this.bars, this.strips]) {
      canvas.addEventListener('wheel', (event) => this.wheel(event), { passive: false });
      canvas.addEventListener('pointerdown', (event) => this.press(event));
      canvas.addEventListener('pointermove', (event) => this.move(event));
      for (const name of ['pointerup', 'pointercancel']) {
        canvas.addEventListener(name, (event) => this.release(event));
      }
      canvas.addEventListener('pointerleave', () => this.hover(null));
      canvas.addEventListener('dblclick', (event) => this.zoomTo(this.row(event.offsetY)));
    }
    this.scroller.addEventListener('scroll', () => this.draw(), { passive: true });
    this.chart.addEventListener('keydown', (event) => this.key(event));
    new ResizeObserver(() => this.layOut()).observe(this.chart);
  }

  wheel(event) {
    const isOverBars = event.offsetX >= this.drawing.left;
    const lines = event.deltaMode === 1 ? 16 : event.deltaMode === 2 ? 400 : 1;
    if (Math.abs(event.deltaX) > Math.abs(event.deltaY) || event.shiftKey) {
      event.preventDefault();
      const by = (event.deltaX || event.deltaY) * lines;
      return this.pan(by / (this.drawing.right - this.drawing.left));
    }
    if (!isOverBars && !event.ctrlKey) return;
    const factor = Math.exp(-event.deltaY * lines * (event.ctrlKey ? 0.01 : 0.002));
    // Zoomed out all the way, the page scrolls on.
    if (this.zoom(factor, this.drawing.at(event.offsetX)) || event.ctrlKey) event.preventDefault();
  }

  press(event) {
    if (event.button !== 0) return;
    this.pointers.set(event.pointerId, { x: event.offsetX, y: event.offsetY });
    this.moved = 0;
    if (event.pointerType === 'mouse') event.target.setPointerCapture(event.pointerId);
  }

  move(event) {
    const held = this.pointers.get(event.pointerId);
    if (!held) {
      const row = event.target === this.bars && event.pointerType !== 'touch' ? this.row(event.offsetY) : null;
      return this.hover(row ?? null, event);
    }
    const others = [...this.pointers].filter(([id]) => id !== event.pointerId).map(([, point]) => point);
    const by = event.offsetX - held.x;
    if (others.length) {
      const before = Math.abs(held.x - others[0].x);
      const after = Math.abs(event.offsetX - others[0].x);
      if (before > 10 && after > 10) this.zoom(after / before, this.drawing.at((event.offsetX + others[0].x) / 2));
      this.moved += 10;
    } else if (!this.view.isWhole) {
      this.view.pan(-by / (this.drawing.right - this.drawing.left) * this.view.span);
      this.draw();
    }
    this.moved += Math.abs(by);
    if (this.moved > 4) event.target.classList.add('dragged');
    Object.assign(held, { x: event.offsetX, y: event.offsetY });
  }

  release(event) {
    const wasHeld = this.pointers.delete(event.pointerId);
    event.target.classList.remove('dragged');
    if (!wasHeld || event.type === 'pointercancel' || this.moved > 4 || event.target !== this.bars) return;
    const row = this.row(event.offsetY);
    if (row) this.choose(row, { scrolls: false });
  }

  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target !== this.chart) return;
    const { rows } = this.run;
    const chosen = this.drawing.chosen;
    const go = (by) => {
      const position = chosen ? Math.min(Math.max(chosen.position + by, 0), rows.length - 1) : 0;
      if (rows.length) this.choose(rows[position]);
    };
    const page = Math.max(Math.floor(this.height / rowHeight) - 1, 1);
    const actions = {
      '+': () => this.zoom(1.5), '=': () => this.zoom(1.5), '-': () => this.zoom(1 / 1.5), 0: () => this.fit(),
      ArrowLeft: () => this.pan(-0.1), ArrowRight: () => this.pan(0.1), ArrowUp: () => go(-1), ArrowDown: () => go(1),
      Enter: () => this.zoomTo(chosen), PageUp: () => go(-page), PageDown: () => go(page), Home: () => go(-rows.length), End: () => go(rows.length),
    };
    if (!actions[event.key]) return;
    actions[event.key]();
    event.preventDefault();
  }
}
