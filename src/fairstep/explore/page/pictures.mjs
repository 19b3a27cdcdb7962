// What an answer looks like: tables and charts.
import {frontierChart, make, seriesClass, stepChart} from './svg.mjs';
import {acceptance, apart, change, notionCalled, number} from './words.mjs';

/// A short name keeps its line; one of hundreds of letters wraps.
const length = (name) => (name.length > 12 ? 'long' : false);

/// A table that scrolls by itself where it is wider than its place, by keyboard too.
function table(caption, head, rows) {
  return make(
    'div',
    {class: 'scroll', tabindex: 0, role: 'group', 'aria-label': caption},
    make(
      'table', {},
      make('caption', {}, caption),
      make('thead', {}, make('tr', {}, ...head.map((cell) => make('th', {scope: 'col', class: length(cell)}, cell)))),
      make('tbody', {}, ...rows.map(([name, ...cells]) =>
        make('tr', {}, make('th', {scope: 'row', class: length(name)}, name), ...cells.map((cell) => (cell instanceof Node ? cell : make('td', {}, cell)))))),
    ),
  );
}

const legend = (groups) =>
  make('ul', {class: 'legend'}, ...groups.map((name, g) => make('li', {class: seriesClass(g)}, name)));

const figure = (caption, ...inside) => make('figure', {}, make('figcaption', {}, caption), ...inside);

/// Group x step x feature; the highest feature on top.
export function policyTables(about, accept) {
  const isFor = (g) => (accept.length === 1 ? 'every group' : about.groups[g]);
  return accept.map((steps, g) => {
    const features = about.features.map((name, x) => [name, ...steps.map((row) => {
      const cell = make('td', {class: 'heat'}, acceptance(row[x]));
      cell.style.setProperty('--p', row[x]);
      return cell;
    })]);
    return table(`${isFor(g)}: probability to be accepted`, ['feature', ...steps.map((_, h) => String(h))], features.reverse());
  });
}

/// The rates that the notion compares, and how far apart they are.
export function rateCharts(about, effect, {fairness, limit}) {
  const notion = notionCalled(fairness === 'none' ? 'dp' : fairness);
  const asked = fairness === 'none' ? undefined : limit;
  const rates = effect[notion.rate];
  const gaps = effect.gaps[notion.key];
  const what = apart(notion);
  return [
    figure(`${notion.of}, by group`, stepChart(`${notion.of} at every step, by group; the table has the numbers`, rates.map((values, g) => ({values, series: seriesClass(g)})), {most: 1}), legend(about.groups)),
    figure(asked === undefined ? what : `${what}; dashed: the limit`, stepChart(`${what} at every step; the table has the numbers`, [{values: gaps, series: 's0'}], {limit: asked, most: notion.ratio ? 1 : 0})),
  ];
}

export function rateTable(about, effect, {fairness}) {
  const notion = notionCalled(fairness === 'none' ? 'dp' : fairness);
  const gaps = effect.gaps[notion.key];
  const head = ['step', ...about.groups, notion.ratio ? 'ratio' : 'gap'];
  return table(`${notion.of}, by group and step`, head, gaps.map((gap, h) => [String(h), ...effect[notion.rate].map((values) => number(values[h])), number(gap)]));
}

/// A change that is more than what is shown as 0 has a sign and a colour.
function changed(value) {
  const text = change(value);
  return make('td', {class: text.startsWith('+') ? 'gains' : text.startsWith('−') ? 'loses' : false}, text);
}

/// Beside the baseline: who is accepted more often, and whose decisions are worth more.
export function gains(about, effect) {
  const before = about.baseline;
  const rows = about.groups.map((name, g) => [
    name,
    number(effect.accepted_over_all[g]), changed(effect.accepted_over_all[g] - before.accepted_over_all[g]),
    number(effect.value_per_group[g]), changed(effect.value_per_group[g] - before.value_per_group[g]),
  ]);
  return table(`share accepted and value of a person over all steps, and the change from ${before.name}`, ['group', 'accepted', 'change', 'value', 'change'], rows);
}

export function frontier(points, here, isRatio) {
  const what = isRatio ? 'value against the least ratio asked for' : 'value against the limit';
  const sorted = [...points].sort((one, other) => one.limit - other.limit);
  const rows = sorted.map(({limit, value}) => [number(limit, 3), value === null ? 'no policy' : number(value, 5)]);
  return {
    chart: frontierChart(`${what}; the table has the numbers`, sorted.filter(({value}) => value !== null), here?.value === null ? undefined : here),
    table: table(`${what}, without proof`, ['limit', 'value'], rows),
  };
}

/// Two settings in numbers.
export function bothTable(about, answers) {
  const effects = answers.map(({effect}) => effect);
  const row = (name, pick, digits) => {
    const [one, other] = effects.map((effect) => (effect ? pick(effect) : null));
    const difference = one === null || other === null ? '–' : change(other - one, digits);
    return [name, number(one, digits), number(other, digits), difference];
  };
  const worst = (key) => (effect) => Math.max(...effect.gaps[key].filter((gap) => gap !== null), 0);
  return table('both settings', ['what', 'A', 'B', 'B less A'], [
    row('value', ({value}) => value, 5),
    row('widest dp gap', worst('dp')),
    row('widest eqopt gap', worst('eqopt')),
    ...about.groups.map((name, g) => row(`${name}: accepted`, ({accepted_over_all: rates}) => rates[g])),
    ...about.groups.map((name, g) => row(`${name}: value of a person`, ({value_per_group: values}) => values[g])),
  ]);
}
