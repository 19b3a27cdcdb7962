// A share of a group, step by step, under each method.
import {chart, colour, dash, thickness} from './common.mjs';

const y = {
  field: 'share',
  type: 'quantitative',
  scale: {domain: [{expr: 'yMin'}, {expr: 'yMax'}], nice: false, zero: false},
  axis: {title: '$yTitle', tickCount: 5, format: '.0%', labelOverlap: false},
};

export default chart({
  params: [{name: 'yMin', value: 0}, {name: 'yMax', value: 1}],
  encoding: {
    x: {field: 'step', type: 'quantitative', scale: {zero: false, nice: false}, axis: {title: 'step', tickMinStep: 1, format: 'd', labelOverlap: false}},
    y,
    color: colour,
  },
  layer: [
    {mark: {type: 'line'}, encoding: {strokeDash: dash, strokeWidth: thickness, detail: {field: 'method'}}},
    {
      mark: {type: 'point', filled: true, opacity: 1},
      encoding: {
        shape: {
          field: 'kind',
          type: 'nominal',
          legend: null,
          scale: {domain: ['ours', 'unconstrained', 'penalty'], range: ['circle', 'square', 'triangle-up']},
        },
        tooltip: [
          {field: 'method', title: 'method'},
          {field: 'step', title: 'step'},
          {field: 'share', title: '$yTitle', format: '.2%'},
        ],
      },
    },
  ],
}, {right: 14});
