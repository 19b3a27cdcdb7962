// What things are called, and numbers as they are shown.

export const notions = [
  {key: 'none', name: 'no limit on gaps'},
  {key: 'dp', name: 'demographic parity (dp)', rate: 'accept', of: 'accepted'},
  {key: 'eqopt', name: 'equal opportunity (eqopt)', rate: 'tpr', of: 'accepted of the qualified'},
  {key: 'eqodds', name: 'equalized odds (eqodds)', rate: 'tpr', of: 'accepted of the qualified', gap: 'gap between groups, of the qualified or of the others'},
  {key: 'dp-ratio', name: 'adverse impact ratio (dp-ratio)', rate: 'accept', of: 'accepted', ratio: true},
  {key: 'eqopt-ratio', name: 'ratio of the qualified accepted (eqopt-ratio)', rate: 'tpr', of: 'accepted of the qualified', ratio: true},
];

export const notionCalled = (key) => notions.find((notion) => notion.key === key);

/// What is limited, in words.
export const apart = ({ratio, gap}) => gap ?? (ratio ? 'least ratio between groups' : 'gap between groups');

export const rules = [
  {key: 'monotone', name: 'a higher feature is never accepted less often'},
  {key: 'threshold', name: 'one threshold for each group and step'},
  {key: 'stationary', name: 'the same rule at every step'},
  {key: 'group_independent', name: 'the group may not be looked at'},
];

export const number = (value, digits = 4) => (value === null || value === undefined ? '–' : value.toFixed(digits).replace('-', '−'));

/// +0.0123, −0.0123; what would be shown as 0 has no sign.
export function change(value, digits = 4) {
  const text = number(value, digits);
  if (Number(text.replace('−', '-')) === 0) return number(0, digits);
  return value > 0 ? `+${text}` : text;
}

/// .37, 1, 0: an acceptance in a cell.
export const acceptance = (p) => (p === 0 || p === 1 ? String(p) : p.toFixed(2));
