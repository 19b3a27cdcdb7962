// Return against violation: final policies as crosses with intervals, the method's way there, the best possible.
import {chart, colour, dash} from './common.mjs';

const x = {
  field: 'violation',
  type: 'quantitative',
  scale: {type: 'sqrt', domain: [0, {expr: 'xMax'}], nice: false},
  axis: {
    title: 'violation (average gap)',
    values: [0, 0.01, 0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 1],
    format: '~g',
    labelExpr: "xMax > 0.45 && (datum.value === 0.1 || datum.value === 0.6) ? '' : datum.label",
    labelOverlap: false,
  },
};
const y = {
  field: 'value',
  type: 'quantitative',
  scale: {domain: [{expr: 'yMin'}, {expr: 'yMax'}], nice: false, zero: false},
  axis: {title: 'return', tickCount: 5, labelOverlap: false},
};
const only = (test) => ({transform: [{filter: test}]});
const final = "datum.role === 'final'";
/// Words with a rim in the colour of the paper, so that lines behind them do not strike them through.
const written = (test, field, look, place = {}) =>
  [{stroke: 'var(--paper)', strokeWidth: 3}, {}].map((rim) => ({
    ...only(test),
    mark: {type: 'text', align: 'center', ...look, ...rim},
    encoding: {text: {field}, ...place},
  }));

export default chart({
  params: [{name: 'xMax', value: 1}, {name: 'yMin', value: 0}, {name: 'yMax', value: 1}],
  encoding: {x, y},
  layer: [
    {
      ...only("datum.kind === 'optimum'"),
      mark: {type: 'line', strokeWidth: 1.2, clip: true, color: 'var(--optimum)'},
      encoding: {order: {field: 'violation'}},
    },
    {
      ...only("datum.kind === 'penalty' || datum.kind === 'other_form'"),
      mark: {type: 'line', strokeWidth: 1, opacity: 0.7, clip: true},
      encoding: {order: {field: 'violation'}, color: colour, strokeDash: dash},
    },
    {
      ...only("datum.kind === 'ours'"),
      mark: {type: 'line', strokeWidth: 1, opacity: 0.45, clip: true, color: 'var(--ours)'},
      encoding: {order: {field: 'k'}},
    },
    {
      ...only("datum.role === 'update'"),
      mark: {type: 'point', filled: true, size: 16, opacity: 0.75, clip: true},
      encoding: {color: colour},
    },
    {
      ...only(`${final} && isValid(datum.violation_low)`),
      mark: {type: 'rule', strokeWidth: 1.4, clip: true},
      encoding: {x: {...x, field: 'violation_low'}, x2: {field: 'violation_high'}, color: colour},
    },
    {
      ...only(`${final} && isValid(datum.value_low)`),
      mark: {type: 'rule', strokeWidth: 1.4, clip: true},
      encoding: {y: {...y, field: 'value_low'}, y2: {field: 'value_high'}, color: colour},
    },
    {
      ...only(final),
      mark: {type: 'point', shape: 'M-1,-1L1,1M1,-1L-1,1', strokeWidth: 2.2, opacity: 1, fill: null},
      encoding: {
        color: colour,
        size: {condition: {test: "datum.kind === 'ours'", value: 150}, value: 60},
        tooltip: [
          {field: 'method', title: 'method'},
          {field: 'violation', title: 'violation', format: '.4f'},
          {field: 'value', title: 'return', format: '.4f'},
        ],
      },
    },
    ...written(`${final} && datum.label !== ''`, 'label', {dy: 14, fontSize: 11, fill: 'var(--penalty-text)'}, {x: {...x, field: 'label_at'}}),
  ],
});
