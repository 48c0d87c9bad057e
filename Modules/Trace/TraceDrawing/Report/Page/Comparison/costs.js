/** How long threads were blocked, if that is longer than in the baseline. */
function costSentence(record, row) {
  const [one, other] = [record.baseline, row.name].map((name) => record.costs?.find((cost) => cost.name === name)?.blocked_ns ?? 0);
  const least = record.clock === 'virtual' ? 0 : record.threshold;
  if (other - one <= other * least) return null;
  return (row.runs > 1 ? ' In the run nearest to its median threads' : ' Threads') + ` were blocked for ${timeText(record)(other)}` + (one > 0 ? `, in ${printable(record.baseline)} for ${timeText(record)(one)}.` : '.');
}

/** The costs of the typical run of each row other than its time, if the rows differ in them. */
function costTable(record) {
  const costs = record.costs ?? [];
  const least = record.clock === 'virtual' ? 0 : record.threshold;
  const columns = [];
  for (const [name, field] of [['work', 'work_ns'], ['blocked', 'blocked_ns'], ['main held', 'main_held_ns']]) {
    const values = costs.map((cost) => cost[field]);
    const [low, high] = [Math.min(...values), Math.max(...values)];
    if (low < high && high - low > high * least) columns.push([name, (cost) => timeText(record)(cost[field]), field]);
  }
  const findings = (cost) => cost.findings.map(({ rule, count }) => count === 1 ? rule : `${rule} (${count})`).join(', ') || 'none';
  if (new Set(costs.map(findings)).size > 1) columns.push(['findings', findings, null]);
  if (!columns.length) return null;
  return [
    element('p', { class: 'note' }, 'In the run nearest to each median:'),
    element('div', { class: 'table' }, element('table', { class: 'costs' },
      element('thead', {}, element('tr', {}, element('th'), columns.map(([name, , field]) =>
        element('th', { scope: 'col', class: field && 'number' }, name)))),
      element('tbody', {}, costs.map((cost) => element('tr', {}, element('td', {}, printable(cost.name)),
        columns.map(([, text, field]) => element('td', { class: field && 'number', 'data-ns': field && cost[field] }, text(cost)))))))),
  ];
}
