// One setting: its question, the answer to it, and what the answer looks like.
import {Controls} from './controls.mjs';
import {frontier, gains, policyTables, rateCharts, rateTable} from './pictures.mjs';
import {make} from './svg.mjs';
import {change, notionCalled, number} from './words.mjs';

const pointsOfFrontier = 11;

export const wait = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

/// A JSON answer; what is wrong with a question is an answer too. Where too much is asked at once it is asked again.
export async function ask(path, options) {
  let reply = await fetch(path, options);
  for (; reply.status === 503; reply = await fetch(path, options)) await wait(100);
  const isJson = reply.headers.get('content-type') === 'application/json';
  if (!isJson) throw new Error(`${reply.status}: ${(await reply.text()).trim()}`);
  return reply.json();
}

function save(name, text) {
  const link = make('a', {href: URL.createObjectURL(new Blob([text], {type: 'application/json'})), download: name});
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

/// [g,h,x]; a policy that does not look at the group has one table.
const tables = ({accept, group_independent: one}) => (one ? [accept] : accept);

const known = new Map(); // question -> {limit, value}: points of frontiers, shared by settings

export class Setting {
  /// `hooks` are told when there is another question, and when it has been answered.
  constructor(about, letter, hooks) {
    Object.assign(this, {about, letter, hooks, answer: null, shown: null});
    this.controls = new Controls(letter, () => this.changed());
    const part = (title, ...inside) => make('section', {class: 'part'}, make('h3', {}, title), ...inside);
    const box = (name) => (this[name] = make('div', {class: name}));
    this.headline = make('p', {class: 'headline'});
    this.standing = make('p', {class: 'standing', role: 'status'});
    this.remarks = make('ul', {class: 'remarks', hidden: true});
    this.code = make('code', {});
    this.save = make('button', {type: 'button', disabled: true}, 'Save the policy');
    this.copy = make('button', {type: 'button', disabled: true}, 'Copy the command');
    this.copied = make('span', {role: 'status'});
    const numbers = (name, title) => make('details', {}, make('summary', {}, title), box(name));
    this.results = make(
      'div', {class: 'results'},
      this.headline, this.standing, this.remarks,
      part('Policy', box('policy')),
      part('Rates and gaps at every step', box('rates'), numbers('rateNumbers', 'rates and gaps in numbers')),
      make(
        'div', {class: 'pair'},
        part('Who gains and who loses', box('gainers')),
        (this.frontierPart = part('What the limit costs', box('frontier'), numbers('frontierNumbers', 'value and limit in numbers'))),
      ),
      part('Take along', make('div', {class: 'buttons'}, this.save, this.copy, this.copied), make('pre', {tabindex: 0, role: 'group', 'aria-label': 'the command'}, this.code)),
    );
    this.element = make('section', {class: 'setting', 'aria-label': `Setting ${letter}`}, make('h2', {}, `Setting ${letter}`), this.controls.form, this.results);
    this.save.addEventListener('click', () => save('policy.json', this.answer.file));
    this.copy.addEventListener('click', async () => {
      await navigator.clipboard.writeText(this.answer.command);
      this.copied.textContent = 'copied';
    });
  }

  get question() {
    return this.controls.question();
  }

  changed() {
    this.hooks.changed(this);
    this.solve();
  }

  /// Asks as often as the question is another by the time its answer is there; never twice at once.
  async solve() {
    if (this.solving) return;
    this.solving = true;
    try {
      for (let question = this.question; question !== null && question !== this.shown; question = this.question) {
        const began = performance.now();
        const answer = await ask(`answer?${question}`);
        this.shown = question;
        this.show(answer);
        this.element.dataset.milliseconds = (performance.now() - began).toFixed(1);
      }
    } finally {
      this.solving = false;
    }
    this.hooks.answered(this);
    this.sweep();
  }

  show(answer) {
    this.answer = answer;
    const {effect} = answer;
    this.copied.textContent = '';
    this.results.hidden = false;
    this.element.dataset.question = this.shown;
    if (answer.error) {
      this.headline.textContent = 'this cannot be asked';
      this.standing.textContent = answer.hint ? `${answer.error}; ${answer.hint}` : answer.error;
    } else {
      const apart = effect && effect.value - this.about.baseline.value;
      this.headline.textContent = effect ? `value ${number(effect.value, 5)}` : 'no policy';
      if (effect) this.headline.append(make('small', {}, ` ${change(apart, 5)} against ${this.about.baseline.name}`));
      this.standing.textContent = answer.standing;
    }
    const remarks = answer.remarks ?? [];
    this.remarks.hidden = remarks.length === 0;
    this.remarks.replaceChildren(...remarks.map((text) => make('li', {}, text)));
    for (const button of [this.save, this.copy]) button.disabled = !effect;
    this.code.textContent = answer.command ?? '';
    const asked = this.asked;
    const none = () => [make('p', {}, 'nothing to show')];
    this.policy.replaceChildren(...(effect ? policyTables(this.about, tables(JSON.parse(answer.file))) : none()));
    this.rates.replaceChildren(...(effect ? rateCharts(this.about, effect, asked) : none()));
    this.rateNumbers.replaceChildren(...(effect ? [rateTable(this.about, effect, asked)] : none()));
    this.gainers.replaceChildren(...(effect ? [gains(this.about, effect)] : none()));
    this.drawFrontier();
  }

  get asked() {
    return {fairness: this.controls.notion.value, limit: this.controls.limit.value};
  }

  /// `state` is what the program says of the proof of this question.
  progress(state) {
    if (state.running) this.standing.textContent = `${state.standing} (${state.seconds.toFixed(1)} s)`;
    else if (state.answer) this.show(state.answer);
    this.element.dataset.proof = state.running ? 'running' : 'done';
  }

  get limits() {
    const {min, max} = this.controls.range;
    return [...Array(pointsOfFrontier).keys()].map((i) => Number((max - ((max - min) * i) / (pointsOfFrontier - 1)).toFixed(4)));
  }

  /// The points of the frontier one after the other, widest limit first, until the question is about other policies.
  async sweep() {
    if (this.sweeping || notionCalled(this.controls.notion.value).key === 'none') return this.drawFrontier();
    this.sweeping = true;
    try {
      for (;;) {
        const next = this.limits.find((limit) => this.controls.question(limit) !== null && !known.has(this.controls.question(limit)));
        if (next === undefined || this.element.isConnected === false) break;
        const question = this.controls.question(next);
        const answer = await ask(`answer?${question}`);
        known.set(question, {limit: next, value: answer.effect?.value ?? null});
        this.drawFrontier();
      }
    } finally {
      this.sweeping = false;
    }
    this.element.dataset.frontier = 'drawn';
  }

  drawFrontier() {
    const none = this.controls.notion.value === 'none';
    this.frontierPart.hidden = none;
    if (none) return;
    const points = this.limits.map((limit) => known.get(this.controls.question(limit))).filter((point) => point);
    const here = this.answer?.effect ? {limit: this.controls.limit.value, value: this.answer.effect.value} : undefined;
    if (points.every(({value}) => value === null) && !here) return this.frontier.replaceChildren(make('p', {}, 'nothing to show'));
    const {chart, table} = frontier(points, here, this.controls.isRatio);
    this.frontier.replaceChildren(make('figure', {}, make('figcaption', {}, 'value against the limit, not proven; ringed: this setting'), chart));
    this.frontierNumbers.replaceChildren(table);
  }
}
