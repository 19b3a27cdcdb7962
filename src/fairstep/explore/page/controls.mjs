// The form of a setting: what is asked.
import {make} from './svg.mjs';
import {notionCalled, notions, rules} from './words.mjs';

/// A slider and a field for the same number: the slider for a hand, the field for any number at all.
class Amount {
  constructor(id, name, {min, max, step, value}) {
    const note = `${id}-name`;
    this.slider = make('input', {type: 'range', id, min, max, step, value});
    this.field = make('input', {type: 'number', step: 'any', value, 'aria-label': `${name}, as a number`});
    this.name = make('label', {for: id, id: note}, name);
    this.row = make('div', {class: 'amount'}, this.name, this.slider, this.field);
    this.slider.addEventListener('input', () => (this.field.value = this.slider.value));
    this.field.addEventListener('input', () => (this.slider.value = this.field.value));
  }
  /// Null while nothing that is a number stands there.
  get value() {
    return this.field.value === '' ? null : Number(this.field.value);
  }
  set({min, max, step}, value) {
    Object.assign(this.slider, {min, max, step, value});
    this.field.value = value;
  }
}

const gapLimits = {min: 0, max: 0.3, step: 0.005, value: 0.05};
const ratioLimits = {min: 0.5, max: 1, step: 0.01, value: 0.8};

export class Controls {
  /// `changed` is called whenever the question may be another.
  constructor(letter, changed) {
    const id = (name) => `${letter}-${name}`;
    this.notion = make('select', {id: id('fairness')}, ...notions.map(({key, name}) => make('option', {value: key}, name)));
    this.notion.value = 'dp';
    this.limit = new Amount(id('limit'), 'limit at every step', gapLimits);
    this.capacity = new Amount(id('capacity'), 'capacity: most that are accepted', {min: 0.02, max: 1, step: 0.02, value: 1});
    this.floor = new Amount(id('floor'), 'floor: least probability of a decision', {min: 0, max: 0.25, step: 0.005, value: 0});
    this.rules = rules.map(({key, name}) => {
      const box = make('input', {type: 'checkbox', id: id(key), value: key});
      return {key, box, row: make('div', {class: 'rule'}, box, make('label', {for: box.id}, name))};
    });
    this.form = make(
      'form',
      {class: 'controls', 'aria-label': `Setting ${letter}`},
      make('div', {class: 'amount'}, make('label', {for: this.notion.id}, 'fairness'), this.notion),
      this.limit.row, this.capacity.row, this.floor.row,
      make('fieldset', {}, make('legend', {}, 'policies'), ...this.rules.map(({row}) => row)),
    );
    this.form.addEventListener('submit', (event) => event.preventDefault());
    this.notion.addEventListener('input', () => this.fit());
    this.form.addEventListener('input', changed);
  }

  get isRatio() {
    return notionCalled(this.notion.value).ratio === true;
  }

  /// Limits of gaps and of ratios have ranges of their own.
  fit() {
    const none = this.notion.value === 'none';
    this.limit.row.hidden = none;
    const wanted = this.isRatio ? ratioLimits : gapLimits;
    if (Number(this.limit.slider.max) !== wanted.max) this.limit.set(wanted, wanted.value);
    this.limit.name.textContent = this.isRatio ? 'least ratio at every step' : 'limit at every step';
  }

  get range() {
    return this.isRatio ? ratioLimits : gapLimits;
  }

  /// As the address has it; null while a field is empty. With another limit, if one is given.
  question(limit = this.limit.value) {
    const parts = [['fairness', this.notion.value]];
    const amounts = [['capacity', this.capacity.value, 1], ['floor', this.floor.value, 0]];
    if (this.notion.value !== 'none') amounts.unshift(['limit', limit, undefined]);
    for (const [key, value, usual] of amounts) {
      if (value === null) return null;
      if (value !== usual) parts.push([key, value]);
    }
    for (const {key, box} of this.rules) if (box.checked) parts.push([key, 1]);
    return parts.map((part) => part.join('=')).join('&');
  }

  /// The same as another's.
  copy(other) {
    this.notion.value = other.notion.value;
    this.fit();
    for (const name of ['limit', 'capacity', 'floor']) this[name].set(other[name].slider, other[name].field.value);
    this.rules.forEach(({box}, i) => (box.checked = other.rules[i].box.checked));
  }
}
