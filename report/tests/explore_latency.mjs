// How soon the explorer's page answers, in milliseconds:  node tests/explore_latency.mjs ADDRESS
// The first picture, from the beginning of the visit; then a slider that moves, from its event to the frame that shows
// the new picture, with a proof under way now and then as in use.
import {launch} from './browser.mjs';

const browser = await launch();
const page = await browser.newPage({viewport: {width: 1400, height: 900}});
const firsts = [];
for (let i = 0; i < 11; ++i) {
  await page.goto(process.argv[2]);
  firsts.push(
    await page.evaluate(async () => {
      const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
      while (!document.querySelector('td.heat')) await frame();
      await frame();
      return performance.now();
    }),
  );
}
const moves = await page.evaluate(async () => {
  const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
  const slider = document.querySelector('#A-limit');
  const setting = document.querySelector('.setting');
  const found = [];
  for (let i = 1; i <= 60; ++i) {
    const began = performance.now();
    slider.value = i * 0.005;
    slider.dispatchEvent(new Event('input', {bubbles: true}));
    while (!setting.dataset.question.endsWith(`limit=${slider.value}`)) await frame();
    await frame();
    found.push(performance.now() - began);
  }
  return found;
});
await browser.close();
const said = (name, times) => {
  times.sort((one, other) => one - other);
  console.log(`${name}: median ${times[times.length >> 1].toFixed(0)}, longest ${times.at(-1).toFixed(0)} of ${times.length}`);
};
said('first picture', firsts);
said('slider to picture', moves);
