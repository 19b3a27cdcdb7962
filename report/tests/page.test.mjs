// The report in a real browser. REPORT is an HTML file, FOLDER the experiment it was made from, HOSTILE a report whose
// names are attacks. tests/python/test_report.py makes them and runs this.
import assert from 'node:assert/strict';
import {readdirSync, readFileSync} from 'node:fs';
import {createRequire} from 'node:module';
import {join, resolve} from 'node:path';
import {after, before, test} from 'node:test';
import {pathToFileURL} from 'node:url';

import {launch} from './browser.mjs';

const {REPORT, FOLDER, HOSTILE} = process.env;
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const json = (...parts) => JSON.parse(readFileSync(join(FOLDER, ...parts), 'utf8'));
const plan = json('experiment.json');

let browser;
let shared; // a page for tests that only read
before(async () => {
  browser = await launch();
  shared = await open(REPORT);
});
after(() => browser.close());

/// A page that keeps what must not happen: errors, requests, violations of its own policy.
async function open(file, options = {}) {
  const page = await browser.newPage({viewport: {width: 1280, height: 900}, acceptDownloads: true, ...options});
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
    const url = request.url();
    if (url.split('#')[0] !== address && !url.startsWith('blob:') && !url.startsWith('data:')) trouble.push(`request ${url}`);
  });
  await page.addInitScript(() => {
    window.violations = [];
    document.addEventListener('securitypolicyviolation', ({violatedDirective, blockedURI}) =>
      window.violations.push(`${violatedDirective} ${blockedURI}`),
    );
  });
  await page.goto(address);
  if (options.javaScriptEnabled !== false) await page.waitForSelector('html[data-drawn=all]', {timeout: 120000});
  const quiet = async () => {
    assert.deepEqual(trouble, []);
    if (options.javaScriptEnabled !== false) assert.deepEqual(await page.evaluate(() => window.violations), []);
  };
  return {page, quiet};
}

/// The runs of a method, as the folder has them.
function runsOf(environment, notion, method) {
  const folder = join('runs', environment, notion, method);
  return readdirSync(join(FOLDER, folder)).map((repeat) => json(folder, repeat, 'result.json'));
}
const mean = (numbers) => numbers.reduce((sum, number) => sum + number, 0) / numbers.length;
const near = (found, expected, what) =>
  assert.ok(Math.abs(found - expected) <= 1e-9 * Math.max(1, Math.abs(expected)), `${what}: ${found}, not ${expected}`);

/// Whether each drawn figure has marks, axes aside.
const marksOf = (figures) =>
  figures.map((figure) => ({
    id: figure.id,
    marks: figure.querySelectorAll('svg .role-mark path[d], svg .role-mark line, svg .role-mark text, svg .role-mark rect').length,
  }));

test('every panel draws, and nothing is asked of the network or of the policy', async () => {
  const {page, quiet} = shared;
  const shown = await page.$$eval('figure.panel:not([hidden])', marksOf);
  assert.ok(shown.length > 20);
  for (const {id, marks} of shown) assert.ok(marks > 1, `${id} is empty`);
  await quiet();
});

test('groups that show one setting at a time draw them all', async () => {
  const {page, quiet} = await open(REPORT);
  for (const select of await page.$$('[data-choose] select')) {
    const choices = await select.$$eval('option', (options) => options.map(({value}) => value));
    for (const choice of choices) {
      await select.selectOption(choice);
      const shown = await page.$$eval('#people figure.panel:not([hidden])', marksOf);
      assert.ok(shown.length > 0);
      for (const {id, marks} of shown) assert.ok(marks > 1, `${id} is empty`);
    }
  }
  await quiet();
  await page.close();
});

test('final numbers are those of the folder', async () => {
  const {page} = shared;
  let compared = 0;
  for (const {name} of plan.environments)
    for (const notion of plan.notions)
      for (const {id} of plan.methods) {
        const last = runsOf(name, notion, id).map(({updates}) => updates.at(-1));
        const row = page.locator(`[id="final-${name}-${notion}-${id}"]`);
        const cell = async (key) => Number(await row.locator(`data.${key}`).getAttribute('value'));
        near(await cell('return'), mean(last.map(({value}) => value)), `${id} return`);
        near(await cell('violation'), mean(last.map(({violation}) => violation)), `${id} violation`);
        near(await cell('worst'), mean(last.map(({gap}) => Math.max(...gap[notion]))), `${id} worst step`);
        compared += 3;
      }
  assert.equal(compared, 3 * plan.environments.length * plan.notions.length * plan.methods.length);
});

