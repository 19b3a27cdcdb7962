// What all charts share: size, axes, and how a method looks. Colours are CSS variables, so that a chart follows the
// page's theme; layout is fixed, so that it comes out the same in a browser and without one.

export const methods = {
  domain: ['ours', 'unconstrained', 'penalty', 'other_form', 'literal', 'variant', 'optimum', 'allowed', 'theorem', 'fit'],
  colours: [
    'var(--ours)', 'var(--unconstrained)', 'var(--penalty)', 'var(--other-form)', 'var(--literal)', 'var(--variant)',
    'var(--optimum)', 'var(--allowed)', 'var(--theorem)', 'var(--fit)',
  ],
  dashes: [[1, 0], [7, 3], [1, 0], [4, 2], [2, 3], [9, 3, 2, 3], [1, 0], [1, 0], [5, 4], [1, 0]],
  widths: [2.6, 2, 1.3, 1.3, 2, 2, 1, 1.6, 1.6, 1.8],
};

const scaleOf = (range) => ({domain: methods.domain, range});
export const colour = {field: 'kind', type: 'nominal', scale: scaleOf(methods.colours), legend: null};
export const dash = {field: 'kind', type: 'nominal', scale: scaleOf(methods.dashes), legend: null};
export const thickness = {field: 'kind', type: 'ordinal', sort: methods.domain, scale: {type: 'ordinal', ...scaleOf(methods.widths)}, legend: null};
/// Bands; six penalties on top of each other must not hide the rest.
export const wash = {condition: {test: "datum.kind === 'penalty' || datum.kind === 'other_form'", value: 0.07}, value: 0.17};

const raised = ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'];
const powers = Array.from({length: 64}, (_, power) => '2' + [...String(power)].map((digit) => raised[digit]).join(''));
/// Labels 2³, 2⁶, ... for an axis that shows the logarithm of k to the base 2.
export const powerLabel = `${JSON.stringify(powers)}[datum.value]`;
export const logK = {calculate: 'log(datum.k) / LN2', as: 'power'};
export const powerAxis = {
  field: 'power',
  type: 'quantitative',
  scale: {zero: false, nice: false},
  axis: {title: 'episode k', labelExpr: powerLabel, tickMinStep: 1, tickCount: 6, format: 'd', labelOverlap: false, labelFlush: false},
};

export const size = {width: 232, height: 190};
/// Two beside each other instead of three: the same size of letters, more room for what is drawn.
export const wide = {width: 372, height: 216};
const padding = {left: 60, right: 38, top: 10, bottom: 44};

/// A Vega-Lite specification; strings such as "$yTitle" are filled in from the panel's parameters.
export function chart(spec, {width = size.width, height = size.height, ...pads} = {}) {
  return {
    width,
    height,
    padding: {...padding, ...pads},
    autosize: 'none',
    background: null,
    data: {name: 'rows'},
    ...spec,
    config: {
      aria: false,
      font: 'system-ui, sans-serif',
      view: {stroke: null, cursor: 'default'},
      axis: {
        domainColor: 'var(--axis)',
        tickColor: 'var(--axis)',
        tickSize: 4,
        gridColor: 'var(--grid)',
        labelColor: 'var(--muted)',
        titleColor: 'var(--muted)',
        labelFontSize: 12,
        titleFontSize: 12.5,
        titleFontWeight: 500,
        labelPadding: 4,
      },
      axisX: {grid: false, titleY: 27, titleAnchor: 'middle', titleAlign: 'center', titleBaseline: 'top'},
      axisY: {titleX: -46, domain: false, ticks: false, titleAngle: -90, titleBaseline: 'alphabetic'},
      text: {color: 'var(--ink)', fontSize: 12},
      ...spec.config,
    },
  };
}
