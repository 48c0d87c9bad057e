/** The meaning of the colours and hatches of the visible rows. `found` is the text for the sign of a finding. */
function legend(rows, hasArrows, isOfLanes, found = 'a finding, shown below') {
  const kinds = new Set(rows.flatMap((row) => row.stretches.filter(({ from, to }) => to > from).map((piece) => shownKind(row, piece))));
  const entry = (kind, text = kindNames[kind]) => kinds.has(kind) && element('li', {}, element('i', { class: 'is-' + kind }), text);
  return element('ul', { class: 'legend' },
    entry('critical'), entry('run', isOfLanes ? 'held with work' : kindNames.run), ...['failure', 'unfinished', 'cancelled', 'kept-running'].map((kind) => entry(kind)),
    rows.some((row) => row.timeouts.length) && element('li', {}, element('i', { class: 'is-timeout' }, '✕'), 'timed out'),
    ...['flight', 'wait', 'delay', 'blocked'].map((kind) => entry(kind)),
    rows.some((row) => row.findings.length) && element('li', {}, element('i', { class: 'is-finding' }, '1'), found),
    hasArrows && element('li', {}, '↳ lets the next step continue, and why'));
}
