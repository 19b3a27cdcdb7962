// Pictures of a report for whoever changes how it looks:  node tests/screenshots.mjs REPORT.html FOLDER [SECTION...]
// LOOK=phone-dark (or print, ...) takes one look only.
import {mkdir} from 'node:fs/promises';
import {join, resolve} from 'node:path';
import {pathToFileURL} from 'node:url';

import {launch} from './browser.mjs';

const [file, folder, ...wanted] = process.argv.slice(2);
await mkdir(folder, {recursive: true});
const browser = await launch();
const looks = [
  ['desktop-light', {viewport: {width: 1440, height: 900}, colorScheme: 'light'}],
  ['desktop-dark', {viewport: {width: 1440, height: 900}, colorScheme: 'dark'}],
  ['phone-light', {viewport: {width: 390, height: 844}, colorScheme: 'light', deviceScaleFactor: 2}],
  ['phone-dark', {viewport: {width: 390, height: 844}, colorScheme: 'dark', deviceScaleFactor: 2}],
].filter(([name]) => !process.env.LOOK || name === process.env.LOOK);
for (const [name, options] of looks) {
  const page = await browser.newPage(options);
  page.on('console', (message) => console.log(name, message.type(), message.text()));
  page.on('pageerror', (error) => console.log(name, String(error)));
  await page.goto(pathToFileURL(resolve(file)).href);
  await page.waitForSelector('html[data-drawn=all]', {timeout: 120000});
  const sections = wanted.length > 0 ? wanted : await page.$$eval('main > section', (list) => list.map(({id}) => id));
  await page.screenshot({path: join(folder, `${name}-top.png`)});
  for (const id of sections) await page.locator(`#${id}`).screenshot({path: join(folder, `${name}-${id}.png`)});
  await page.screenshot({path: join(folder, `${name}-page.png`), fullPage: true});
  const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  if (wide > 0) console.log(`${name}: the page is ${wide} px wider than its window`);
  await page.close();
}
if (!process.env.LOOK || process.env.LOOK === 'print') {
  // A sheet of A4 between its margins, and the file itself.
  const page = await browser.newPage({viewport: {width: 718, height: 1046}, colorScheme: 'dark'});
  await page.goto(pathToFileURL(resolve(file)).href);
  await page.waitForSelector('html[data-drawn=all]', {timeout: 120000});
  await page.pdf({path: join(folder, 'print.pdf'), format: 'A4', margin: {top: '10mm', right: '10mm', bottom: '10mm', left: '10mm'}});
  await page.evaluate(() => window.dispatchEvent(new Event('beforeprint')));
  await page.emulateMedia({media: 'print'});
  await page.screenshot({path: join(folder, 'print-page.png'), fullPage: true});
  await page.close();
}
await browser.close();
