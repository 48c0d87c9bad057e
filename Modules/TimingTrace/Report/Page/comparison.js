/** The value below which a part of sorted values lies. */
function quantile(sorted, part) {
  const place = (sorted.length - 1) * part;
  const below = Math.floor(place);
  const above = Math.min(below + 1, sorted.length - 1);
  return sorted[below] + (sorted[above] - sorted[below]) * (place - below);
}

/** A comparison as a table, and above it each sample as a box plot over one scale. */
function comparisonPanel({ record, values }) {
  const interval = (low, high, text) => low == null ? '–' : low === high ? text(low) : `${text(low)} … ${text(high)}`;
  const decimals = (number) => number == null ? '–' : number < 1e6 ? number.toFixed(3) : '> 1000000';
  const isExact = record.clock === 'virtual';
  const columns = [
    ['', (row) => printable(row.name)], ['runs', (row) => grouped(row.runs), 'number'],
    ['median', (row) => row.median_ns == null ? '–' : time(row.median_ns), 'number'],
    !isExact && ['95 %', (row) => interval(row.ci_low_ns, row.ci_high_ns, time), 'number minor'],
    ['ratio', (row) => decimals(row.ratio), 'number'],
    !isExact && ['ratio 95 %', (row) => row.verdict === 'baseline' ? '' : interval(row.ratio_ci_low, row.ratio_ci_high, decimals), 'number minor'],
    !isExact && ['p (Holm)', (row) => row.p == null ? '' : row.p < 0.001 ? '< 0.001' : row.p.toFixed(3), 'number minor'],
    ['verdict', (row) => element('span', { class: 'verdict ' + row.verdict }, row.verdict)],
  ].filter(Boolean);
  const notes = record.rows.filter((row) => row.note);
  return element('div', { class: 'comparison' },
    record.name && element('h3', {}, printable(record.name)),
    element('p', { class: 'note' }, `${record.metric}, against ${printable(record.baseline ?? '–')}, `
      + (isExact ? 'on the virtual clock: exact, any difference is one.'
        : `on the live clock: a difference counts from ${+(record.threshold * 100).toPrecision(3)} % on.`)),
    boxPlots(record.rows, values),
    element('div', { class: 'table' }, element('table', {},
      element('thead', {}, element('tr', {}, columns.map(([name, , kind]) => element('th', { scope: 'col', class: kind }, name)))),
      element('tbody', {}, record.rows.map((row) => element('tr', { 'data-name': row.name, 'data-median-ns': row.median_ns },
        columns.map(([, value, kind]) => element('td', { class: kind }, value(row)))))))),
    notes.map((row) => element('p', { class: 'note' }, `${printable(row.name)}: ${printable(row.note)}`)));
}

function boxPlots(rows, values) {
  const all = values.flat();
  if (!all.length) return null;
  const [least, most] = all.reduce(([low, high], value) => [Math.min(low, value), Math.max(high, value)], [Infinity, -Infinity]);
  // From nothing, so that lengths are honest, unless all differences would be lost that way.
  const from = least < most * 0.6 || least === most ? 0 : least - (most - least) * 0.1;
  const to = Math.max(most + (most - from) * 0.03, from + 1);
  const part = (value) => (value - from) / (to - from) * 100;
  const scale = element('div', { class: 'scale', 'aria-hidden': 'true' }, ticks(from, to, 5).map((at) => {
    const tick = element('span', {}, at === 0 ? '0' : time(Math.round(at)));
    tick.style.left = part(at) + '%';
    return tick;
  }));
  const lines = rows.flatMap((row, index) => {
    const sorted = [...values[index]].sort((a, b) => a - b);
    const track = element('div', { class: 'track', role: 'img' });
    if (!sorted.length) return [element('div', { class: 'name' }, printable(row.name)), track];
    const [low, first, middle, third, high] = [0, 0.25, 0.5, 0.75, 1].map((at) => quantile(sorted, at));
    track.setAttribute('aria-label',
      `${printable(row.name)}: from ${time(low)} to ${time(high)}, the middle half from ${time(Math.round(first))} to `
      + `${time(Math.round(third))}, median ${time(Math.round(middle))}`);
    track.title = track.getAttribute('aria-label');
    const add = (kind, start, end) => {
      const piece = element('div', { class: kind });
      piece.style.left = part(start) + '%';
      if (end != null) piece.style.width = Math.max(part(end) - part(start), 0) + '%';
      track.append(piece);
      return piece;
    };
    if (low === high) {
      // One value has a length, and no spread.
      add('box', from, low);
    } else {
      add('whisker', low, high);
      add('box', first, third);
      const step = Math.max(Math.ceil(sorted.length / 200), 1);
      sorted.forEach((value, at) => { if (at % step === 0) add('dot', value).style.top = 12 + at * 7 % 17 + 'px'; });
    }
    add('median', middle);
    return [element('div', { class: 'name' }, printable(row.name)), track];
  });
  const hasSpread = values.some((sample) => sample.some((value) => value !== sample[0]));
  return [
    element('div', { class: 'plot' }, lines, element('div', { class: 'gap' }), scale),
    hasSpread && element('p', { class: 'note key' },
      'A dot is a run, the box their middle half, the orange line their median, the grey one all of them.'),
  ];
}
