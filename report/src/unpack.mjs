// What the page carries -> columns and rows. src/fairstep/report/html.cpp packs a column as its values; as values and how
// often each stands in a row; or as values and which of them stands where.
function column(packed) {
  if (Array.isArray(packed)) return packed;
  const {values, runs, at} = packed;
  return at ? at.map((i) => values[i]) : values.flatMap((value, i) => Array(runs[i]).fill(value));
}

/// A panel with its rows.
export function unpacked({data, ...panel}) {
  const columns = data.map(column);
  return {...panel, rows: (columns[0] ?? []).map((_, r) => columns.map((cells) => cells[r]))};
}

/// Rates to a thousandth, two digits to the base 36 each.
export const rates = (text) => Array.from({length: text.length / 2}, (_, i) => parseInt(text.slice(2 * i, 2 * i + 2), 36) / 1000);
