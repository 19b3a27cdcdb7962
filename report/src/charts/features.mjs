// Shares of a group by feature, step by step: a line for each feature, its name at the end.
import {chart} from './common.mjs';

const y = {
  field: 'share',
  type: 'quantitative',
  scale: {domain: [{expr: 'yMin'}, {expr: 'yMax'}], nice: false},
  axis: {title: '$yTitle', tickCount: 5, format: '.0%', labelOverlap: false},
};

export default chart({
  params: [{name: 'yMin', value: 0}, {name: 'yMax', value: 1}],
  encoding: {
    x: {field: 'step', type: 'quantitative', scale: {zero: false, nice: false}, axis: {title: 'step', tickMinStep: 1, format: 'd', labelOverlap: false}},
    y,
    detail: {field: 'feature'},
  },
  layer: [
    {
      mark: {type: 'line', color: 'var(--heat)'},
      encoding: {
        opacity: {field: 'level', type: 'quantitative', legend: null, scale: {domain: [0, 1], range: [0.35, 1]}},
        strokeWidth: {field: 'level', type: 'quantitative', legend: null, scale: {domain: [0, 1], range: [1.2, 2.4]}},
      },
    },
    {
      mark: {type: 'point', size: 80, opacity: 0, filled: true},
      encoding: {
        tooltip: [
          {field: 'feature', title: 'feature'},
          {field: 'step', title: 'step'},
          {field: 'share', title: 'share', format: '.2%'},
        ],
      },
    },
    {
      transform: [{filter: "datum.label !== ''"}],
      mark: {type: 'text', align: 'left', dx: 5, fontSize: 11},
      encoding: {y: {...y, field: 'label_at'}, text: {field: 'label'}},
    },
  ],
}, {right: 34});
