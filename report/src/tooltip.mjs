// One small box that follows the pointer. Its words are in the tables too, so that nobody needs it.
const box = () => {
  let found = document.querySelector('.tooltip');
  if (!found) {
    found = document.createElement('div');
    found.className = 'tooltip';
    found.setAttribute('aria-hidden', 'true');
    document.body.append(found);
  }
  return found;
};

export function tooltip(handler, event, item, value) {
  const there = box();
  if (value === null || value === undefined || value === '') {
    there.classList.remove('seen');
    return;
  }
  const lines = typeof value === 'object' ? Object.entries(value) : [['', String(value)]];
  there.replaceChildren(
    ...lines
      .filter(([, text]) => text !== 'null' && text !== 'NaN')
      .map(([name, text]) => {
        const line = document.createElement('div');
        const label = document.createElement('span');
        label.textContent = name;
        const number = document.createElement('b');
        number.textContent = text;
        line.append(label, number);
        return line;
      }),
  );
  there.classList.add('seen');
  const {innerWidth, innerHeight} = window;
  const {width, height} = there.getBoundingClientRect();
  there.style.left = `${Math.max(4, Math.min(event.clientX + 14, innerWidth - width - 8))}px`;
  there.style.top = `${Math.max(4, Math.min(event.clientY + 14, innerHeight - height - 8))}px`;
}
