const data = JSON.parse(document.getElementById('data').textContent);
let timeline = null;
let select = null;

function showRun(index) {
  const run = new Run(data.runs[index]);
  const article = document.getElementById('run');
  let table = null;
  timeline = new Timeline(run, (row) => table.mark(row));
  const choose = (row) => {
    timeline.choose(row);
    timeline.enlarge(row);
    timeline.chart.scrollIntoView({ block: 'nearest' });
  };
  table = new StepTable(run, choose);
  article.replaceChildren(...[
    element('h1', { class: run.name.length > 60 ? 'long' : null }, printable(run.name)),
    run.record.pattern !== run.name && element('p', { class: 'note' }, printable(run.record.pattern)),
    factPanel(run), ...sourcePanel(run).filter((part) => part.className === 'error'),
    run.advice && element('p', { class: 'advice' }, worded(run.advice)),
    element('section', { 'aria-label': 'Timeline' }, element('h2', {}, 'Timeline'), timeline.element),
    findingPanel(run, data, choose), criticalPanel(run, choose), table.element,
    ...sourcePanel(run).filter((part) => part.className !== 'error'),
  ].filter(Boolean));
  timeline.layOut();
  document.title = printable(run.name) + ' · timing report';
  document.documentElement.dataset.run = run.number;
}

/** Shows the selected run. */
function go(index) {
  if (select) select.value = index;
  showRun(index);
  history.replaceState(null, '', '#run-' + data.runs[index].number);
}

/** Shows the selected run, and scrolls to it. */
function visit(index) {
  go(index);
  document.getElementById('run').scrollIntoView();
}

/** If there are several runs: a list of their names, to choose one. */
function addChoice() {
  if (data.runs.length < 2) return;
  select = element('select', { 'aria-label': 'Run', onchange: () => go(+select.value) },
    data.runs.map((run, index) => element('option', { value: index }, `${run.number}: ${printable(run.name).slice(0, 60)}`)));
  document.getElementById('choice').append(select);
  const names = Map.groupBy ? Map.groupBy(data.runs.keys(), (index) => data.runs[index].name) : null;
  const groups = names ? [...names] : data.runs.map((run, index) => [run.name, [index]]);
  const overview = document.getElementById('overview');
  const column = (name, kind) => element('th', { scope: 'col', class: kind }, name);
  overview.append(element('div', { class: 'table' }, element('table', {},
    element('thead', {}, element('tr', {}, column('Run'), column('runs', 'number minor'), column('makespan', 'number'),
      column('outcome'), column('threads', 'number minor'), column('findings', 'number'))),
    element('tbody', {}, groups.map(([name, indices]) => {
      const all = [...indices];
      const records = all.map((index) => data.runs[index].record);
      const makespans = records.map((record) => record.makespan_ns).sort((a, b) => a - b);
      const outcomes = [...new Set(records.map((record) => record.outcome))];
      const findings = Math.max(...records.map((record) => record.lints.length));
      return element('tr', {},
        element('td', {}, element('button', { class: 'plain', onclick: () => visit(all[0]) }, printable(name))),
        element('td', { class: 'number minor' }, all.length),
        element('td', { class: 'number' }, time(Math.round(quantile(makespans, 0.5)))),
        element('td', { class: outcomes.join() === 'success' ? null : 'failure' }, outcomes.join(', ')),
        element('td', { class: 'number minor' }, Math.max(...records.map((record) => record.threads))),
        element('td', { class: 'number' }, findings || '–'));
    })))));
  if (data.left_out) {
    overview.append(element('p', { class: 'note' }, `${counted(data.left_out, 'repetition')} left out to keep the page short.`));
  }
  overview.hidden = false;
  const wanted = data.runs.findIndex((run) => '#run-' + run.number === location.hash);
  select.value = Math.max(wanted, 0);
  showRun(Math.max(wanted, 0));
}

for (const comparison of data.comparisons) {
  const section = document.getElementById('comparisons');
  section.hidden = false;
  section.append(comparisonPanel(comparison, visit));
}
if (data.runs.length === 1) showRun(0);
if (!data.runs.length) document.getElementById('run').append(element('p', { class: 'note' }, 'There are no runs.'));
addChoice();
matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => timeline?.recolor());
