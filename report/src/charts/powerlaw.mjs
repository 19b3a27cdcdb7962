// Log-log: what was measured, the theorem's slope, the fitted one.
import {chart, logK, powerAxis, wide} from './common.mjs';

const series = {
  field: 'series',
  type: 'nominal',
  legend: null,
  scale: {domain: ['measured', 'theorem', 'fit'], range: ['var(--ours)', 'var(--theorem)', 'var(--fit)']},
};
const y = {
  field: 'mean',
  type: 'quantitative',
  scale: {type: 'log', nice: false},
  axis: {title: '$yTitle', format: '~g', tickCount: 4, labelOverlap: true, grid: true},
};

export default chart({
  transform: [logK],
  encoding: {x: powerAxis},
  layer: [
    {
      transform: [{filter: "datum.series === 'measured' && isValid(datum.low)"}],
      mark: {type: 'area', opacity: 0.18, color: 'var(--ours)'},
      encoding: {y: {...y, field: 'low'}, y2: {field: 'high'}},
    },
    {
      transform: [{filter: "datum.series !== 'measured'"}],
      mark: {type: 'line', strokeWidth: 1.6},
      encoding: {
        y,
        color: series,
        strokeDash: {...series, scale: {domain: ['measured', 'theorem', 'fit'], range: [[1, 0], [5, 4], [1, 0]]}},
      },
    },
    {
      transform: [{filter: "datum.series === 'measured'"}],
      mark: {type: 'point', filled: true, size: 38, opacity: 1, color: 'var(--ours)'},
      encoding: {
        y,
        tooltip: [
          {field: 'k', title: 'k', format: ','},
          {field: 'mean', title: '$yTitle', format: '.3e'},
        ],
      },
    },
  ],
}, {...wide, right: 14});
