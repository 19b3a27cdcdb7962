// What the page does: draws its panels, offers them to take along, shows one setting at a time where there are many.
import {rowsOf, svgOf, viewOf} from './draw.mjs';
import {point} from './point.mjs';
import {Policies} from './policies.mjs';
import {Series} from './series.mjs';
import {csvOf, offerTaking, pngOf, save} from './take.mjs';
import {unpacked} from './unpack.mjs';

class Panel {
  constructor(figure) {
    this.figure = figure;
    offerTaking(figure, figure.querySelector('.which').textContent, (format) => this.take(format));
  }

  get data() {
    this.read ??= unpacked(JSON.parse(this.figure.querySelector('script').textContent));
    return this.read;
  }

  draw() {
    if (this.figure.dataset.drawn || this.figure.hidden) return;
    const inside = document.createElement('div');
    inside.setAttribute('aria-hidden', 'true');
    this.figure.querySelector('.chart').append(inside);
    this.view = viewOf(this.data, this.rows, {renderer: 'svg'});
    this.view.initialize(inside).tooltip(() => {}).run();
    point(inside.querySelector('svg'), this.view, (datum, kept) => {
      const what = datum?.kind === undefined ? undefined : {method: datum.method, kind: datum.kind};
      if (kept) this.series.keep(what);
      else this.series.see(what);
    });
    this.figure.dataset.drawn = 'yes';
    this.series.mark(this.figure);
  }

  /// Those that are switched on.
  get rows() {
    return this.series.shown(rowsOf(this.data));
  }

  /// After a series was switched.
  update() {
    this.view?.data('rows', this.rows).run();
  }

  async take(format) {
    const name = this.figure.id;
    if (format === 'CSV') return save(`${name}.csv`, 'text/csv', csvOf(this.data));
    const svg = await svgOf(this.data, rowsOf(this.data));
    if (format === 'SVG') return save(`${name}.svg`, 'image/svg+xml', svg);
    return save(`${name}.png`, 'image/png', await pngOf(svg));
  }
}

/// Groups with many settings show one at a time.
function offerChoice(controls, panels) {
  const inside = panels.filter(({figure}) => figure.closest('section').id === controls.dataset.choose);
  const choices = [...new Set(inside.map(({figure}) => figure.dataset.choice))];
  const select = document.createElement('select');
  select.id = `${controls.dataset.choose}-setting`;
  for (const choice of choices) select.append(new Option(choice, choice));
  const label = document.createElement('label');
  label.htmlFor = select.id;
  const word = document.createElement('span');
  word.textContent = 'setting';
  label.append(word, select);
  controls.append(label);
  controls.hidden = false;
  const show = () => {
    for (const panel of inside) panel.figure.hidden = panel.figure.dataset.choice !== select.value;
    for (const panel of inside) panel.draw();
  };
  select.addEventListener('change', show);
  for (const panel of inside) panel.figure.hidden = panel.figure.dataset.choice !== choices[0];
}

/// Light, dark, or as the system has it.
function offerThemes() {
  const names = ['auto', 'light', 'dark'];
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'theme';
  let at = 0;
  const show = () => {
    document.documentElement.dataset.theme = names[at];
    button.textContent = `theme: ${names[at]}`;
  };
  button.addEventListener('click', () => {
    at = (at + 1) % names.length;
    show();
  });
  show();
  document.querySelector('header.identity').append(button);
}

/// The panels in view first, then the others, a few at a time, so that the page can be used meanwhile.
function drawAll(panels) {
  const seen = new IntersectionObserver(
    (entries) => {
      for (const {isIntersecting, target} of entries)
        if (isIntersecting) panels.find(({figure}) => figure === target)?.draw();
    },
    {rootMargin: '400px'},
  );
  for (const panel of panels) seen.observe(panel.figure);
  const waiting = [...panels];
  // A machine that is never idle gets on too.
  const idle = (work) =>
    window.requestIdleCallback
      ? window.requestIdleCallback(work, {timeout: 100})
      : setTimeout(() => work({timeRemaining: () => 20}), 1);
  const some = (deadline) => {
    do waiting.shift()?.draw();
    while (waiting.length > 0 && deadline.timeRemaining() > 12);
    if (waiting.length > 0) idle(some);
    else document.documentElement.dataset.drawn = 'all';
  };
  idle(some);
}

/// A link to a claim opens it.
function reveal() {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (target?.classList.contains('claim')) target.open = true;
  target?.scrollIntoView();
}

export function start() {
  offerThemes();
  const contents = document.querySelector('.contents details');
  if (window.matchMedia('(max-width: 1079px)').matches) contents.open = false;
  const panels = [...document.querySelectorAll('figure.panel')].map((figure) => new Panel(figure));
  for (const controls of document.querySelectorAll('[data-choose]')) offerChoice(controls, panels);
  const series = new Series(panels);
  for (const panel of panels) panel.series = series;
  const figure = document.querySelector('figure.policy');
  const policies = figure && new Policies(figure);
  drawAll(panels);
  window.addEventListener('beforeprint', () => {
    for (const panel of panels) panel.draw();
    for (const claim of document.querySelectorAll('.claim:not([open])')) {
      claim.open = true;
      claim.dataset.opened = '';
    }
    policies?.printed();
  });
  window.addEventListener('afterprint', () => {
    for (const claim of document.querySelectorAll('.claim[data-opened]')) {
      claim.open = false;
      delete claim.dataset.opened;
    }
  });
  window.addEventListener('hashchange', reveal);
  if (location.hash) reveal();
}
