// The page: one setting or two, and the proofs of what they show, one at a time.
import {bothTable} from './pictures.mjs';
import {Setting, ask, wait} from './setting.mjs';
import {make} from './svg.mjs';

const at = (id) => document.getElementById(id);
const settings = [];
let about;

/// What nobody expects is said, and the page goes on.
function trouble(error) {
  at('trouble').textContent = error instanceof TypeError ? 'the program does not answer: has it ended?' : String(error.message ?? error);
}
window.addEventListener('unhandledrejection', (event) => {
  event.preventDefault();
  trouble(event.reason);
});

/// Proves the settings' answers in turn, the one that was changed last first. A change ends what is under way.
const proofs = {
  waiting: [],
  running: false,
  want(setting) {
    this.waiting = [setting, ...this.waiting.filter((other) => other !== setting)];
    if (!this.running) this.run();
  },
  async changed(setting) {
    this.waiting = this.waiting.filter((other) => other !== setting);
    if (this.current === setting) await ask('stop', {method: 'POST'});
  },
  async run() {
    this.running = true;
    try {
      while (this.waiting.length > 0) await this.prove(this.waiting.shift());
    } finally {
      this.running = false;
    }
  },
  async prove(setting) {
    await wait(150); // a slider that still moves asks for no proof
    const question = setting.shown;
    const isStill = () => setting.question === question && settings.includes(setting);
    if (!isStill() || setting.answer?.error) return;
    this.current = setting;
    const {number} = await ask(`proof?${question}`, {method: 'POST'});
    for (let pause = 20; isStill(); pause = Math.min(2 * pause, 500)) {
      await wait(pause);
      const state = await ask('proof');
      if (!isStill()) break;
      const wasEnded = state.number !== number || (!state.running && !state.answer);
      if (wasEnded) setting.show(setting.answer); // by another window of this page: no bound, for now
      else setting.progress(state);
      if (wasEnded || !state.running) break;
    }
    this.current = undefined;
    showBoth();
  },
};

function showBoth() {
  const both = settings.length === 2 && settings.every(({answer}) => answer);
  at('both').hidden = !both;
  if (both) at('both').replaceChildren(bothTable(about, settings.map(({answer}) => answer)));
}

function add(letter) {
  const setting = new Setting(about, letter, {
    changed: (one) => proofs.changed(one),
    answered: (one) => {
      at('trouble').textContent = '';
      showBoth();
      proofs.want(one);
    },
  });
  if (settings.length > 0) setting.controls.copy(settings[0].controls);
  settings.push(setting);
  at('settings').append(setting.element);
  at('settings').classList.toggle('two', settings.length === 2);
  return setting.solve();
}

async function start() {
  about = await ask('about');
  at('name').textContent = about.name;
  document.title = `explore ${about.name}`;
  const counted = (n, word) => `${n} ${word}${n === 1 ? '' : 's'}`;
  at('about').textContent = [counted(about.groups.length, 'group'), counted(about.features.length, 'feature'), counted(about.horizon, 'step')].join(', ') + (about.description ? `. ${about.description}` : '');
  at('rests-on').hidden = about.rests_on.length === 0;
  at('rests-on').append(...about.rests_on.map((text) => make('li', {}, text)));
  at('compare').addEventListener('click', () => {
    const two = settings.length === 1;
    at('compare').setAttribute('aria-pressed', two);
    if (two) return add('B');
    settings.pop().element.remove();
    at('settings').classList.remove('two');
    showBoth();
  });
  await add('A');
}

start();
