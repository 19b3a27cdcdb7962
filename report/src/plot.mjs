// `fairstep plot`: every panel as an SVG file, and every group of panels as one figure with letters and a legend.
import {methods} from './charts/common.mjs';
import {rowsOf, svgOf} from './draw.mjs';
import {unpacked} from './unpack.mjs';
import {light} from '../../src/fairstep/page/palette.mjs';

const escaped = (text) => text.replace(/[&<>"]/g, (c) => ({'&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;'})[c]);
const font = 'font-family="system-ui, sans-serif"';

function legendItem([kind, label], x, y) {
  const at = methods.domain.indexOf(kind);
  const colour = kind === 'band' ? light.ours : (light[kind.replace('_', '-')] ?? light.muted);
  const key =
    kind === 'band'
      ? `<rect x="${x}" y="${y - 5}" width="26" height="10" fill="${colour}" opacity="0.25"/>`
      : `<line x1="${x}" x2="${x + 26}" y1="${y}" y2="${y}" stroke="${colour}" stroke-width="${methods.widths[at] ?? 2}" stroke-dasharray="${(methods.dashes[at] ?? []).join(' ')}"/>`;
  return `${key}<text x="${x + 32}" y="${y + 4}" ${font} font-size="12" fill="${light.ink}">${escaped(label)}</text>`;
}

/// Panels side by side; widths of text are guessed, there is nothing to measure with.
function figureOf({columns, legend, panels}) {
  const sizes = panels.map(({svg}) => svg.match(/viewBox="0 0 ([\d.]+) ([\d.]+)"/).slice(1).map(Number));
  const width = Math.max(...sizes.map(([w]) => w));
  const height = Math.max(...sizes.map(([, h]) => h)) + 22;
  const rows = Math.ceil(panels.length / columns);
  let x = 8;
  let line = 0;
  const items = legend.map((entry) => {
    const long = 46 + 6.6 * entry[1].length;
    if (x + long > columns * width && x > 8) {
      x = 8;
      ++line;
    }
    const item = legendItem(entry, x, 14 + 18 * line);
    x += long + 14;
    return item;
  });
  const top = legend.length > 0 ? 30 + 18 * line : 4;
  const inside = panels.map(({heading, svg}, i) => {
    const [left, above] = [(i % columns) * width, top + Math.floor(i / columns) * height];
    const title = `<text x="${left + 8}" y="${above + 14}" ${font} font-size="13" font-weight="600" fill="${light.ink}">(${String.fromCharCode(97 + (i % 26))}) ${escaped(heading)}</text>`;
    return title + svg.replace('<svg ', `<svg x="${left}" y="${above + 22}" `);
  });
  const [w, h] = [columns * width, top + rows * height];
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${w}" height="${h}" viewBox="0 0 ${w} ${h}">${items.join('')}${inside.join('')}</svg>`;
}

export async function plot(plan, folder, {readFile, writeFile}) {
  for (const group of JSON.parse(await readFile(plan, 'utf8'))) {
    const panels = [];
    for (const {id, heading, data} of group.panels) {
      const svg = await svgOf(data, rowsOf(unpacked(data)));
      await writeFile(`${folder}/${id}.svg`, svg + '\n');
      panels.push({heading, svg});
    }
    await writeFile(`${folder}/${group.id}.svg`, figureOf({...group, panels}) + '\n');
  }
}
