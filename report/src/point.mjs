// Pointing at charts: the mark nearest to the pointer says what it is, and its method is found in every chart.
import {hide, show} from './tooltip.mjs';

/// How far from the pointer a mark may be, in the pixels of a chart.
const reach = 36;

/// The marks with something to say, and where their middles are.
export function targetsOf(view) {
  const found = [];
  const walk = (mark, left, top) => {
    for (const item of mark.items ?? []) {
      const [x, y] = [left + (item.x ?? 0), top + (item.y ?? 0)];
      if (mark.marktype === 'group') for (const inner of item.items ?? []) walk(inner, x, y);
      else if (item.tooltip)
        found.push({
          x: x + (mark.marktype === 'rect' ? (item.width ?? 0) / 2 : 0),
          y: y + (mark.marktype === 'rect' ? (item.height ?? 0) / 2 : 0),
          words: item.tooltip,
          datum: item.datum,
        });
    }
  };
  walk(view.scenegraph().root, 0, 0);
  return found;
}

export function nearest(targets, x, y) {
  let best;
  let least = reach;
  for (const target of targets) {
    const distance = Math.hypot(target.x - x, target.y - y);
    if (distance <= least) [best, least] = [target, distance];
  }
  return best;
}

/// A chart that answers the pointer; `chosen(datum, kept)` hears of what was pointed at, or of nothing.
export function point(svg, view, chosen = () => {}) {
  const plane = svg.querySelector('g');
  let ring;
  const find = (event) => {
    const {x, y} = new DOMPoint(event.clientX, event.clientY).matrixTransform(plane.getScreenCTM().inverse());
    return nearest(targetsOf(view), x, y);
  };
  const mark = (target) => {
    ring?.remove();
    if (!target) return;
    ring = document.createElementNS('http://www.w3.org/2000/svg', 'circle');
    ring.setAttribute('class', 'nearest');
    ring.setAttribute('cx', target.x);
    ring.setAttribute('cy', target.y);
    ring.setAttribute('r', 6);
    plane.append(ring);
  };
  const seek = (event) => {
    const target = find(event);
    mark(target);
    if (target) show(target.words, event);
    else hide();
    chosen(target?.datum, false);
  };
  svg.addEventListener('pointermove', seek);
  svg.addEventListener('pointerdown', seek);
  svg.addEventListener('click', (event) => chosen(find(event)?.datum, true));
  svg.addEventListener('pointerleave', () => {
    mark();
    hide();
    chosen(undefined, false);
  });
}
