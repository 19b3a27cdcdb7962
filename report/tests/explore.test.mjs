// The page of `fairstep explore` in a real browser. EXPLORE is the address of one for the model in the file MODEL,
// HOSTILE of one whose names are attacks, COUNTED of one for counts, COMMAND the program: tests/python/test_cli_explore.py
// starts them and runs this.
import assert from 'node:assert/strict';
import {execFileSync} from 'node:child_process';
import {mkdtempSync, readFileSync} from 'node:fs';
import {createRequire} from 'node:module';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {after, before, test} from 'node:test';

import {launch} from './browser.mjs';

const {EXPLORE, HOSTILE, COUNTED, COMMAND, MODEL} = process.env;
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

let browser;
before(async () => (browser = await launch()));
after(() => browser.close());

/// A page that keeps what must not happen: errors, requests elsewhere, violations of its own policy. `unsafe` lets axe
/// in, which the page itself would not.
async function open(address, options = {}) {
  const context = await browser.newContext({viewport: {width: 1400, height: 900}, acceptDownloads: true, ...options});
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const page = await context.newPage();
  page.setDefaultTimeout(120000); // a busy machine is no failure
  const trouble = [];
  page.on('console', (message) => message.type() === 'error' && trouble.push(message.text()));
  page.on('pageerror', (error) => trouble.push(String(error)));
  page.on('dialog', (dialog) => {
    trouble.push(`dialog ${dialog.message()}`);
    dialog.dismiss();
  });
  page.on('request', (request) => {
    const url = request.url();
    if (!url.startsWith(address) && !url.startsWith('blob:') && !url.startsWith('data:')) trouble.push(`request ${url}`);
  });
  await page.addInitScript(() => {
    window.violations = [];
    document.addEventListener('securitypolicyviolation', ({violatedDirective, blockedURI}) =>
      window.violations.push(`${violatedDirective} ${blockedURI}`),
    );
  });
  await page.goto(address);
  await proven(page, 'A');
  const quiet = async () => {
    assert.deepEqual(trouble, []);
    if (!options.bypassCSP) assert.deepEqual(await page.evaluate(() => window.violations), []);
    assert.equal(await page.textContent('#trouble'), '');
    await context.close();
  };
  return {page, quiet};
}

const settingOf = (page, letter) => page.locator(`section[aria-label="Setting ${letter}"]`);
const answered = (page, letter, question) =>
  page.waitForSelector(`section[aria-label="Setting ${letter}"][data-question="${question}"]`);
const proven = (page, letter, question) =>
  page.waitForFunction(
    ([label, asked]) => {
      const setting = document.querySelector(`section[aria-label="${label}"]`);
      const isAsked = setting && (asked === undefined || setting.dataset.question === asked);
      return isAsked && /^proven/.test(setting.querySelector('.standing').textContent);
    },
    [`Setting ${letter}`, question],
  );
const valueOf = async (page, letter = 'A') => Number((await settingOf(page, letter).locator('.headline').textContent()).match(/value ([\d.]+)/)[1]);

