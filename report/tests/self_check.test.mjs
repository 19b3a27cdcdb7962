// The check that a certificate's page makes of itself, without a browser. CERTIFICATES are files that hold, as other checkers
// say; tests/python/test_cli_certificate.py makes them and runs this.
import assert from 'node:assert/strict';
import {createHash} from 'node:crypto';
import {readFileSync} from 'node:fs';
import {test} from 'node:test';

import {checking, sha256} from '../../src/fairstep/certificate_page/self_check.mjs';

const files = process.env.CERTIFICATES.split(' ');
const read = (file) => JSON.parse(readFileSync(file, 'utf8'));

function check(certificate) {
  const work = checking(certificate);
  for (;;) {
    const {done, value} = work.next();
    if (done) return value;
  }
}

test('its SHA-256 is that of everybody else, whatever the length', () => {
  for (let length = 0; length < 200; ++length) {
    const text = 'ä€𝄞x'.repeat(length).slice(0, length);
    assert.equal(sha256(text), createHash('sha256').update(text).digest('hex'));
  }
});

for (const file of files)
  test(`confirms what holds: ${file}`, () => {
    const result = check(read(file));
    assert.deepEqual(result.wrong, []);
    if (!read(file).labels) assert.ok(result.rates.length > 0);
  });

/** Every place of a number below `node`, as the way there. */
function* numbers(node, way = []) {
  if (typeof node === 'number') yield way;
  else if (node && typeof node === 'object') for (const key of Object.keys(node)) yield* numbers(node[key], [...way, key]);
}

for (const file of files)
  test(`notices every certified number that is better than it may be: ${file}`, () => {
    const certificate = read(file);
    if (certificate.labels) return;
    const claims = ['certified_gap', 'certified_ratio', 'certified_value', 'delta', 'pairs', 'rates'];
    const ways = claims.flatMap((key) => [...numbers(certificate[key], [key])]);
    assert.ok(ways.length > 4);
    let tried = 0;
    for (const way of ways) {
      if (way.includes('estimate')) continue; // the page says that it does not derive these
      const by = way[0] === 'certified_value' || way[0] === 'certified_ratio' || way.includes('low') ? 1e-6 : -1e-6;
      const forged = structuredClone(certificate);
      const last = way.slice(0, -1).reduce((node, key) => node[key], forged);
      last[way.at(-1)] += by;
      // With two parts the page knows no more than that a bound is not above what it derives.
      const noticed = check(forged).wrong.length > 0;
      const byParts = certificate.inputs.design && ['certified_gap', 'certified_value', 'pairs'].includes(way[0]);
      assert.ok(noticed || byParts, way.join('/'));
      ++tried;
    }
    assert.ok(tried > 4);
  });

test('notices other counts and another policy', () => {
  const certificate = read(files[0]);
  for (const [name, from] of [['counts', '"first"'], ['policy', '"accept"']]) {
    const forged = structuredClone(certificate);
    const {text} = forged.inputs[name];
    const at = text.indexOf(from);
    const digit = at + text.slice(at).search(/[1-8]/);
    forged.inputs[name].text = text.slice(0, digit) + String(Number(text[digit]) + 1) + text.slice(digit + 1);
    const {wrong} = check(forged);
    assert.ok(wrong.some((sentence) => sentence.includes('hash')), name);
    forged.inputs[name].sha256 = sha256(forged.inputs[name].text);
    assert.ok(check(forged).wrong.length > 0, `${name}, with its hash made anew`);
  }
});

// Found by somebody who wanted a false claim accepted: what a certificate does not name was not looked at.
test('does not confirm a certificate that leaves out groups, pairs or shares of delta', () => {
  const forgeries = {
    'no pairs': (certificate) => {
      certificate.pairs = [];
      for (const steps of Object.values(certificate.certified_gap)) steps.fill(0);
    },
    'one group': (certificate) => { certificate.groups = certificate.groups.slice(0, 1); },
    'a negative share of delta': (certificate) => Object.assign(certificate, {followed: -0.999, delta_split: {}}),
    'no shares of delta': (certificate) => { certificate.delta_split = {}; },
  };
  for (const [name, forge] of Object.entries(forgeries)) {
    const certificate = read(files[0]);
    forge(certificate);
    assert.ok(check(certificate).wrong.length > 0, name);
  }
});
