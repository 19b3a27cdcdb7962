// What was allowed on top of a limit, over training; above 1 nothing is limited.
import {chart, colour, dash, logK, powerAxis, thickness, wide} from './common.mjs';

const y = {
  field: 'mean',
  type: 'quantitative',
  scale: {type: 'log', nice: false},
  axis: {title: '$yTitle', format: '~g', tickCount: 5, labelOverlap: true},
};

export default chart({
  layer: [
    {
      data: {values: [{}]},
      mark: {type: 'rule', strokeDash: [2, 2], color: 'var(--axis)'},
      encoding: {y: {datum: 1, type: 'quantitative'}},
    },
    {
      data: {values: [{}]},
      mark: {type: 'text', align: 'right', dy: 9, fontSize: 11, color: 'var(--muted)', text: 'vacuous above 1'},
      encoding: {y: {datum: 1, type: 'quantitative'}, x: {value: 'width'}},
    },
    {
      transform: [logK],
      mark: {type: 'line'},
      encoding: {x: powerAxis, y, color: colour, strokeDash: dash, strokeWidth: thickness, detail: {field: 'method'}},
    },
    {
      transform: [logK],
      mark: {type: 'point', size: 36, filled: true, opacity: 1},
      encoding: {
        x: powerAxis,
        y,
        color: colour,
        tooltip: [
          {field: 'method', title: 'method'},
          {field: 'k', title: 'k', format: ','},
          {field: 'mean', title: 'relaxation', format: '.4~g'},
        ],
      },
    },
  ],
}, {right: 14, ...wide});
