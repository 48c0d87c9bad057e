/** A quantile: the value below which the given part of the sorted values lies. */
function quantile(sorted, part) {
  const place = (sorted.length - 1) * part;
  const below = Math.floor(place);
  const above = Math.min(below + 1, sorted.length - 1);
  return sorted[below] + (sorted[above] - sorted[below]) * (place - below);
}

function hasSpread(values) { return values.some((sample) => sample.some((value) => value !== sample[0])); }

/** A box plot of each sample, all with the same scale. */
function boxPlots(rows, values) {
  const all = values.flat();
  if (!all.length) return null;
  const [least, most] = all.reduce(([low, high], value) => [Math.min(low, value), Math.max(high, value)], [Infinity, -Infinity]);
  // The scale starts at zero, so that lengths can be compared, unless the differences would then be too small to see.
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
      // A single value has a length but no spread.
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
  return [
    element('div', { class: 'plot' }, lines, element('div', { class: 'gap' }), scale),
    hasSpread(values) && element('p', { class: 'note key' },
      'Each dot is a run. The box is their middle half, the orange line their median, the grey line all of them.'),
  ];
}
