// Elements, and two kinds of charts. Text goes in as text, never as markup: names come from users' files.

/// make('p', {class: 'x', hidden: true}, 'text', element)
export function make(tag, attributes = {}, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

function draw(tag, attributes = {}, ...children) {
  return fill(document.createElementNS('http://www.w3.org/2000/svg', tag), attributes, children);
}

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes))
    if (value !== false && value !== undefined) element.setAttribute(name, value === true ? '' : value);
  element.append(...children);
  return element;
}

const [width, height, left, right, top, bottom] = [340, 190, 38, 10, 10, 26];

/// About four round numbers from `low` to `high`.
function ticks(low, high) {
  const rough = (high - low) / 4;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((n) => n * power).find((n) => n >= rough * 0.999);
  const found = [];
  for (let n = Math.ceil(low / step - 1e-9); n * step <= high + 1e-9 * step; ++n) found.push(n * step);
  return {found, digits: Math.max(0, -Math.floor(Math.log10(step) + 1e-9))};
}

/// An empty chart, and how to place a point in it.
function frame(label, [xLow, xHigh], [yLow, yHigh], xTicks, xName) {
  const x = (value) => left + ((value - xLow) / (xHigh - xLow || 1)) * (width - left - right);
  const y = (value) => height - bottom - ((value - yLow) / (yHigh - yLow || 1)) * (height - top - bottom);
  const chart = draw('svg', {viewBox: `0 0 ${width} ${height}`, role: 'img', 'aria-label': label});
  const {found, digits} = ticks(yLow, yHigh);
  for (const value of found)
    chart.append(
      draw('line', {class: 'grid', x1: left, x2: width - right, y1: y(value), y2: y(value)}),
      draw('text', {class: 'tick', x: left - 5, y: y(value) + 4, 'text-anchor': 'end'}, value.toFixed(digits)),
    );
  for (const [value, text] of xTicks)
    chart.append(draw('text', {class: 'tick', x: x(value), y: height - bottom + 14, 'text-anchor': 'middle'}, text));
  chart.append(draw('text', {class: 'tick', x: width - right, y: height - 1, 'text-anchor': 'end'}, xName));
  return {chart, x, y};
}

/// The pieces of a line between values that are not known.
function pieces(points) {
  const all = [[]];
  for (const point of points) point[1] === null ? all.push([]) : all.at(-1).push(point);
  return all.filter(({length}) => length > 0);
}

export const seriesClass = (i) => `s${i % 6}${i >= 6 ? ' again' : ''}`;

/// Steps along the bottom. lines: [{values, series}], limit: a number or none.
export function stepChart(label, lines, {limit, most = 0, least = 0} = {}) {
  const known = lines.flatMap(({values}) => values).filter((value) => value !== null);
  const highest = most || 1.15 * Math.max(limit ?? 0, ...known) || 1;
  const steps = lines[0].values.length;
  const every = Math.ceil(steps / 12);
  const xTicks = [...Array(steps).keys()].filter((h) => h % every === 0).map((h) => [h, String(h)]);
  const {chart, x, y} = frame(label, [0, Math.max(steps - 1, 1)], [least, highest], xTicks, 'step');
  for (const {values, series} of lines) {
    const group = draw('g', {class: series});
    for (const piece of pieces(values.map((value, h) => [h, value])))
      group.append(
        draw('polyline', {points: piece.map(([h, value]) => `${x(h)},${y(value)}`).join(' ')}),
        ...piece.map(([h, value]) => draw('circle', {cx: x(h), cy: y(value), r: 2.6})),
      );
    chart.append(group);
  }
  if (limit !== undefined)
    chart.append(draw('line', {class: 'limit', x1: left, x2: width - right, y1: y(limit), y2: y(limit)}));
  return chart;
}

/// points: [{limit, value}], here: the same of the present question.
export function frontierChart(label, points, here) {
  const all = here ? [...points, here] : points;
  const values = all.map(({value}) => value);
  const limits = all.map(({limit}) => limit);
  let [low, high] = [Math.min(...values), Math.max(...values)];
  if (high - low < 1e-9) [low, high] = [low - 0.01, high + 0.01];
  const room = (high - low) * 0.08;
  const span = [Math.min(...limits), Math.max(...limits)];
  const {found, digits} = ticks(span[0], span[1] > span[0] ? span[1] : span[0] + 0.1);
  const xTicks = found.map((value) => [value, value.toFixed(digits)]);
  const {chart, x, y} = frame(label, span, [low - room, high + room], xTicks, 'limit');
  const line = draw('g', {class: 's0'});
  if (points.length > 0)
    line.append(
      draw('polyline', {points: points.map(({limit, value}) => `${x(limit)},${y(value)}`).join(' ')}),
      ...points.map(({limit, value}) => draw('circle', {cx: x(limit), cy: y(value), r: 2.2})),
    );
  chart.append(line);
  if (here) chart.append(draw('circle', {class: 'here', cx: x(here.limit), cy: y(here.value), r: 6}));
  return chart;
}
