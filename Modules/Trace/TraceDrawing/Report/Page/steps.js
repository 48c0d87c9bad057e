/** The steps of a run as a table that can be sorted and searched. */
class StepTable {
  constructor(run, choose) {
    Object.assign(this, { run, choose, sorting: null, isDescending: false, sought: '' });
    const took = (row) => row.step.started_ns == null ? null
      : (row.step.finished_ns ?? run.record.makespan_ns) - row.step.started_ns;
    this.columns = [
      { name: 'Step', value: ({ step }) => step.path + (step.attempt ? ` #${step.attempt}` : ''), isText: true },
      { name: 'what', value: (row) => row.step.pattern, isText: true, isMinor: true },
      { name: 'submitted', value: (row) => row.step.submitted_ns, isMinor: true },
      { name: 'started', value: (row) => row.step.started_ns },
      { name: 'waited', value: (row) => row.step.started_ns == null ? null : row.step.started_ns - row.step.submitted_ns },
      { name: 'finished', value: (row) => row.step.finished_ns, isMinor: true },
      { name: 'took', value: took },
      { name: 'slack', value: (row) => run.slack_ns[row.index], isMinor: true },
      { name: 'lane', value: (row) => row.step.lane ?? '', isText: true, isMinor: true },
      { name: 'outcome', value: (row) => row.step.outcome, isText: true, isMinor: true },
    ];
    this.heads = this.columns.map((column) => element('th', {
      scope: 'col', class: [column.isText ? '' : 'number', column.isMinor ? 'minor' : ''].join(' '),
    }, element('button', { onclick: () => this.sort(column) }, column.name)));
    this.body = element('tbody');
    this.table = element('table', { class: 'steps' },
      element('thead', {}, element('tr', {}, this.heads)), this.body);
    const search = element('input', {
      type: 'search', placeholder: 'Find a step', 'aria-label': 'Find a step',
      oninput: () => { this.sought = search.value.toLowerCase(); this.show(); },
    });
    this.element = element('section', { 'aria-label': 'Steps' }, element('h2', {}, 'Steps'),
      element('div', { class: 'tools' }, search), element('div', { class: 'table' }, this.table));
    this.show();
  }

  sort(column) {
    this.isDescending = this.sorting === column ? !this.isDescending : !column.isText;
    this.sorting = column;
    this.show();
  }

  show() {
    const { sorting } = this;
    this.heads.forEach((head, index) => {
      if (this.columns[index] === sorting) head.setAttribute('aria-sort', this.isDescending ? 'descending' : 'ascending');
      else head.removeAttribute('aria-sort');
    });
    let rows = this.run.rows.filter((row) => row.step
      && (!this.sought || (row.step.path + ' ' + row.step.pattern).toLowerCase().includes(this.sought)));
    if (sorting) {
      const sign = this.isDescending ? -1 : 1;
      const compare = (a, b) => a === b ? 0 : a == null ? 1 : b == null ? -1 : sign * (a < b ? -1 : 1);
      rows = rows.map((row) => [sorting.value(row), row])
        .sort((a, b) => compare(a[0], b[0]) || a[1].index - b[1].index).map(([, row]) => row);
    }
    fill(this.body, rows, (row) => this.line(row), 50);
  }

  line(row) {
    const cells = this.columns.map((column, index) => {
      const value = column.value(row);
      const kind = [column.isText ? '' : 'number', column.isMinor ? 'minor' : ''].join(' ');
      if (!index) {
        const name = element('button', { class: 'plain', onclick: () => this.choose(row) }, printable(value));
        if (row.isCritical) name.classList.add('critical');
        return element('td', { class: kind }, name);
      }
      if (column.isText) {
        return element('td', { class: 'short ' + kind + (value === 'failure' ? ' failure' : '') }, printable(value) || '–');
      }
      return element('td', { class: kind, 'data-column': column.name, 'data-ns': value }, value == null ? '–' : time(value));
    });
    return element('tr', { 'data-step': row.index, class: row === this.chosen ? 'chosen' : null }, cells);
  }

  mark(row) {
    this.chosen = row;
    this.body.querySelector('.chosen')?.classList.remove('chosen');
    if (row.index != null) this.body.querySelector(`[data-step="${row.index}"]`)?.classList.add('chosen');
  }
}