/// What the command says to the same question.
function solved(...options) {
  const text = execFileSync(COMMAND, ['solve', MODEL, ...options, '--json'], {encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore']});
  return JSON.parse(text);
}

/// A slider takes the arrows; End and Home are its ends.
async function press(page, label, ...keys) {
  await page.locator(label).focus();
  for (const key of keys) await page.keyboard.press(key);
}

test('the first picture is the policy that the command finds, and is proven soon after', async () => {
  const {page, quiet} = await open(EXPLORE);
  const expected = solved('--fairness', 'dp', '--limit', '0.05');
  assert.ok(Math.abs((await valueOf(page)) - expected.value) <= 5.1e-6);
  const cells = await settingOf(page, 'A').locator('td.heat').allTextContents();
  const shown = (p) => (p === 0 || p === 1 ? String(p) : p.toFixed(2));
  const wanted = expected.policy.accept.flatMap((steps) => steps[0].map((_, x) => steps.map((row) => shown(row[x]))).reverse().flat());
  assert.deepEqual(cells, wanted);
  const bound = Number((await settingOf(page, 'A').locator('.standing').textContent()).match(/worth more than ([\d.]+),/)[1]);
  assert.ok(bound >= expected.bounds.lower);
  await quiet();
});

test('the slider moves the limit by keyboard, and the numbers are those of the command', async () => {
  const {page, quiet} = await open(EXPLORE);
  await press(page, '#A-limit', 'ArrowRight', 'ArrowRight');
  await proven(page, 'A', 'fairness=dp&limit=0.06');
  assert.ok(Math.abs((await valueOf(page)) - solved('--fairness', 'dp', '--limit', '0.06').value) <= 5.1e-6);
  await press(page, '#A-limit', 'Home');
  await proven(page, 'A', 'fairness=dp&limit=0');
  await settingOf(page, 'A').locator('.rates + details summary').click();
  const gaps = await settingOf(page, 'A').locator('.rateNumbers tbody td:last-child').allTextContents();
  assert.deepEqual(new Set(gaps), new Set(['0.0000']));
  await quiet();
});

test('the class, the floor, the capacity and the notion are part of the question', async () => {
  const {page, quiet} = await open(EXPLORE);
  await page.check('#A-monotone');
  await page.fill('[aria-label="capacity: most that are accepted, as a number"]', '0.5');
  await page.fill('[aria-label="floor: least probability of a decision, as a number"]', '0.02');
  await page.selectOption('#A-fairness', 'eqopt');
  await proven(page, 'A', 'fairness=eqopt&limit=0.05&capacity=0.5&floor=0.02&monotone=1');
  const expected = solved('--fairness', 'eqopt', '--limit', '0.05', '--capacity', '0.5', '--floor', '0.02', '--monotone');
  assert.ok(Math.abs((await valueOf(page)) - expected.value) <= 5.1e-6);
  assert.match(await settingOf(page, 'A').locator('.remarks').textContent(), /being monotone costs/);
  await page.selectOption('#A-fairness', 'dp-ratio'); // limits of ratios have a range of their own
  await answered(page, 'A', 'fairness=dp-ratio&limit=0.8&capacity=0.5&floor=0.02&monotone=1');
  await page.selectOption('#A-fairness', 'none');
  await answered(page, 'A', 'fairness=none&capacity=0.5&floor=0.02&monotone=1');
  assert.equal(await page.isVisible('#A-limit'), false);
  await quiet();
});

test('what no policy can keep is said, with what would do', async () => {
  const {page, quiet} = await open(EXPLORE);
  await page.fill('[aria-label="capacity: most that are accepted, as a number"]', '0.1');
  await page.fill('[aria-label="floor: least probability of a decision, as a number"]', '0.25');
  await proven(page, 'A', 'fairness=dp&limit=0.05&capacity=0.1&floor=0.25');
  assert.match(await settingOf(page, 'A').locator('.headline').textContent(), /no policy/);
  assert.match(await settingOf(page, 'A').locator('.remarks').textContent(), /a limit of 0.2500 on capacity would do/);
  assert.equal(await page.getByRole('button', {name: 'Save the policy'}).isDisabled(), true);
  await page.fill('[aria-label="floor: least probability of a decision, as a number"]', '0.7');
  await answered(page, 'A', 'fairness=dp&limit=0.05&capacity=0.1&floor=0.7');
  assert.match(await settingOf(page, 'A').locator('.standing').textContent(), /floor is 0.7, expected/);
  await page.fill('[aria-label="floor: least probability of a decision, as a number"]', '0');
  await page.fill('[aria-label="capacity: most that are accepted, as a number"]', '1');
  await proven(page, 'A', 'fairness=dp&limit=0.05');
  // The browser notes that the program refused a question; nothing else may be noted.
  await page.close();
});

test('two settings stand side by side, each with its own question and proof', async () => {
  const {page, quiet} = await open(EXPLORE);
  await page.getByRole('button', {name: 'Compare with a second setting'}).click();
  await proven(page, 'B', 'fairness=dp&limit=0.05');
  await page.fill('#B-limit ~ input', '0.2');
  await proven(page, 'B', 'fairness=dp&limit=0.2');
  const [a, b] = [await valueOf(page, 'A'), await valueOf(page, 'B')];
  assert.ok(b > a);
  const rows = await page.locator('#both tbody tr').allTextContents();
  assert.ok(rows[0].startsWith('value'));
  assert.ok(rows[0].includes((b - a).toFixed(4).slice(0, 5)), rows[0]);
  const boxes = await Promise.all(['A', 'B'].map((letter) => settingOf(page, letter).boundingBox()));
  assert.ok(boxes[1].x > boxes[0].x + boxes[0].width - 1);
  await page.getByRole('button', {name: 'Compare with a second setting'}).click();
  assert.equal(await settingOf(page, 'B').count(), 0);
  assert.equal(await page.isVisible('#both'), false);
  await quiet();
});

test('the frontier never falls as the limit widens, and has the present point', async () => {
  const {page, quiet} = await open(EXPLORE);
  await page.waitForSelector('[data-frontier=drawn]');
  await settingOf(page, 'A').locator('.frontier + details summary').click();
  const values = (await settingOf(page, 'A').locator('.frontierNumbers tbody td').allTextContents()).map(Number);
  assert.equal(values.length, 11);
  values.forEach((value, i) => assert.ok(i === 0 || value >= values[i - 1] - 1e-4));
  assert.equal(await settingOf(page, 'A').locator('svg .here').count(), 1);
  await quiet();
});

test('a policy is saved that fairstep evaluate takes, and the command that makes it is copied', async () => {
  const {page, quiet} = await open(EXPLORE);
  const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', {name: 'Save the policy'}).click()]);
  assert.equal(download.suggestedFilename(), 'policy.json');
  const file = await download.path();
  const evaluated = JSON.parse(execFileSync(COMMAND, ['evaluate', MODEL, file, '--json'], {encoding: 'utf8'}));
  assert.ok(Math.abs(evaluated.value - (await valueOf(page))) <= 5.1e-6);
  await page.getByRole('button', {name: 'Copy the command'}).click();
  await page.getByText('copied').waitFor();
  const command = await page.evaluate(() => navigator.clipboard.readText());
  assert.equal(command, 'fairstep solve fico.json --fairness dp --limit 0.05 -o policy.json');
  const folder = mkdtempSync(join(tmpdir(), 'fairstep-'));
  const words = command.split(' ').slice(1).map((word) => (word === 'fico.json' ? MODEL : word));
  execFileSync(COMMAND, words, {cwd: folder, stdio: 'ignore'});
  assert.equal(readFileSync(join(folder, 'policy.json'), 'utf8'), readFileSync(file, 'utf8'));
  await quiet();
});

test('everything can be reached and worked by keyboard alone', async () => {
  const {page, quiet} = await open(EXPLORE);
  const names = [];
  for (let i = 0; i < 40; ++i) {
    await page.keyboard.press('Tab');
    const name = await page.evaluate(() => document.activeElement.id || document.activeElement.getAttribute('aria-label') || document.activeElement.textContent);
    if (names.includes(name)) break;
    names.push(name);
  }
  assert.equal(names[0], 'Skip to the settings');
  for (const name of ['compare', 'A-fairness', 'A-limit', 'limit at every step, as a number', 'A-capacity', 'A-floor', 'A-monotone', 'A-threshold', 'A-stationary', 'A-group_independent', 'white: probability to be accepted', 'rates and gaps in numbers', 'value and limit in numbers', 'Save the policy', 'Copy the command', 'the command'])
    assert.ok(names.includes(name), `${name} is not among ${names}`);
  await press(page, '#A-group_independent', 'Space');
  await proven(page, 'A', 'fairness=dp&limit=0.05&group_independent=1');
  await press(page, '#compare', 'Enter');
  await proven(page, 'B', 'fairness=dp&limit=0.05&group_independent=1');
  await quiet();
});

for (const [look, options] of [
  ['on a desk', {}],
  ['on a desk in the dark', {colorScheme: 'dark'}],
  ['on a phone', {viewport: {width: 390, height: 844}}],
  ['on a phone in the dark', {viewport: {width: 390, height: 844}, colorScheme: 'dark'}],
])
  test(`axe finds nothing ${look}, and the page fits`, async () => {
    for (const address of [EXPLORE, HOSTILE, COUNTED]) {
      const {page, quiet} = await open(address, {...options, bypassCSP: true});
      await page.getByRole('button', {name: 'Compare with a second setting'}).click();
      await proven(page, 'B');
      for (const details of await page.$$('details')) await details.evaluate((element) => (element.open = true));
      assert.equal(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth), 0);
      await page.evaluate(axe);
      const {violations} = await page.evaluate(() => axe.run(document, {resultTypes: ['violations']}));
      assert.deepEqual(violations.map(({id, nodes}) => `${id}: ${nodes.length}, such as ${nodes[0].html}`), []);
      await quiet();
    }
  });

test('names that are attacks are text', async () => {
  const {page, quiet} = await open(HOSTILE);
  await page.getByRole('button', {name: 'Compare with a second setting'}).click();
  await proven(page, 'B');
  const text = await page.textContent('main');
  assert.ok(text.includes('</script><img src=x onerror=alert(1)>"\'&'));
  assert.ok(text.includes('\\u202eabc\\u202c') && !text.includes('\u202e')); // what turns the reading order is written out
  assert.equal(await page.locator('main img, main script').count(), 0);
  await quiet();
});

test('counts say what they rest on', async () => {
  const {page, quiet} = await open(COUNTED);
  assert.match(await page.textContent('#rests-on'), /^estimated from 20,000 people, /);
  assert.match(await settingOf(page, 'A').locator('.remarks').textContent(), /of this policy's visits rest on rows that nobody saw/);
  assert.match(await settingOf(page, 'A').locator('code').textContent(), /^fairstep fit counts.json -o model.json\nfairstep solve model.json /);
  await quiet();
});
