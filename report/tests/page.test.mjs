// The report in a real browser. REPORT is an HTML file, FOLDER the experiment it was made from, HOSTILE a report whose
// names are attacks. tests/python/test_report.py makes them and runs this.
import assert from 'node:assert/strict';
import {readdirSync, readFileSync} from 'node:fs';
import {createRequire} from 'node:module';
import {join, resolve} from 'node:path';
import {after, before, test} from 'node:test';
import {pathToFileURL} from 'node:url';

import {rates, unpacked} from '../src/unpack.mjs';
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

/// Charts have the digits that place a number within a hundred-thousandth of its column's range, five at least.
const nearIn = (column, found, expected, what) => {
  const range = Math.max(...column) - Math.min(...column);
  assert.ok(Math.abs(found - expected) <= 1.01e-5 * range + 1e-12, `${what}: ${found}, not ${expected}`);
};

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
        const data = unpacked(JSON.parse(await page.locator(`#${panel}-${name}-${notion} script`).textContent()));
        const at = (column) => data.columns.indexOf(column);
        const expected = new Map();
        for (const {id, label} of plan.methods) {
          const runs = runsOf(name, notion, id);
          runs[0].updates.forEach(({k}, l) => expected.set(`${label} ${k}`, mean(runs.map(({updates}) => updates[l][key]))));
        }
        assert.ok(data.rows.length > 0);
        for (const row of data.rows)
          nearIn(
            data.rows.map((each) => each[at('mean')]),
            row[at('mean')],
            expected.get(`${row[at('method')]} ${row[at('k')]}`),
            `${panel} ${row[at('method')]}`,
          );
      }
});

