/** The timeline of a run: its rows, and the details of the selected row. */
class Timeline {
  constructor(run, whenChosen) {
    Object.assign(this, { run, whenChosen, view: new View(run.length), folding: new Folding(run), shows: 'steps' });
    this.drawing = new Drawing(run, this.view);
    this.stripDrawing = new StripDrawing(this.drawing);
    this.axis = element('canvas', { 'aria-hidden': 'true' });
    this.bars = element('canvas', { 'aria-hidden': 'true' });
    this.strips = element('canvas', { 'aria-hidden': 'true' });
    this.spacer = element('div');
    this.scroller = element('div', { class: 'rows' }, this.bars, this.spacer);
    this.chart = element('div', { class: 'chart', tabindex: '0', role: 'application', 'aria-roledescription': 'timeline' },
      this.axis, this.scroller, this.strips);
    this.details = element('div', { class: 'details', 'aria-live': 'polite' });
    this.range = element('p', { class: 'note range' });
    const button = (text, label, action) => element('button', { 'aria-label': label, title: label, onclick: action }, text);
    this.foldButton = button('Fold', 'Fold all opened rows again', () => this.fold());
    this.legendPlace = element('div');
    this.foldNote = element('p', { class: 'note' }, 'Steps whose names differ only in a number share a row: click, tap or Enter opens it.');
    const leftOut = run.countersLeftOut;
    this.element = element('div', {},
      element('div', { class: 'tools' }, this.choices(),
        button('+', 'Zoom in', () => this.zoom(2)), button('−', 'Zoom out', () => this.zoom(0.5)),
        button('Fit', 'Show everything', () => this.fit()),
        element('span', { class: 'tools minor' },
          button('◂', 'Earlier', () => this.pan(-0.25)), button('▸', 'Later', () => this.pan(0.25))), this.foldButton),
      this.chart, leftOut > 0 && element('p', { class: 'note left-out' }, `… ${counted(leftOut, 'more counter')}`), this.range, this.legendPlace, this.foldNote,
      element('p', { class: 'note minor' },
        'The wheel over the bars zooms, over the labels it scrolls; drag to move, click twice to zoom to a step. '
        + 'Keys: + − 0, the arrows, Enter.'),
      this.details);
    new Gestures(this);
    new ResizeObserver(() => this.layOut()).observe(this.chart);
    this.refresh();
    this.describe(null);
  }

  /** Shows the steps, or the lanes on which they ran. */
  choices() {
    if (!this.run.lanes?.length) return null;
    this.viewButtons = [['steps', 'Steps'], ['lanes', 'Lanes']].map(([name, text]) =>
      element('button', { onclick: () => this.show(name), 'data-view': name }, text));
    return element('span', { class: 'choice', role: 'group', 'aria-label': 'Rows' }, this.viewButtons);
  }

  get isOfLanes() { return this.shows === 'lanes'; }

  show(name) {
    if (this.shows === name) return;
    this.shows = name;
    if (this.isOfLanes) this.lanes ??= laneRows(this.run);
    [this.drawing.chosen, this.drawing.hovered] = [null, null];
    this.refresh();
    this.describe(null);
  }

  /** Sets the visible rows. */
  refresh() {
    const { drawing, folding, isOfLanes } = this;
    drawing.rows = isOfLanes ? this.lanes : folding.rows;
    drawing.handOvers = isOfLanes ? [] : this.run.handOvers;
    this.viewButtons?.forEach((button) => button.setAttribute('aria-pressed', button.dataset.view === this.shows));
    this.foldButton.hidden = isOfLanes || !folding.isOpened;
    const rows = isOfLanes ? counted(drawing.rows.length, 'lane')
      : counted(this.run.record.steps.length, 'step') + (drawing.rows.some((row) => row.members) ? ` in ${counted(drawing.rows.length, 'row')}` : '');
    this.chart.setAttribute('aria-label', `Timeline of ${rows}. Arrow up and down choose a row, left and right move in time, plus and `
      + 'minus zoom, Enter opens a row of many or zooms to a step, zero shows everything. The table below has the same information as text.');
    this.legendPlace.replaceChildren(legend(drawing.rows, drawing.handOvers.some(({ from, to }) => from.shown !== to.shown), isOfLanes));
    this.foldNote.hidden = !drawing.rows.some((row) => row.members && !row.isRest);
    this.layOut();
  }