test('what charts are drawn from are the numbers of the folder', async () => {
  const {page} = shared;
  for (const {name} of plan.environments)
    for (const notion of plan.notions)
      for (const [panel, key] of [['violation', 'violation'], ['return', 'value']]) {
        const data = JSON.parse(await page.locator(`#${panel}-${name}-${notion} script`).textContent());
        const at = (column) => data.columns.indexOf(column);
        const expected = new Map();
        for (const {id, label} of plan.methods) {
          const runs = runsOf(name, notion, id);
          runs[0].updates.forEach(({k}, l) => expected.set(`${label} ${k}`, mean(runs.map(({updates}) => updates[l][key]))));
        }
        assert.ok(data.rows.length > 0);
        for (const row of data.rows)
          near(row[at('mean')], expected.get(`${row[at('method')]} ${row[at('k')]}`), `${panel} ${row[at('method')]}`);
      }
});

test('marks stand where the numbers say', async () => {
  // The final cross of a method, read back from its place between the axis' ticks.
  const {page} = shared;
  const {name} = plan.environments[0];
  const notion = plan.notions[0];
  const data = JSON.parse(await page.locator(`#pareto-${name}-${notion} script`).textContent());
  const place = await page.evaluate(
    ([id, most]) => {
      const svg = document.querySelector(`#${id} svg`);
      const crosses = [...svg.querySelectorAll('.mark-symbol.role-mark path')].filter((path) =>
        path.getAttribute('d').startsWith('M-'),
      );
      const plot = svg.querySelector('path.background').getBoundingClientRect();
      return crosses.map((cross) => {
        const box = cross.getBoundingClientRect();
        return ((box.left + box.width / 2 - plot.left) / plot.width) ** 2 * most; // a square-root axis
      });
    },
    [`pareto-${name}-${notion}`, data.parameters.xMax],
  );
  const at = (column) => data.columns.indexOf(column);
  for (const row of data.rows.filter((entry) => entry[at('role')] === 'final')) {
    const distance = Math.min(...place.map((x) => Math.abs(x - row[at('violation')])));
    assert.ok(distance < 0.01 * data.parameters.xMax, `no cross at ${row[at('violation')]}`);
  }
});

test('the slider goes from update to update by keyboard', async () => {
  const {page, quiet} = await open(REPORT);
  const {name} = plan.environments[0];
  const notion = plan.notions[0];
  const {id: method} = plan.methods[0];
  const updates = plan.schedule.length;
  const words = async () => page.locator('#policy output').textContent();
  assert.match(await words(), new RegExp(`update ${updates} of ${updates}`));
  await page.focus('#policy-update');
  for (const steps of [1, 2]) {
    await page.keyboard.press('ArrowLeft');
    const l = updates - 1 - steps;
    assert.match(await words(), new RegExp(`update ${l + 1} of ${updates}`));
    assert.equal(await page.getAttribute('#policy-update', 'aria-valuetext'), await words());
    const policy = json('runs', name, notion, method, '0', 'updates', `${String(l).padStart(4, '0')}.policy.json`);
    const cells = await page.$$eval('#policy .maps:not(.printed) .map', (maps) =>
      maps.map((map) => [...map.querySelectorAll('.mark-text.role-mark text')].map(({textContent}) => textContent)),
    );
    policy.accept.forEach((group, g) => {
      const expected = group.flatMap((row) => row.map((value) => (Math.round(value * 1e4) / 1e4).toFixed(2))).sort();
      assert.deepEqual([...cells[g]].sort(), expected);
    });
  }
  await page.check('#policy-difference');
  assert.equal(await page.locator('#policy .maps .map').count(), 1);
  await quiet();
  await page.close();
});

