const stepMeasures = [['duration', 'faster', 'slower'], ['wait', 'waits less', 'waits longer'], ['started', 'earlier', 'later']];

/** Whether a measure of a step has a verdict, or its duration may have changed beyond the threshold. */
function stepMatters(step, threshold) {
  if (stepMeasures.some(([measure]) => ['faster', 'slower'].includes(step[measure].verdict))) return true;
  const { verdict, baseline_ns: before, median_ns: after } = step.duration;
  if (verdict === 'same') return false;
  if (before == null || after == null) return before !== after;
  return before !== after && Math.abs(after / before - 1) > threshold;
}

/** The verdicts on a step: `slower, later`. */
function stepVerdict(step) {
  const decided = stepMeasures.flatMap(([measure, less, more]) => ({ faster: [less], slower: [more] })[step[measure].verdict] ?? []);
  if (decided.length) return decided.join(', ');
  return stepMeasures.every(([measure]) => step[measure].verdict === 'same') ? 'same' : 'inconclusive';
}

/** The path of a step, with the number of the start unless it is the first. */
function startName(path, start) { return printable(path) + (start > 1 ? ` (start ${start})` : ''); }

/** The steps of a row that changed most compared to the baseline. */
function changeTable(record, steps) {
  if (!steps.length) return null;
  const text = timeText(record);
  const measure = (column, { baseline_ns: before, median_ns: after }, kind) => {
    const [one, other] = [before, after].map((value) => value == null ? '–' : text(value));
    return element('td', {
      class: 'short ' + kind, 'data-column': column, 'data-before-ns': before, 'data-after-ns': after,
    }, one === other ? one : `${one} → ${other}`);
  };
  const body = element('tbody');
  const column = (name, kind) => element('th', { scope: 'col', class: kind }, name);
  const table = element('table', { class: 'changes' },
    element('thead', {}, element('tr', {}, column('step'), column('start', 'minor'), column('duration'), column('wait', 'minor'), column('verdict'))),
    body);
  const panel = [element('h4', {}, 'Steps that changed most'), element('div', { class: 'table' }, table)];
  fill(body, steps, (step) => {
    const path = step.other_path == null ? step.path : `${step.path} → ${step.other_path}`;
    const { verdict } = [step.duration, step.wait].find((measure) => ['faster', 'slower'].includes(measure.verdict)) ?? {};
    return element('tr', {}, element('td', {}, startName(path, step.start_number)),
      measure('start', step.started, 'minor'), measure('duration', step.duration, ''), measure('wait', step.wait, 'minor'),
      element('td', { class: 'verdict ' + (verdict ?? '') }, stepVerdict(step)));
  }, 10);
  return panel;
}

/** The steps without a match on the other side. */
function unmatchedLines(record, row, unmatched) {
  const sides = [record.baseline, row.name];
  return sides.map((side) => {
    const alone = unmatched.filter((step) => step.in === side);
    if (!alone.length) return null;
    const names = alone.map((step) => startName(step.path, step.start));
    const most = 20;
    return element('p', { class: 'alone' }, element('strong', {}, `Only in ${printable(side)}: `), names.slice(0, most).join(', '),
      names.length > most && element('details', {},
        element('summary', {}, `and ${grouped(names.length - most)} more`), names.slice(most).join(', ')));
  });
}

/** All differences of a row; folded if there are several rows. */
function differencePanel(record, row, { steps, unmatched, divergence, isEmpty }, isOneOfSeveral) {
  if (isEmpty) return null;
  const parts = [
    divergence && divergencePanel(divergence, record.baseline), changeTable(record, steps), unmatchedLines(record, row, unmatched),
  ].flat().filter(Boolean);
  if (!isOneOfSeveral) return parts;
  const counts = [
    divergence && 'first difference ' + place(divergence), steps.length && counted(steps.length, 'step') + ' changed',
    unmatched.length && counted(unmatched.length, 'step') + ' without a match',
  ].filter(Boolean);
  return element('details', {}, element('summary', {}, element('strong', {}, printable(row.name)), ': ' + counts.join(', ')), parts);
}