  /** Opens a row of several steps, or folds it. */
  toggle(row) {
    this.folding.toggle(row);
    if (row.isRest) this.drawing.chosen = null;
    this.refresh();
    this.describe(this.drawing.chosen);
  }

  fold() {
    this.folding.foldAll();
    this.drawing.chosen = null;
    this.refresh();
    this.describe(null);
  }

  // Size and drawing

  layOut() {
    const width = this.chart.clientWidth;
    if (!width) return;
    const height = Math.min(this.drawing.rows.length * rowHeight, Math.max(window.innerHeight * 0.68, 120));
    this.spacer.style.height = Math.max(this.drawing.rows.length * rowHeight - height, 0) + 'px';
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

  /** Draws once before the next frame, even if called several times. */
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
        : `visible: ${time(Math.round(this.view.from))} … ${time(Math.round(this.view.to))}`;
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

  /** Shows a step and its surroundings, in a multiple of its length. */
  zoomTo(row, times = 3) {
    if (!row) return;
    const middle = (row.from + row.to) / 2;
    this.view.fit();
    this.view.zoom(this.view.span / Math.max((row.to - row.from) * times, 1), middle);
    this.view.pan(middle - (this.view.from + this.view.to) / 2);
    this.draw();
  }

  /** Zooms to a step that is too small to see, with the steps around it. */
  enlarge(row) {
    if (row.to > row.from && this.drawing.x(row.to) - this.drawing.x(row.from) < 8) this.zoomTo(row, 12);
  }

  fit() { this.view.fit(); this.draw(); }
  pan(part) { this.view.pan(part * this.view.span); this.draw(); }

  // Choosing

  get rows() { return this.drawing.rows; }
  row(y) { return this.rows[Math.floor((y + this.scroller.scrollTop) / rowHeight)]; }

  /** Scrolls to a row, and opens the rows that hide it. */
  choose(row, { scrolls = true } = {}) {
    if (row.step && (this.isOfLanes || row.shown !== row)) {
      this.folding.reveal(row);
      this.shows = 'steps';
      this.refresh();
    }
    this.drawing.chosen = row;
    this.describe(row);
    if (scrolls) {
      const top = row.position * rowHeight;
      const { scrollTop } = this.scroller;
      const [above, below] = [scrollTop - top, top + rowHeight - scrollTop - this.height];
      // If it is far away, it is moved to the middle.
      if (Math.max(above, below) > this.height) this.scroller.scrollTop = top + (rowHeight - this.height) / 2;
      else if (above > 0) this.scroller.scrollTop = top;
      else if (below > 0) this.scroller.scrollTop += below;
      this.view.show(row.from, row.to);
    }
    this.whenChosen(row);
    this.draw();
  }

  describe(row) {
    if (!row) {
      const what = this.isOfLanes ? 'lane' : 'step';
      return this.details.replaceChildren(element('p', { class: 'note' }, `Point at a ${what}, or tap it, for its details.`));
    }
    this.details.replaceChildren(...[
      ...description(this.run, row),
      row.members && element('div', { class: 'tools' }, element('button', { onclick: () => this.toggle(row) },
        row.isOpen ? 'Fold again' : `Open ${counted(row.members.length, 'step')}`)),
    ].filter(Boolean));
  }

  hover(row, event) {
    const tip = document.getElementById('tip');
    // The facts about a lane depend on the time.
    if (this.drawing.hovered !== row || row?.lane) {
      this.drawing.hovered = row;
      this.draw();
      tip.hidden = !row;
      if (row) tip.replaceChildren(...description(this.run, row, this.drawing.at(event.offsetX)));
    }
    if (!row) return;
    const room = tip.getBoundingClientRect();
    const x = Math.min(event.clientX + 16, window.innerWidth - room.width - 8);
    const below = event.clientY + 20;
    const y = below + room.height > window.innerHeight ? event.clientY - room.height - 12 : below;
    tip.style.left = Math.max(x, 8) + 'px';
    tip.style.top = Math.max(y, 8) + 'px';
  }
}
