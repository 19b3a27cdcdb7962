// Gaps of the final policies at each step, with intervals and what was allowed.
import {chart, colour, dash, thickness, wash, wide} from './common.mjs';

const y = {
  field: 'mean',
  type: 'quantitative',
  scale: {type: 'sqrt', domain: [0, {expr: 'yMax'}], nice: false},
  axis: {title: '$yTitle', values: [0, 0.01, 0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 1], format: '~g', labelOverlap: false},
};

export default chart({
  params: [{name: 'yMax', value: 1}],
  encoding: {
    x: {field: 'step', type: 'quantitative', scale: {zero: false, nice: false}, axis: {title: 'step', tickMinStep: 1, format: 'd', labelOverlap: false}},
    detail: {field: 'method'},
  },
  layer: [
    {
      transform: [{filter: 'isValid(datum.low)'}],
      mark: {type: 'area'},
      encoding: {y: {...y, field: 'low'}, y2: {field: 'high'}, fill: colour, fillOpacity: wash},
    },
    {mark: {type: 'line'}, encoding: {y, color: colour, strokeDash: dash, strokeWidth: thickness}},
    {
      transform: [{filter: "datum.kind !== 'allowed'"}],
      mark: {type: 'point', filled: true, opacity: 1},
      encoding: {
        y,
        color: colour,
        shape: {
          field: 'kind',
          type: 'nominal',
          legend: null,
          scale: {domain: ['ours', 'unconstrained', 'penalty'], range: ['circle', 'square', 'triangle-up']},
        },
        tooltip: [
          {field: 'method', title: 'method'},
          {field: 'step', title: 'step'},
          {field: 'mean', title: 'gap', format: '.4f'},
        ],
      },
    },
  ],
}, {right: 14, ...wide});
