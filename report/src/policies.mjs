// The policies: two choices, a slider over updates, and a map for each group.
import {svgOf, viewOf} from './draw.mjs';
import {csvOf, offerTaking, pngOf, save} from './take.mjs';
import {point} from './point.mjs';
import {rates} from './unpack.mjs';

const raised = '⁰¹²³⁴⁵⁶⁷⁸⁹';
export function episode(k) {
  const power = Math.log2(k);
  return k >= 2 && Number.isInteger(power) ? '2' + [...String(power)].map((digit) => raised[digit]).join('') : String(k);
}

function element(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children);
  return made;
}

export class Policies {
  constructor(figure) {
    this.figure = figure;
    const {tables, policies} = JSON.parse(figure.querySelector('script').textContent);
    const read = policies.map(rates);
    this.tables = tables.map((table) => ({...table, accept: table.accept.map((i) => read[i])}));
    this.maps = figure.querySelector('.maps');
    this.views = [];
    this.build();
    this.choose();
  }

  build() {
    const select = (id, label) => {
      const made = element('select', {id});
      made.addEventListener('change', () => this.choose());
      return [made, element('label', {for: id}, element('span', {}, label), made)];
    };
    let settingLabel;
    let methodLabel;
    [this.setting, settingLabel] = select('policy-setting', 'setting');
    [this.method, methodLabel] = select('policy-method', 'method');
    for (const [id, name] of new Map(this.tables.map(({setting, settingName}) => [setting, settingName])))
      this.setting.append(new Option(name, id));
    this.slider = element('input', {id: 'policy-update', type: 'range', min: 0, step: 1});
    this.slider.addEventListener('input', () => this.show());
    this.said = element('output', {for: 'policy-update', 'aria-live': 'polite'});
    this.difference = element('input', {id: 'policy-difference', type: 'checkbox'});
    this.difference.addEventListener('change', () => this.choose());
    const controls = this.figure.querySelector('.controls');
    controls.append(
      settingLabel,
      methodLabel,
      element('label', {for: 'policy-update', class: 'wide'}, element('span', {}, 'update'), this.slider),
      element('label', {for: 'policy-difference', class: 'check'}, this.difference, 'difference'),
      this.said,
    );
    controls.hidden = false;
    offerTaking(this.figure, 'the policies', (format) => this.take(format));
  }

  get table() {
    return (
      this.tables.find(({setting, method}) => setting === this.setting.value && method === this.method.value) ??
      this.tables.find(({setting}) => setting === this.setting.value)
    );
  }

  /// What each map shows: a group, or the difference of the first and another.
  get panels() {
    const {groups} = this.table;
    return this.difference.checked
      ? groups.slice(1).map((name, i) => ({title: `${groups[0]} − ${name}`, plus: 0, minus: i + 1}))
      : groups.map((name, g) => ({title: name, plus: g}));
  }

  rows({plus, minus}, l) {
    const {horizon, features, accept} = this.table;
    const at = (g, h, x) => accept[l][(g * horizon + h) * features.length + x];
    const rows = [];
    for (let x = features.length - 1; x >= 0; --x)
      for (let h = 0; h < horizon; ++h)
        rows.push({
          step: h,
          feature: features[x],
          value: minus === undefined ? at(plus, h, x) : at(plus, h, x) - at(minus, h, x),
        });
    return rows;
  }

  parameters() {
    return {chart: 'policy', parameters: {valueTitle: this.difference.checked ? 'difference' : 'P(accept)'}};
  }

  choose() {
    const chosen = this.method.value;
    const offered = this.tables.filter(({setting}) => setting === this.setting.value);
    this.method.replaceChildren(...offered.map(({method, methodLabel}) => new Option(methodLabel, method)));
    this.method.value = offered.some(({method}) => method === chosen) ? chosen : offered[0].method;
    const {k} = this.table;
    const last = k.length - 1;
    const keep = this.slider.max !== '' && Number(this.slider.max) === last && this.views.length > 0;
    this.slider.max = last;
    if (!keep) this.slider.value = last;
    for (const view of this.views) view.finalize();
    this.maps.replaceChildren();
    this.views = this.panels.map((panel) => {
      const chart = element('div', {class: 'chart', role: 'img'});
      const inside = element('div', {'aria-hidden': 'true'});
      chart.append(inside);
      this.maps.append(element('div', {class: 'map'}, element('h3', {}, panel.title), chart));
      const view = viewOf(this.parameters(), this.rows(panel, Number(this.slider.value)), {renderer: 'svg'});
      view.initialize(inside).tooltip(() => {}).run();
      point(inside.querySelector('svg'), view);
      return view;
    });
    this.show();
  }

  show() {
    const l = Number(this.slider.value);
    const {k, violation, settingName, methodLabel} = this.table;
    this.panels.forEach((panel, i) => {
      this.views[i].data('rows', this.rows(panel, l)).run();
      this.maps.children[i].querySelector('.chart').setAttribute(
        'aria-label',
        `Policy map. ${panel.title}, ${settingName}, ${methodLabel}, update at episode ${k[l]}`,
      );
    });
    const words = `update ${l + 1} of ${k.length}, k = ${episode(k[l])}, violation ${violation[l].toFixed(3)}`;
    this.slider.setAttribute('aria-valuetext', words);
    this.said.textContent = words;
    this.figure.querySelector('.which').textContent = `${settingName} · ${methodLabel}`;
    this.figure.dataset.drawn = String(l);
  }

  async take(format) {
    const l = Number(this.slider.value);
    const {setting, method, groups, features, horizon, k, accept} = this.table;
    const name = `policy-${setting}-${method}`;
    if (format === 'CSV') {
      const rows = [];
      accept.forEach((flat, update) =>
        groups.forEach((group, g) => {
          for (let h = 0; h < horizon; ++h)
            features.forEach((feature, x) =>
              rows.push([k[update], group, h, feature, flat[(g * horizon + h) * features.length + x]]),
            );
        }),
      );
      save(`${name}.csv`, 'text/csv', csvOf({columns: ['k', 'group', 'step', 'feature', 'accept'], rows}));
      return;
    }
    for (const panel of this.panels) {
      const file = `${name}-${k[l]}-${panel.title.replace(/[^A-Za-z0-9]+/g, '-')}`;
      const svg = await svgOf(this.parameters(), this.rows(panel, l));
      if (format === 'SVG') save(`${file}.svg`, 'image/svg+xml', svg);
      else save(`${file}.png`, 'image/png', await pngOf(svg));
    }
  }

  /// Paper has no slider: the first, the middle, the last and the worst update instead.
  printed() {
    const {k, violation} = this.table;
    const worst = violation.indexOf(Math.max(...violation));
    const updates = [...new Set([0, Math.floor(k.length / 2), k.length - 1, worst])];
    const block = element('div', {class: 'maps printed'});
    for (const l of updates)
      for (const panel of this.panels) {
        const inside = element('div', {class: 'chart', 'aria-hidden': 'true'});
        block.append(element('div', {class: 'map'}, element('h3', {}, `${panel.title}, k = ${episode(k[l])}`), inside));
        viewOf(this.parameters(), this.rows(panel, l), {renderer: 'svg'}).initialize(inside).run();
      }
    this.figure.querySelector('.printed')?.remove();
    this.maps.after(block);
  }
}