test('marks stand where the numbers say', async () => {
  // The final cross of a method, read back from its place between the axis' ticks.
  const {page} = shared;
  const {name} = plan.environments[0];
  const notion = plan.notions[0];
  const data = unpacked(JSON.parse(await page.locator(`#pareto-${name}-${notion} script`).textContent()));
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

test('columns are read as they were packed', () => {
  const data = [{values: ['a', 'b'], runs: [2, 1]}, {values: [0.5, null], at: [1, 0, 1]}, [1, 2, 3]];
  assert.deepEqual(unpacked({chart: 'x', data}), {chart: 'x', rows: [['a', null, 1], ['a', 0.5, 2], ['b', null, 3]]});
  assert.deepEqual(rates('0099rs'), [0, 0.333, 1]);
});

test('the first screen has a sentence, a chart for each setting, and the numbers of the folder', async () => {
  const {page} = shared;
  assert.ok((await page.locator('h1').textContent()).includes('at every step'));
  for (const {name} of plan.environments)
    for (const notion of plan.notions) {
      const figure = page.locator(`#front-${name}-${notion}`);
      assert.ok(await figure.locator('svg').isVisible());
      const box = await figure.locator('svg').boundingBox();
      assert.ok(box.y + box.height <= 900, `${box.y} + ${box.height}`); // without scrolling
      const data = unpacked(JSON.parse(await figure.locator('script').textContent()));
      const at = (column) => data.columns.indexOf(column);
      for (const {id, label} of plan.methods.filter(({id}) => !id.includes('literal'))) {
        const last = runsOf(name, notion, id).map(({updates}) => updates.at(-1));
        const row = data.rows.find((each) => each[at('role')] === 'final' && each[at('method')] === label);
        for (const [column, key] of [['violation', 'violation'], ['value', 'value']])
          nearIn(data.rows.map((each) => each[at(column)]), row[at(column)], mean(last.map((update) => update[key])), label);
      }
    }
});

test('the pointer is told of the nearest mark, in words, and finds its method everywhere', async () => {
  const {page, quiet} = await open(REPORT);
  const {name} = plan.environments[0];
  const notion = plan.notions[0];
  const figure = page.locator(`#front-${name}-${notion}`);
  // The cross of the method, by its place on the page; the pointer stops five pixels away from it.
  const place = await figure.evaluate((element) => {
    const cross = [...element.querySelectorAll('.role-mark path')].find(
      ({__data__: item}) => item?.datum?.kind === 'ours' && item.datum.role === 'final' && item.tooltip,
    );
    const box = cross.getBoundingClientRect();
    return [box.left + box.width / 2, box.top + box.height / 2];
  });
  await page.mouse.move(place[0] + 3, place[1] - 4);
  const {label} = plan.methods.find(({id}) => id === 'ours');
  const said = await page.locator('.tooltip.seen').innerText();
  assert.ok(said.includes(label) && said.includes('violation'), said);
  assert.equal(await figure.locator('circle.nearest').count(), 1);
  const back = () =>
    page.$$eval('figure.panel svg .back', (nodes) => nodes.map(({__data__: item}) => (Array.isArray(item) ? item[0] : item).datum.kind));
  const kinds = new Set(await back());
  assert.ok(kinds.has('penalty') && kinds.has('unconstrained') && !kinds.has('ours'), [...kinds].join());
  await page.mouse.move(4, 4);
  assert.equal(await page.locator('.tooltip.seen').count(), 0);
  assert.deepEqual(await back(), []);
  // Kept by a click until Escape.
  await page.mouse.click(place[0], place[1]);
  await page.mouse.move(4, 4);
  assert.ok((await back()).length > 0);
  await page.keyboard.press('Escape');
  assert.deepEqual(await back(), []);
  // No mark of any chart says the name of a parameter in the place of its value.
  const words = await page.$$eval('figure svg .role-mark *', (nodes) =>
    nodes.flatMap(({__data__: item}) => (item?.tooltip ? Object.entries(item.tooltip).flat() : [])),
  );
  assert.ok(words.length > 100);
  assert.deepEqual(words.filter((word) => String(word).includes('$') || word === ''), []);
  await quiet();
  await page.close();
});

test('names in a legend switch their series off and on, by mouse and keyboard, in every chart', async () => {
  const {page, quiet} = await open(REPORT);
  const drawn = () =>
    page.$$eval('figure.panel svg .role-mark *', (nodes) =>
      nodes.filter(({__data__: item}) => (Array.isArray(item) ? item[0] : item)?.datum?.kind === 'penalty').length,
    );
  const before = await drawn();
  assert.ok(before > 0);
  const button = page.locator('#result .legend button[data-kind=penalty]');
  await button.click();
  assert.equal(await button.getAttribute('aria-pressed'), 'false');
  assert.equal(await drawn(), 0);
  // The same name in another legend is the same switch.
  const other = page.locator('#steps .legend button[data-kind=penalty]');
  assert.equal(await other.getAttribute('aria-pressed'), 'false');
  await other.focus();
  await page.keyboard.press('Enter');
  assert.equal(await button.getAttribute('aria-pressed'), 'true');
  assert.equal(await drawn(), before);
  await quiet();
  await page.close();
});

test('steps are counted from 0, as everywhere else', async () => {
  const data = unpacked(JSON.parse(await shared.page.locator(`#steps-${plan.environments[0].name}-${plan.notions[0]} script`).textContent()));
  const steps = data.rows.map((row) => row[data.columns.indexOf('step')]);
  assert.deepEqual([Math.min(...steps), Math.max(...steps)], [0, plan.horizon - 1]);
});

test('labels of weights keep apart', async () => {
  const meeting = await shared.page.$$eval('figure[data-chart=pareto] svg', (charts) =>
    charts.flatMap((svg) => {
      // Each label is drawn twice, its rim first.
      const boxes = [...svg.querySelectorAll('.mark-text.role-mark text')]
        .filter(({textContent}) => /^[0-9]/.test(textContent))
        .map((node) => [node.textContent, node.getBoundingClientRect()]);
      return boxes.flatMap(([a, one], i) =>
        boxes.slice(i + 1).filter(([b, two]) => a !== b && one.left < two.right && two.left < one.right && one.top < two.bottom && two.top < one.bottom),
      );
    }),
  );
  assert.deepEqual(meeting, []);
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
      const expected = group.flatMap((row) => row.map((value) => (Math.round(value * 1e3) / 1e3).toFixed(2))).sort();
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
  const data = unpacked(JSON.parse(await figure.locator('script').textContent()));
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
  test(`axe finds nothing to complain about ${look}, and the page fits`, async () => {
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
    const found = violations.map(({id, nodes}) => `${id}: ${nodes.length}, such as ${nodes[0].html}`);
    assert.deepEqual(found, []);
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
