/** The meaning of the colours and hatches of the visible rows. `found` is the text for the sign of a finding. */
function legend(rows, hasArrows, isOfLanes, found = 'a finding, shown below') {
  const kinds = new Set(rows.flatMap((row) => row.stretches.filter(({ from, to }) => to > from).map(({ kind }) => kind)));
  const entry = (kind, text) => kinds.has(kind) && element('li', {}, element('i', { class: 'is-' + kind }), text);
  return element('ul', { class: 'legend' },
    entry('critical', 'on the critical path'), entry('run', isOfLanes ? 'held with work' : 'runs'), entry('failure', 'failed'),
    entry('ended', 'cancelled or unfinished'), entry('flight', 'a step in flight that started here'), entry('wait', 'waits'),
    entry('blocked', 'a thread is blocked'),
    rows.some((row) => row.findings.length) && element('li', {}, element('i', { class: 'is-finding' }, '1'), found),
    hasArrows && element('li', {}, '↳ lets the next step continue, and why'));
}
