// The documentation's site in a real browser. SITE is its address; tests/python/test_docs.py builds and serves it.
import assert from 'node:assert/strict';
import {readFileSync} from 'node:fs';
import {createRequire} from 'node:module';
import {after, before, test} from 'node:test';

import {launch} from './browser.mjs';

const {SITE, PAGES} = process.env;
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

let browser;
before(async () => {
  browser = await launch();
});
after(() => browser.close());

/// One for each look, so that scripts are loaded once.
const contexts = new Map();

/// A page that keeps what must not happen: errors, and requests to anywhere else.
async function open(name, options = {}) {
  const look = JSON.stringify(options);
  if (!contexts.has(look)) contexts.set(look, await browser.newContext({viewport: {width: 1280, height: 900}, ...options}));
  const page = await contexts.get(look).newPage();
  page.setDefaultTimeout(120000); // a busy machine is no failure
  const trouble = [];
  page.on('console', (message) => message.type() === 'error' && trouble.push(message.text()));
  page.on('pageerror', (error) => trouble.push(String(error)));
  page.on('request', (request) => {
    const url = request.url();
    if (!url.startsWith(SITE) && !url.startsWith('blob:') && !url.startsWith('data:')) trouble.push(`request ${url}`);
  });
  await page.goto(SITE + name);
  return {page, trouble};
}

for (const name of PAGES.split(' '))
  test(`fits a phone, has one title, whole pictures, no error, and asks nobody else for anything: ${name}`, async () => {
    const {page, trouble} = await open(name, {viewport: {width: 390, height: 844}});
    const seen = await page.evaluate(() => ({
      wider: document.documentElement.scrollWidth - innerWidth,
      titles: document.querySelectorAll('h1').length,
      broken: [...document.images].filter((image) => !image.complete || image.naturalWidth === 0).length,
    }));
    assert.deepEqual({...seen, trouble}, {wider: 0, titles: 1, broken: 0, trouble: []});
    await page.close();
  });

for (const colorScheme of ['light', 'dark'])
  for (const name of ['how-to/own-log.html'])
    test(`axe finds nothing to complain about: ${name}, ${colorScheme}`, async () => {
      const {page} = await open(name, {colorScheme});
      await page.evaluate(axe);
      // Buttons to copy code are landmarks of Material's own.
      const {violations} = await page.evaluate(() =>
        globalThis.axe.run(document.querySelector('.md-content'), {rules: {'landmark-unique': {enabled: false}}}),
      );
      assert.deepEqual(violations.map(({id, nodes}) => [id, nodes.slice(0, 3).map(({html}) => html)]), []);
      await page.close();
    });

test('search finds a page', async () => {
  const {page, trouble} = await open('index.html');
  // The page says when its search has an index and listens. What is typed before that is lost, and nothing would come.
  await page.waitForFunction(() => /^type to start/i.test(document.querySelector('.md-search-result__meta')?.textContent.trim()));
  await page.click('.md-search__input');
  await page.keyboard.type('censored');
  await page.waitForSelector('.md-search-result__link');
  const links = await page.$$eval('.md-search-result__link', (found) => found.map((link) => link.getAttribute('href')));
  assert.ok(links.some((link) => link.includes('hidden-labels.html')), links.join(' '));
  assert.deepEqual(trouble, []);
  await page.close();
});
