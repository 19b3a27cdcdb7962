// The best return under a limit, found and proven.
import {chart, wide} from './common.mjs';

const x = {
  field: 'limit',
  type: 'quantitative',
  scale: {type: 'sqrt', nice: false},
  axis: {title: 'limit on the gap (square-root axis)', values: [0, 0.01, 0.05, 0.1, 0.2, 0.5, 1], format: '~g', labelOverlap: false},
};
const y = {
  field: 'value',
  type: 'quantitative',
  scale: {zero: false, nice: true},
  axis: {title: 'return', tickCount: 5, labelOverlap: false},
};

export default chart({
  encoding: {x},
  layer: [
    {
      transform: [{filter: 'isValid(datum.value) && isValid(datum.upper)'}],
      mark: {type: 'area', opacity: 0.25, color: 'var(--optimum)'},
      encoding: {y, y2: {field: 'upper'}},
    },
    {mark: {type: 'line', color: 'var(--optimum)', strokeWidth: 1.8}, encoding: {y}},
    {
      mark: {type: 'point', filled: true, size: 36, opacity: 1, color: 'var(--optimum)'},
      encoding: {
        y,
        tooltip: [
          {field: 'limit', title: 'limit'},
          {field: 'value', title: 'return', format: '.5f'},
          {field: 'upper', title: 'proven at most', format: '.5f'},
          {field: 'price', title: 'shadow price, all steps', format: '.4f'},
        ],
      },
    },
  ],
}, {right: 14, ...wide});
