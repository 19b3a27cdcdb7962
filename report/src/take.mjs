// Taking a chart along: its data as CSV, itself as SVG or PNG. Files are made here and leave through a blob.
import {light} from '../../src/fairstep/page/palette.mjs';

export function save(name, type, content) {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([content], {type}));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}

/// Buttons above the table of a figure; `take` hears which format is wanted.
export function offerTaking(figure, name, take) {
  const line = document.createElement('p');
  line.className = 'take';
  for (const format of ['CSV', 'SVG', 'PNG']) {
    const button = document.createElement('button');
    button.type = 'button';
    button.dataset.take = format;
    const unseen = document.createElement('span');
    unseen.className = 'unseen';
    unseen.textContent = `download ${name} as `;
    button.append(unseen, format);
    button.addEventListener('click', () => take(format));
    line.append(button);
  }
  figure.querySelector(':scope > details').before(line);
}

/// Quoted where a comma, a quote or a line break asks for it; a leading = + - @ of text is kept from spreadsheets.
export function csvCell(value) {
  if (value === null || value === undefined) return '';
  if (typeof value === 'number') return String(value);
  const text = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

export function csvOf({columns, hidden = [], rows}) {
  const shown = columns.map((name, i) => [name, i]).filter(([name]) => !hidden.includes(name));
  const lines = [shown.map(([name]) => csvCell(name)), ...rows.map((row) => shown.map(([, i]) => csvCell(row[i])))];
  return lines.map((cells) => cells.join(',') + '\r\n').join('');
}

export async function pngOf(svg, scale = 3) {
  const image = new Image();
  const source = URL.createObjectURL(new Blob([svg], {type: 'image/svg+xml'}));
  image.src = source;
  await image.decode();
  const canvas = document.createElement('canvas');
  canvas.width = image.naturalWidth * scale;
  canvas.height = image.naturalHeight * scale;
  const context = canvas.getContext('2d');
  context.fillStyle = light.paper;
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.drawImage(image, 0, 0, canvas.width, canvas.height);
  URL.revokeObjectURL(source);
  return new Promise((resolve) => canvas.toBlob(resolve, 'image/png'));
}
