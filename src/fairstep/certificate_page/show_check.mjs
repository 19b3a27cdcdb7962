// Runs the check when the page is opened, a slice at a time so that the page stays alive, and says what came of it.
import {checking} from './self_check.mjs';

function element(name, text, attributes = {}) {
  const made = document.createElement(name);
  if (text !== undefined) made.textContent = text;
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  return made;
}

const NOTIONS = {dp: 'demographic parity', eqopt: 'equal opportunity', eqodds: 'equalized odds',
  'dp-ratio': 'adverse impact ratio', 'eqopt-ratio': 'ratio of equal opportunity'};

/** With so many digits that a bound is still one: a gap is rounded up, a ratio down. */
function shown(x, notion) {
  if (x === null) return 'nothing';
  const millions = notion.endsWith('ratio') ? Math.floor(x * 1e6 + 1e-4) : Math.ceil(x * 1e6 - 1e-4);
  return (millions / 1e6).toFixed(6);
}

function gapTable(gaps) {
  const table = element('table');
  table.append(element('caption', 'Gaps (at most) and ratios (at least), as certified and as this browser derives them from the counts'));
  const head = element('tr');
  for (const [i, name] of ['notion', 'step', 'certified', 'derived here'].entries())
    head.append(element('th', name, i === 0 ? {scope: 'col', class: 'word'} : {scope: 'col'}));
  table.append(element('thead'), element('tbody'));
  table.tHead.append(head);
  for (const {notion, step, stated, found} of gaps) {
    const row = element('tr');
    row.append(element('td', NOTIONS[notion] ?? notion, {class: 'word'}), element('td', step),
      element('td', shown(stated, notion)), element('td', shown(found, notion)));
    table.tBodies[0].append(row);
  }
  const scroll = element('div', undefined, {class: 'scroll', role: 'region', tabindex: '0', 'aria-label': 'Gaps derived here'});
  scroll.append(table);
  return scroll;
}

function saveButton(text) {
  const button = element('button', 'Save the certificate', {type: 'button'});
  button.addEventListener('click', () => {
    const link = element('a', undefined, {download: 'certificate.json'});
    link.href = URL.createObjectURL(new Blob([text], {type: 'application/json'}));
    link.click();
    URL.revokeObjectURL(link.href);
  });
  return button;
}

function say(box, verdict, sentences, more = []) {
  box.dataset.verdict = verdict;
  box.replaceChildren(...sentences.map((sentence, i) => element('p', sentence, i ? {} : {class: 'verdict'})), ...more);
}

function showResult(box, result, text) {
  const left = result.beyond.length ? `Not derived again here: ${result.beyond.join('; ')}. The checkers below do that.` : '';
  if (result.wrong.length) {
    const most = 10;
    const list = element('ul');
    for (const sentence of result.wrong.slice(0, most)) list.append(element('li', sentence));
    if (result.wrong.length > most) list.append(element('li', `and ${result.wrong.length - most} more`));
    say(box, 'fails', [`This certificate does not hold: ${result.wrong.length} of ${result.compared} claims differ from what `
      + 'this browser derives.'], [list, saveButton(text)]);
    return;
  }
  const details = element('details', undefined, {open: ''});
  details.append(element('summary', 'The numbers derived here'), gapTable(result.gaps));
  const partly = result.rates.length === 0;
  say(box, 'holds', [
    partly ? 'The hashes hold. The bounds were not derived again by this page.'
      : `Checked by this browser just now: the certificate inside this page holds. ${result.compared} claims were derived `
        + 'again from the counts inside it.',
    'The text and the tables of this page were not compared with it: if they matter to you, save the certificate and check it.',
    left].filter(Boolean),
    partly ? [saveButton(text)] : [details, saveButton(text)]);
}

function start() {
  const box = document.getElementById('check');
  const text = JSON.parse(document.getElementById('certificate').textContent);
  const bar = element('progress', undefined, {max: '1', value: '0', 'aria-label': 'Progress of the check'});
  say(box, 'running', ['This page is checking itself ...'], [bar]);
  let work;
  const slice = () => {
    try {
      work ??= checking(JSON.parse(text));
      const until = performance.now() + 40;
      for (;;) {
        const {done, value} = work.next();
        if (done) return showResult(box, value, text);
        bar.value = value;
        if (performance.now() > until) break;
      }
      return setTimeout(slice);
    } catch (error) {
      return say(box, 'fails', ['This page could not check itself.', String(error)], [saveButton(text)]);
    }
  };
  setTimeout(slice);
}

start();
