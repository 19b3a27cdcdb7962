// Return against violation in small: the last policies, and what the penalties offer at every violation.
import {chart, colour, dash} from './common.mjs';

const x = {
  field: 'violation',
  type: 'quantitative',
  scale: {type: 'sqrt', domain: [0, {expr: 'xMax'}], nice: false},
  axis: {title: 'violation', values: [0, 0.01, 0.05, 0.1, 0.2, 0.4, 0.8], format: '~g', labelOverlap: true},
};
const y = {
  field: 'value',
  type: 'quantitative',
  scale: {domain: [{expr: 'yMin'}, {expr: 'yMax'}], nice: false, zero: false},
  axis: {title: 'return', tickCount: 4, labelOverlap: false},
};
const only = (test) => ({transform: [{filter: test}]});
const tooltip = [
  {field: 'method', title: 'method'},
  {field: 'violation', title: 'violation', format: '.4f'},
  {field: 'value', title: 'return', format: '.4f'},
];
const cross = 'M-1,-1L1,1M1,-1L-1,1';

export default chart({
  params: [{name: 'xMax', value: 1}, {name: 'yMin', value: 0}, {name: 'yMax', value: 1}],
  encoding: {x, y},
  layer: [
    {
      ...only("datum.role === 'corner'"),
      mark: {type: 'line', strokeWidth: 1.6, clip: true},
      encoding: {order: {field: 'violation'}, color: colour, strokeDash: dash, detail: {field: 'method'}},
    },
    {
      ...only("datum.role === 'final' && (datum.kind === 'penalty' || datum.kind === 'other_form')"),
      mark: {type: 'point', filled: true, size: 20, opacity: 1},
      encoding: {color: colour, tooltip},
    },
    {
      ...only("datum.kind === 'ours' && isValid(datum.violation_low)"),
      mark: {type: 'rule', strokeWidth: 1.6, clip: true},
      encoding: {x: {...x, field: 'violation_low'}, x2: {field: 'violation_high'}, color: colour},
    },
    {
      ...only("datum.kind === 'ours' && isValid(datum.value_low)"),
      mark: {type: 'rule', strokeWidth: 1.6, clip: true},
      encoding: {y: {...y, field: 'value_low'}, y2: {field: 'value_high'}, color: colour},
    },
    {
      ...only("datum.kind === 'ours' || datum.kind === 'unconstrained'"),
      mark: {type: 'point', shape: cross, strokeWidth: 2.6, size: 90, opacity: 1, fill: null},
      encoding: {color: colour, tooltip},
    },
  ],
}, {width: 172, height: 140, left: 52, right: 10, top: 8, bottom: 42});
