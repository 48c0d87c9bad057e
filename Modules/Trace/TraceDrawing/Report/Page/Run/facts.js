/** The facts about a row, as pairs of name and text. For a lane, these are about the given time. */
function facts(run, row, at) {
  const { step } = row;
  if (row.members) return factsOfMany(run, row);
  if (row.lane) return factsOfLane(run, row, at);
  if (!step) return [['what', 'the run’s own step'], ['thread blocked', time(blockedTime(row))]];
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
  if (row.queued.length) add('queued', `${time(queued(row))} for its lane when it could continue`);
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
  const { durations = [], criticalCount, members } = row;
  const of = (part) => time(Math.round(quantile(durations, part)));
  const onPath = criticalCount && `${grouped(criticalCount)} of them, ${row.share ?? '0 %'} of the makespan`;
  const beside = row.everything.length - members.length;
  const result = [
    ['steps', grouped(members.length) + (beside ? `, and ${grouped(beside)} below them` : '')],
    ['what', [...new Set(members.map(({ step }) => printable(step.pattern)))].slice(0, 3).join(', ')],
    ['from', time(row.from)], ['to', time(row.to)],
    durations.length && ['took', durations[0] === durations[durations.length - 1] ? `each ${time(durations[0])}`
      : `${time(durations[0])} to ${time(durations[durations.length - 1])}, median ${of(0.5)}`],
    onPath && ['critical path', onPath], row.hasFailed && ['outcome', 'not all succeeded'],
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
