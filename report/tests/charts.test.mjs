// Without a browser: taking along, and the names that leave the page.
import assert from 'node:assert/strict';
import {test} from 'node:test';

import {dark, light} from '../../src/fairstep/page/palette.mjs';
import {csvCell, csvOf} from '../src/take.mjs';

test('CSV quotes what needs quotes and keeps formulas from spreadsheets', () => {
  assert.equal(csvCell('a,b'), '"a,b"');
  assert.equal(csvCell('say "x"'), '"say ""x"""');
  assert.equal(csvCell('=1+1'), "'=1+1");
  assert.equal(csvCell(-1.5), '-1.5');
  assert.equal(csvCell(null), '');
});

test('CSV leaves out what only charts need', () => {
  const table = {columns: ['k', 'kind', 'mean'], hidden: ['kind'], rows: [[8, 'ours', 0.5], [16, 'ours', null]]};
  assert.equal(csvOf(table), 'k,mean\r\n8,0.5\r\n16,\r\n');
});

/// WCAG 2: relative luminance and contrast.
function contrast(a, b) {
  const luminance = (colour) => {
    const [red, green, blue] = [1, 3, 5].map((at) => {
      const part = parseInt(colour.slice(at, at + 2), 16) / 255;
      return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const [low, high] = [luminance(a), luminance(b)].sort((x, y) => x - y);
  return (high + 0.05) / (low + 0.05);
}

test('series reach a contrast of 3:1 and text 4.5:1, in both themes', () => {
  for (const palette of [light, dark]) {
    for (const name of ['ours', 'unconstrained', 'penalty', 'other-form', 'literal', 'variant', 'optimum', 'theorem', 'fit', 'heat'])
      assert.ok(contrast(palette[name], palette.paper) >= 3, `${name} ${contrast(palette[name], palette.paper)}`);
    for (const name of ['ink', 'muted', 'link', 'penalty-text'])
      assert.ok(contrast(palette[name], palette.paper) >= 4.5, `${name} ${contrast(palette[name], palette.paper)}`);
    for (const name of ['good', 'middling', 'bad'])
      assert.ok(contrast(palette[name], palette[`${name}-wash`]) >= 4.5, `${name} on its wash`);
  }
  assert.deepEqual(Object.keys(light), Object.keys(dark));
});
