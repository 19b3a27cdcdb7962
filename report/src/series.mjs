// Series of all charts at once: names in legends switch them off and on, and one that is pointed at stands out everywhere.
export class Series {
  constructor(panels) {
    this.panels = panels;
    this.off = new Set(); // kinds
    this.seen = undefined; // {method} or {kind} that stands out
    this.kept = undefined; // the same after a click, until the next
    this.buttons = [];
    for (const legend of document.querySelectorAll('.legend')) this.offer(legend);
    document.addEventListener('keydown', ({key}) => key === 'Escape' && this.keep(undefined));
  }

  /// Names of kinds that are in the charts become buttons; a band's name stays a name.
  offer(legend) {
    const drawn = new Set(
      this.panels
        .filter(({figure}) => figure.closest('section') === legend.closest('section'))
        .flatMap(({data: {columns, rows}}) => {
          const at = columns.indexOf('kind');
          return at < 0 ? [] : rows.map((row) => row[at]);
        }),
    );
    for (const item of legend.querySelectorAll('[data-kind]')) {
      const {kind} = item.dataset;
      if (!drawn.has(kind)) continue;
      const button = document.createElement('button');
      button.type = 'button';
      button.dataset.kind = kind;
      button.setAttribute('aria-pressed', 'true');
      button.append(...item.childNodes);
      button.addEventListener('click', () => this.toggle(kind));
      for (const event of ['pointerenter', 'focus']) button.addEventListener(event, () => this.see({kind}));
      for (const event of ['pointerleave', 'blur']) button.addEventListener(event, () => this.see(undefined));
      item.append(button);
      this.buttons.push(button);
    }
  }

  toggle(kind) {
    if (!this.off.delete(kind)) this.off.add(kind);
    for (const button of this.buttons) button.setAttribute('aria-pressed', String(!this.off.has(button.dataset.kind)));
    for (const panel of this.panels) panel.update();
  }

  shown(rows) {
    return this.off.size === 0 ? rows : rows.filter(({kind}) => !this.off.has(kind));
  }

  /// What the pointer or the keyboard is at.
  see(what) {
    const now = what ?? this.kept;
    if (now?.method === this.seen?.method && now?.kind === this.seen?.kind) return;
    this.seen = now;
    for (const {figure} of this.panels) this.mark(figure);
  }

  keep(what) {
    this.kept = what;
    this.see(undefined);
  }

  /// Steps back whatever belongs to another method.
  mark(figure) {
    for (const node of figure.querySelectorAll('.chart svg .role-mark > *')) {
      const item = node.__data__;
      const datum = (Array.isArray(item) ? item[0] : item)?.datum;
      if (datum?.kind === undefined) continue;
      node.classList.toggle('back', this.seen !== undefined && !this.fits(datum));
    }
  }

  /// A frontier belongs to every weight of its penalty.
  fits({method, kind, role}) {
    const {seen} = this;
    return seen.method === undefined ? kind === seen.kind : method === seen.method || (role === 'corner' && kind === seen.kind);
  }
}
