/** The place of a difference: `at 1ms, “q”`. */
function place(divergence) {
  const parts = [divergence.at_ns != null && 'at ' + exactTime(divergence.at_ns), divergence.step && `“${printable(divergence.step)}”`];
  return parts.filter(Boolean).join(', ') || 'at the end';
}

/** What each of the runs did there. */
function differenceText(divergence, baseline) {
  return `${worded(divergence.baseline)} in ${baseline}, ${worded(divergence.other)} in ${printable(divergence.name)}`;
}

/** Two runs side by side around their first difference. */
function divergencePanel(divergence, baseline) {
  const cell = (entry) => {
    if (!entry) return element('td', {}, 'nothing more');
    const at = entry.at_ns == null ? null : [element('span', { class: 'at' }, exactTime(entry.at_ns)), ' '];
    if (!entry.step) return element('td', { 'data-ns': entry.at_ns }, at, worded(entry.text));
    // What happened first, as the terminal shows it.
    const [verb, ...rest] = entry.text.split(' ');
    return element('td', { 'data-ns': entry.at_ns },
      at, verb + ' ', element('strong', {}, printable(entry.step)), rest.length > 0 && ' ' + rest.join(' '));
  };
  const head = (name) => element('th', { scope: 'col' }, printable(name));
  return [
    element('h4', {}, `First difference: ${place(divergence)}`),
    element('div', { class: 'table' }, element('table', { class: 'sides' },
      element('thead', {}, element('tr', {}, element('th', { 'aria-label': 'differs' }), head(baseline), head(divergence.name))),
      element('tbody', {}, divergence.sides.map((side) => element('tr', { class: side.differs ? 'differs' : null },
        element('th', { 'aria-label': side.differs ? 'differs' : 'alike' }, side.differs ? '≠' : ''),
        cell(side.baseline), cell(side.other)))))),
  ];
}
