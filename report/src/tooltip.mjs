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

export function hide() {
  document.querySelector('.tooltip')?.classList.remove('seen');
}

/// Names with words, beside the pointer.
export function show(words, {clientX, clientY}) {
  const there = box();
  there.replaceChildren(
    ...Object.entries(words)
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
  there.style.left = `${Math.max(4, Math.min(clientX + 14, innerWidth - width - 8))}px`;
  there.style.top = `${Math.max(4, Math.min(clientY + 14, innerHeight - height - 8))}px`;
}
