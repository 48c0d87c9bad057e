/** The facts about a row, as pairs of name and text. For a lane, these are about the given time. */
function facts(run, row, at) {
  const { step } = row;
  if (row.members) return factsOfMany(run, row);
  if (row.lane) return factsOfLane(run, row, at);
  if (!step) {
    const own = [['thread blocked', 'blocked'], ['delayed', 'delay']].map(([name, kind]) => [name, timeOf(row, kind)]);
    return [['what', 'the run’s own step'], ...own.filter(([, length]) => length > 0).map(([name, length]) => [name, time(length)])];
  }
  const { record } = run;
  const result = [];
  const add = (name, value) => { if (value != null && value !== '') result.push([name, value]); };
  if (step.path !== step.label) add('path', printable(step.path));
  add('what', printable(step.pattern));
  add('outcome', step.outcome + (step.error ? ': ' + printable(step.error) : ''));
  add('submitted', time(step.submitted_ns));
  if (step.started_ns != null) {
    const wait = step.started_ns - step.submitted_ns;
    add('started', time(step.started_ns) + (wait > 0 ? `, after ${time(wait)}` : ''));
    const waited = run.waited_for[row.index];
    const delay = row.stretches.find(({ kind, to }) => kind === 'delay' && to === step.started_ns);
    if (delay) add('delayed', `${time(delay.to - delay.from)} by a timer of its pattern`);
    if (waited && wait > 0) add('waited for', `${printable(record.steps[waited[0]].label)} (${waited[1]})`);
  } else {
    add('started', 'never');
  }
  if (step.finished_ns != null) add('finished', time(step.finished_ns));
  if (step.started_ns != null && step.finished_ns != null) {
    const took = step.finished_ns - step.started_ns;
    const own = run.shareOfStep.get(row.index);
    add('took', time(took) + (own == null ? '' : `, ${share(own, record.makespan_ns)} of the makespan`));
  }
  if (step.timed_out_ns != null) add('timed out', time(step.timed_out_ns));
  else if (step.cancelled_ns != null) add('cancelled', time(step.cancelled_ns));
  if (timeOf(row, 'kept-running') > 0) add('kept running', `${time(timeOf(row, 'kept-running'))} after it was cancelled`);
  const queued = record.intervals.filter(({ kind, step: path, from_ns, to_ns }) => kind === 'queued' && path === step.path
    && to_ns > row.from && from_ns < row.to).reduce((sum, { from_ns, to_ns }) => sum + Math.min(to_ns, row.to) - Math.max(from_ns, row.from), 0);
  if (queued > 0) add('queued', `${time(queued)} for its lane when it could continue`);
  if (step.work_ns > 0) add('work', time(step.work_ns));
  if (step.blocked_ns > 0) add('thread blocked', time(step.blocked_ns));
  add('lane', step.lane && printable(step.lane));
  const slack = run.slack_ns[row.index];
  if (step.critical) add('slack', 'none: it is on the critical path');
  else if (slack != null) add('slack', slack > 0 ? `it could end ${time(slack)} later without delaying the run` : 'none');
  if (row.findings.length) add('findings', row.findings.join(', '));
  return result;
}

function factsOfMany(run, row) {
  const { durations = [], fates = [], criticalCount, members } = row;
  const of = (part) => time(Math.round(quantile(durations, part)));
  const onPath = criticalCount && `${grouped(criticalCount)} of them, ${row.share ?? '0 %'} of the makespan`;
  const beside = row.everything.length - members.length;
  const result = [
    ['steps', grouped(members.length) + (beside ? `, and ${grouped(beside)} below them` : '')],
    ['what', [...new Set(members.map(({ step }) => printable(step.pattern)))].slice(0, 3).join(', ')],
    ['from', time(row.from)], ['to', time(row.to)],
    durations.length && ['took', durations[0] === durations[durations.length - 1] ? `each ${time(durations[0])}`
      : `${time(durations[0])} to ${time(durations[durations.length - 1])}, median ${of(0.5)}`],
    onPath && ['critical path', onPath], (fates.length || row.hasFailed) && ['outcome', fates.join(', ') || 'not all succeeded'],
    row.findings.length && ['findings', row.findings.slice(0, 20).join(', ')],
  ];
  return result.filter(Boolean);
}

function description(run, row, at) {
  return [
    element('h3', { class: row.isCritical ? 'critical' : null }, row.label),
    element('dl', {}, facts(run, row, at).map(([name, value]) =>
      element('div', {}, element('dt', {}, name), element('dd', {}, value)))),
  ];
}
