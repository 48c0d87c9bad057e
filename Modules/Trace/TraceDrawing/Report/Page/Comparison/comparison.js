/** A comparison: one sentence for each row, the samples with one scale, the table, and the other differences. */
function comparisonPanel({ record, values, typical }, showRun) {
  const [baseline] = record.rows;
  const others = record.rows.slice(1);
  const isThere = (row) => row.runs || row.runs_left_out;
  const missing = record.rows.find((row) => !isThere(row));
  const heading = record.name && element('h3', {}, printable(record.name));
  const warnings = (record.warnings ?? []).map((warning) =>
    element('p', { class: 'warning' }, element('strong', {}, 'Warning: '), printable(warning)));
  if (record.name && record.rows.length === 2 && missing) {
    const present = record.rows.find(isThere) ?? baseline;
    return element('div', { class: 'comparison' }, heading, warnings,
      element('p', { class: 'change' }, `“${printable(record.name)}” is only in ${printable(present.name)}`));
  }
  const differences = others.map((row) => rowDifferences(record, row));
  // Equal runs need no pictures.
  const isAlike = record.costs && others.every((row, index) => isAlikeThroughout(record, row, differences[index]));
  return element('div', { class: 'comparison' }, heading,
    element('p', { class: 'note' }, `${record.metric}, against ${printable(baseline?.name ?? '–')}, `
      + (record.clock === 'virtual' ? 'on the virtual clock: exact, so any difference counts.'
        : `on the live clock: a difference counts from ${+(record.threshold * 100).toPrecision(3)} % on.`)),
    warnings,
    others.map((row, index) => element('p', { class: 'change' }, changeSentence(record, row, differences[index]), costSentence(record, row))),
    !isAlike && typicalRuns(record, typical ?? [], showRun),
    // Without spread, the timeline shows the length.
    !isAlike && (hasSpread(values) || !typical?.some((index) => index != null)) && boxPlots(record.rows, values),
    comparisonTable(record, differences), costTable(record),
    others.map((row, index) => differencePanel(record, row, differences[index], others.length > 1)));
}

/** Whether nothing at all differs. Only the virtual clock can show that. */
function isAlikeThroughout(record, row, differences) { return record.clock === 'virtual' && row.verdict === 'same' && differences.isEmpty; }

/** The differences of a row other than its makespan. */
function rowDifferences(record, row) {
  const named = (list) => (list ?? []).filter((entry) => entry.name === row.name);
  const steps = named(record.steps).filter((step) => record.clock === 'virtual' || stepMatters(step, record.threshold));
  const unmatched = (record.unmatched ?? []).filter((step) => step.in === row.name || step.not_in === row.name);
  const [divergence] = named(record.divergence);
  return { steps, unmatched, divergence, isEmpty: !steps.length && !unmatched.length && !divergence };
}

/** Formats times of a comparison: on the virtual clock every nanosecond counts. */
function timeText(record) { return record.clock === 'virtual' ? exactTime : time; }

function comparisonTable(record, differences) {
  const isExact = record.clock === 'virtual';
  const text = timeText(record);
  const interval = (low, high, text) => low == null ? '–' : low === high ? text(low) : `${text(low)} … ${text(high)}`;
  const decimals = (number) => number == null ? '–' : number < 1e6 ? number.toFixed(3) : '> 1000000';
  const columns = [
    ['', (row) => printable(row.name)], ['runs', (row) => grouped(row.runs), 'number minor'],
    [record.metric === 'makespan' ? 'median' : record.metric, (row) => row.median_ns == null ? '–' : text(row.median_ns), 'number'],
    !isExact && ['95 %', (row) => interval(row.ci_low_ns, row.ci_high_ns, time), 'number minor'],
    ['ratio', (row) => decimals(row.ratio), 'number'],
    !isExact && ['ratio 95 %', (row) => row.verdict === 'baseline' ? '' : interval(row.ratio_ci_low, row.ratio_ci_high, decimals), 'number minor'],
    !isExact && ['p (Holm)', (row) => row.p == null ? '' : row.p < 0.001 ? '< 0.001' : row.p.toFixed(3), 'number minor'],
    ['verdict', (row) => verdict(record, row, differences[record.rows.indexOf(row) - 1])],
  ].filter(Boolean);
  return [
    element('div', { class: 'table' }, element('table', {},
      element('thead', {}, element('tr', {}, columns.map(([name, , kind]) => element('th', { scope: 'col', class: kind }, name)))),
      element('tbody', {}, record.rows.map((row) => element('tr', { 'data-name': row.name, 'data-median-ns': row.median_ns },
        columns.map(([, value, kind]) => element('td', { class: kind }, value(row)))))))),
    // The notes of the other rows are in their sentences.
    record.rows[0]?.note && element('p', { class: 'note' }, `${printable(record.rows[0].name)}: ${printable(record.rows[0].note)}`),
  ];
}

/** The verdict on the makespan. On the virtual clock, it also says whether everything else is equal. */
function verdict(record, row, differences) {
  const word = element('span', { class: 'verdict ' + row.verdict }, row.verdict);
  // Only runs show other differences; bare times do not.
  if (record.clock !== 'virtual' || row.verdict === 'baseline' || !record.costs) return word;
  const { divergence } = differences;
  if (!divergence) return isAlikeThroughout(record, row, differences) ? [word, ' in every respect'] : word;
  const isSame = row.verdict === 'same';
  return [word, isSame ? ' makespan, ' : ', ',
    element('span', { class: isSame ? 'but' : null }, 'differs ' + (divergence.at_ns == null ? 'at the end' : 'at ' + exactTime(divergence.at_ns)))];
}

/** A ratio as a factor or a percentage; empty if there is none. */
function ratioText(ratio) {
  if (ratio == null) return '';
  if (ratio >= 2) return `, ${+ratio.toPrecision(3)} times as long`;
  return `, ${+(Math.abs(ratio - 1) * 100).toPrecision(2)} % ${ratio < 1 ? 'less' : 'more'}`;
}

/** A sentence about what changed. */
function changeSentence(record, row, { divergence, isEmpty }) {
  const [baseline] = record.rows;
  const [name, base, text] = [printable(row.name), printable(baseline.name), timeText(record)];
  const first = divergence ? `, first ${place(divergence)}: ${differenceText(divergence, base)}.` : '.';
  const strong = element('strong', {}, name);
  const took = `${text(row.median_ns)} against ${text(baseline.median_ns)}`;
  switch (row.verdict) {
    case 'faster': case 'slower':
      return [strong, ` is ${row.verdict}: ${took}${ratioText(row.ratio)}`
        + (divergence ? `. It does something else${first}` : '.')];
    case 'same':
      if (divergence) return [strong, ` takes as long as ${base}, but does something else${first}`];
      if (record.clock !== 'virtual') return [strong, ` takes as long as ${base}: ${took}.`];
      return [strong, isEmpty && record.costs ? ` is the same as ${base} in every respect.` : ` takes exactly as long as ${base}.`];
    default:
      return [strong, ' is undecided: ', worded(row.note ?? 'there is no verdict'), '.'];
  }
}
