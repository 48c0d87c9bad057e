/** The figures of a run. */
function factPanel(run) {
  const { record } = run;
  const figure = (name, value, nanoseconds, kind) => element('div', {}, element('dt', {}, name),
    element('dd', { 'data-fact': name, 'data-ns': nanoseconds, class: kind }, value));
  return element('dl', { class: 'facts' },
    figure('makespan', time(record.makespan_ns), record.makespan_ns),
    element('div', {}, element('dt', {}, 'outcome'),
      element('dd', { class: record.outcome === 'success' ? null : 'failure' }, record.outcome)),
    figure('work', time(record.work_ns), record.work_ns),
    figure('blocked', time(record.blocked_ns), record.blocked_ns, record.blocked_ns > 0 && 'blocked'),
    figure('concurrency', record.max_concurrency),
    figure('threads', record.threads),
    figure('steps', grouped(record.steps.length)),
    record.overhead_ns != null && figure('recording', `${time(Math.round(record.overhead_ns))} an event`),
    figure('clock', record.clock + (run.seed !== '0' ? `, seed ${run.seed}` : '')));
}

/** The findings, each with what the rule is about and the fix. */
function findingPanel(run, { rules, most_findings: most }, choose) {
  const { lints } = run.record;
  const left = lints.length - most;
  if (!lints.length) return null;
  return element('section', { 'aria-label': 'Findings' }, element('h2', {}, 'Findings'),
    lints.slice(0, most).map((lint, index) => {
      const row = run.byPath.get(lint.step)?.[0];
      const rule = Object.hasOwn(rules, lint.rule) ? rules[lint.rule] : null;
      // The end of the message is more specific to this run than the rule is.
      let [what, fix] = [lint.message, rule?.fix.replace(/\.$/, '')];
      const cut = lint.message.lastIndexOf('; ');
      if (rule && cut >= 0) [what, fix] = [lint.message.slice(0, cut), lint.message.slice(cut + 2)];
      const where = row
        ? element('button', { class: 'plain', onclick: () => choose(row) }, printable(lint.step)) : printable(lint.step);
      return element('div', { class: 'finding' }, element('span', { class: 'badge' }, index + 1),
        element('h3', {}, lint.rule, lint.step ? ' · ' : '', where,
          lint.count > 1 && `, ${grouped(lint.count)} times`),
        element('p', {}, worded(what) + '.'),
        fix && element('p', {}, element('strong', {}, 'Fix: '), worded(fix) + '.'),
        rule && element('p', { class: 'note' }, `${rule.meaning} More in the documentation: ${rule.page}`));
    }),
    left > 0 && element('p', { class: 'note' }, `… ${grouped(left)} more ${left === 1 ? 'finding' : 'findings'}`));
}

/** Shows a part of the rows, and a button for more. */
function fill(body, rows, make, count) {
  const table = body.parentElement;
  table.parentElement.querySelector('.more')?.remove();
  let shown = 0;
  const more = () => {
    // Each time twice as many, so that the end of a long table is near.
    const next = Math.max(count, shown);
    body.append(...rows.slice(shown, shown + next).map(make));
    shown = Math.min(shown + next, rows.length);
    button.textContent = `Show more (${grouped(rows.length - shown)} left)`;
    button.hidden = shown >= rows.length;
  };
  const button = element('button', { class: 'more', onclick: more });
  body.replaceChildren();
  more();
  table.after(button);
}

/** The steps that add up to the makespan, with the share of each, and why each could start. */
function criticalPanel(run, choose) {
  const { chain, record } = run;
  const path = chain.filter((part) => part.step != null);
  if (!path.length) return null;
  const whole = record.makespan_ns;
  const sum = chain.reduce((total, part) => total + part.duration_ns, 0);
  const body = element('tbody');
  const table = element('table', { class: 'path' },
    element('thead', {}, element('tr', {}, element('th', { scope: 'col' }, 'Step'),
      element('th', { scope: 'col', class: 'number' }, 'took'), element('th', { scope: 'col' }, 'of the makespan'),
      element('th', { scope: 'col' }, 'started'))), body);
  const section = element('section', { 'aria-label': 'Critical path' }, element('h2', {}, 'Critical path'),
    element('p', { class: 'note' },
      `${counted(path.length, 'step')}${path.length > 1 ? ' one after another' : ''}${path.length < chain.length ? ', with delays' : ''}: ${time(sum)}, ${share(sum, whole)} of the makespan`
      + (whole - sum > whole / 200 ? `; the other ${time(whole - sum)} passed before, between or after them, in queues or waiting for a worker.` : '.')
      + ' Only shortening one of these makes the run shorter.'),
    element('div', { class: 'table' }, table));
  const longest = chain.reduce((most, part) => Math.max(most, part.duration_ns), 1);
  const lines = chain.map((item) => (
    { item, row: run.rowOfStep.get(item.step), why: item.reason && `after ${run.rowOfStep.get(item.source).label}: ${item.reason}` }));
  fill(body, lines, ({ item, row, why }) => {
    const bar = element('i');
    bar.style.width = Math.max(item.duration_ns / longest * 100, 0.5) + 'px';
    const name = row
      ? element('button', { class: 'plain', onclick: () => choose(row) }, printable(item.name)) : worded(item.name);
    return element('tr', {}, element('td', {}, name),
      element('td', { class: 'number', 'data-ns': item.duration_ns }, time(item.duration_ns)),
      element('td', {}, element('span', { class: 'share' }, bar, share(item.duration_ns, whole))),
      element('td', {}, why ?? '–'));
  }, 20);
  return section;
}

/** The source of the run, as it was written. */
function sourcePanel(run) {
  const { record } = run;
  const lines = [];
  if (record.error) lines.push(element('p', { class: 'error' }, 'Error: ' + printable(record.error)));
  if (record.stall?.length) lines.push(element('p', { class: 'error' }, printable(record.stall.join(' '))));
  if (record.dropped_events > 0) {
    lines.push(element('p', { class: 'error' },
      `${grouped(record.dropped_events)} events were lost, because the recorder was full: the rest may be wrong.`));
  }
  if (run.source || run.composition) {
    lines.push(element('details', {}, element('summary', {}, 'Source'),
      run.source && element('pre', {}, run.source),
      run.composition && run.composition !== run.source && element('pre', {}, run.composition)));
  }
  return lines;
}
