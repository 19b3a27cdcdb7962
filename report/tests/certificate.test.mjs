// A certificate's page in a real browser. PAGE holds, FORGED is the same with a certificate that was changed inside, HOSTILE
// has names that are attacks; tests/python/test_cli_certificate.py makes them and runs this.
import assert from 'node:assert/strict';
import {readFileSync} from 'node:fs';
import {createRequire} from 'node:module';
import {resolve} from 'node:path';
import {after, before, test} from 'node:test';
import {pathToFileURL} from 'node:url';

import {launch} from './browser.mjs';

const {PAGE, FORGED, HOSTILE, CERTIFICATE} = process.env;
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

let browser;
before(async () => {
  browser = await launch();
});
after(() => browser.close());

async function open(file, options = {}) {
  const page = await browser.newPage({viewport: {width: 1400, height: 900}, acceptDownloads: true, ...options});
  page.setDefaultTimeout(120000); // a busy machine is no failure
  const trouble = [];
  const address = pathToFileURL(resolve(file)).href;
  page.on('console', (message) => message.type() === 'error' && trouble.push(message.text()));
  page.on('pageerror', (error) => trouble.push(String(error)));
  page.on('dialog', (dialog) => {
    trouble.push(`dialog ${dialog.message()}`);
    dialog.dismiss();
  });
  page.on('request', (request) => {
    if (request.url() !== address && !request.url().startsWith('blob:')) trouble.push(`request ${request.url()}`);
  });
  await page.goto(address);
  if (options.javaScriptEnabled !== false) await page.waitForSelector('#check:is([data-verdict=holds], [data-verdict=fails])');
  return {page, trouble};
}
const verdict = (page) => page.$eval('#check .verdict', (element) => element.textContent);

test('checks itself, shows the numbers derived, and asks nobody for anything', async () => {
  const {page, trouble} = await open(PAGE);
  assert.match(await verdict(page), /inside this page holds/);
  const rows = await page.$$eval('#check tbody tr', (all) => all.map((row) => [...row.cells].map((cell) => cell.textContent)));
  assert.ok(rows.length > 0);
  for (const [, , certified, derived] of rows) assert.ok(Math.abs(certified - derived) <= 2e-6, `${certified} ${derived}`);
  assert.deepEqual(trouble, []);
});

test('gives the certificate back byte for byte', async () => {
  const {page} = await open(PAGE);
  const [download] = await Promise.all([page.waitForEvent('download'), page.click('#check button')]);
  assert.equal(readFileSync(await download.path(), 'utf8'), readFileSync(CERTIFICATE, 'utf8'));
});

test('says that a certificate that was changed inside of it does not hold', async () => {
  const {page} = await open(FORGED);
  assert.match(await verdict(page), /does not hold/);
});

test('does not claim to have checked where scripts do not run', async () => {
  const {page} = await open(PAGE, {javaScriptEnabled: false});
  assert.match(await verdict(page), /Not checked/);
});

test('names cannot run anything', async () => {
  const {page, trouble} = await open(HOSTILE);
  assert.match(await verdict(page), /inside this page holds/);
  assert.equal(await page.$$eval('img, iframe, object', (all) => all.length), 0);
  assert.deepEqual(trouble, []);
});

for (const width of [390, 1400])
  for (const colorScheme of ['light', 'dark'])
    test(`axe finds nothing at ${width} px, ${colorScheme}, and nothing is wider than the screen`, async () => {
      const {page} = await open(PAGE, {viewport: {width, height: 900}, colorScheme});
      await page.evaluate(axe);
      const {violations} = await page.evaluate(() => globalThis.axe.run());
      assert.deepEqual(violations.map(({id, nodes}) => [id, nodes.slice(0, 3).map(({html}) => html)]), []);
      assert.equal(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth), 0);
    });
