// A panel (chart name, parameters, columns and rows, as the page carries them) -> a Vega view. Runs in a browser and
// without one.
import {parse, resetSVGDefIds, View} from 'vega';
import {expressionInterpreter} from 'vega-interpreter';

import {charts, parts} from 'fairstep:charts';
import {light} from '../../src/fairstep/page/palette.mjs';

export const chartNames = Object.keys(charts);

/// "$yTitle" anywhere in a specification becomes the parameter of that name; within an expression, where it stands
/// between quotes, as such a text.
function filled(value, parameters) {
  const shared = value?.['='];
  if (shared !== undefined) return filled(parts[shared], parameters);
  if (typeof value === 'string') {
    if (/^\$\w+$/.test(value)) return parameters[value.slice(1)] ?? '';
    return value.replace(/\$([a-z]\w*)/gi, (_, name) => JSON.stringify(String(parameters[name] ?? '')).slice(1, -1));
  }
  if (Array.isArray(value)) return value.map((entry) => filled(entry, parameters));
  if (value !== null && typeof value === 'object')
    return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, filled(entry, parameters)]));
  return value;
}

/// What is drawn later lies on top.
const onTop = ['optimum', 'allowed', 'other_form', 'penalty', 'literal', 'variant', 'unconstrained', 'ours'];

export function rowsOf({chart, columns, rows}) {
  const made = rows.map((row) => Object.fromEntries(columns.map((column, i) => [column, row[i]])));
  if (chart !== 'proof' && columns.includes('kind')) made.sort((a, b) => onTop.indexOf(a.kind) - onTop.indexOf(b.kind));
  return made;
}

export function specificationOf({chart, parameters = {}}, rows) {
  const made = filled(charts[chart], parameters);
  for (const signal of made.signals ?? []) if (signal.name in parameters) signal.value = parameters[signal.name];
  for (const data of made.data) if (data.name === 'rows') data.values = rows;
  return made;
}

/// Numbers are read by an interpreter, not by generated code: the page's security policy forbids the latter.
export function viewOf(panel, rows, options = {}) {
  const view = new View(parse(specificationOf(panel, rows), null, {ast: true}), {
    expr: expressionInterpreter,
    renderer: 'none',
    logLevel: 0,
    ...options,
  });
  return view;
}

/// The chart on its own, in light colours: the same text in a browser and without one.
export async function svgOf(panel, rows) {
  resetSVGDefIds();
  const view = viewOf(panel, rows);
  const svg = await view.toSVG();
  view.finalize();
  return svg.replace(/var\(--([a-z-]+)\)/g, (whole, name) => light[name] ?? whole);
}