test('charts can be taken along as CSV, SVG and PNG', async () => {
  const {page, quiet} = await open(REPORT);
  const figure = page.locator('figure.panel').first();
  const take = async (format) => {
    const [download] = await Promise.all([page.waitForEvent('download'), figure.locator(`[data-take=${format}]`).click()]);
    assert.ok(download.suggestedFilename().endsWith(`.${format.toLowerCase()}`));
    return readFileSync(await download.path());
  };
  const data = JSON.parse(await figure.locator('script').textContent());
  const lines = (await take('CSV')).toString().trim().split('\r\n');
  assert.equal(lines.length, data.rows.length + 1);
  assert.equal(lines[0], data.columns.filter((column) => !data.hidden.includes(column)).join(','));
  const svg = (await take('SVG')).toString();
  assert.ok(svg.startsWith('<svg') && !svg.includes('var(--'));
  assert.equal((await take('PNG')).subarray(1, 4).toString(), 'PNG');
  await quiet();
  await page.close();
});

// A phone in the dark has the phone's layout and the dark's colours, and nothing of its own.
for (const [look, options, run] of [
  ['on a desk', {}, {}],
  ['in the dark', {colorScheme: 'dark'}, {runOnly: ['color-contrast']}],
  ['on a phone', {viewport: {width: 390, height: 844}}, {}],
])
  test(`axe finds nothing serious ${look}, and the page fits`, async () => {
    const {page, quiet} = await open(REPORT, options);
    const wide = () => page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    for (const details of await page.$$('details')) await details.evaluate((element) => (element.open = true));
    assert.equal(await wide(), 0);
    // Tables behind charts are made alike: the first of each section speaks for the others.
    await page.$$eval('section .panels', (groups) => {
      for (const group of groups)
        for (const details of [...group.querySelectorAll('details')].slice(1)) details.open = false;
    });
    await page.evaluate(axe);
    const {violations} = await page.evaluate((options) => axe.run(document, {resultTypes: ['violations'], ...options}), run);
    const serious = violations
      .filter(({impact}) => ['serious', 'critical'].includes(impact))
      .map(({id, nodes}) => `${id}: ${nodes.length}, such as ${nodes[0].html}`);
    assert.deepEqual(serious, []);
    await quiet();
    await page.close();
  });

test('the keyboard reaches everything, and the skip link comes first', async () => {
  const {page} = await open(REPORT);
  await page.keyboard.press('Tab');
  assert.equal(await page.evaluate(() => document.activeElement.className), 'skip');
  await page.keyboard.press('Enter');
  await page.waitForURL(/#content$/); // the address follows the key, but not at once
  await page.close();
});

test('links from the summary lead to rows and claims', async () => {
  const {page} = shared;
  const targets = await page.$$eval('#summary a, nav a', (links) => links.map((link) => link.getAttribute('href').slice(1)));
  assert.ok(targets.length > 10);
  for (const target of targets) assert.equal(await page.locator(`[id="${target}"]`).count(), 1, target);
});

test('names from files are text, whatever they are', async () => {
  const {page, quiet} = await open(HOSTILE);
  assert.equal(await page.locator('img').count(), 0);
  assert.ok((await page.locator('body').innerText()).includes('<img src=x onerror=alert(1)>'));
  await page.focus('#policy-update');
  await page.keyboard.press('ArrowLeft');
  await page.mouse.move(640, 450);
  await quiet();
  await page.close();
});

test('without scripts the words, verdicts and tables are there', async () => {
  const {page} = await open(REPORT, {javaScriptEnabled: false});
  assert.ok(await page.locator('#summary .cards').isVisible());
  assert.ok(await page.locator('noscript .warning').isVisible());
  assert.ok((await page.locator('#verdicts .badge').count()) > 10);
  assert.ok((await page.locator('figure.panel table').count()) > 20);
  await page.close();
});

test('paper is light, has no controls, and shows the policies of several updates', async () => {
  const {page} = await open(REPORT, {colorScheme: 'dark'});
  await page.evaluate(() => window.dispatchEvent(new Event('beforeprint')));
  await page.emulateMedia({media: 'print'});
  assert.equal(await page.evaluate(() => getComputedStyle(document.body).backgroundColor), 'rgb(255, 255, 255)');
  assert.equal(await page.locator('#policy .controls').isVisible(), false);
  assert.ok((await page.locator('#policy .printed .map svg').count()) >= 4);
  await page.close();
});
