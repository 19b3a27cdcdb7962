// Step by something: a cell for each pair, darker is more, a dot where a limit is broken.
import {chart} from './common.mjs';

// An axis knows the place of a label as a share of the way.
const spaced = "round(datum.index * (columns - 1)) % every ? '' : datum.label";

export const heat = (size) => chart({
  params: [{name: 'most', value: 1}, {name: 'columns', value: 1}, {name: 'every', value: 1}],
  encoding: {
    x: {field: 'x', type: 'ordinal', sort: null, axis: {title: '$xTitle', labelAngle: 0, ticks: false, domain: false, labelExpr: spaced, labelOverlap: false}},
    y: {field: 'y', type: 'ordinal', sort: null, axis: {title: '$yTitle', titleX: -26}},
  },
  layer: [
    {mark: {type: 'rect', fill: 'var(--cell)'}},
    {
      transform: [{filter: 'isValid(datum.value)'}],
      mark: {type: 'rect', fill: 'var(--heat)'},
      encoding: {
        fillOpacity: {
          field: 'value',
          type: 'quantitative',
          legend: null,
          scale: {domain: [0, {expr: 'most'}], range: [0.02, 1], nice: false},
        },
        tooltip: [
          {field: 'x', title: '$xTitle'},
          {field: 'y', title: '$yTitle'},
          {field: 'value', title: '$valueTitle', format: '.4f'},
        ],
      },
    },
    {
      transform: [{filter: 'datum.mark > 0'}],
      mark: {type: 'point', filled: true, size: 14, opacity: 1, fill: 'var(--dot)', stroke: 'var(--dot-ring)', strokeWidth: 0.8},
    },
  ],
  config: {scale: {bandPaddingInner: 0.06, bandPaddingOuter: 0}},
}, {left: 40, right: 8, ...size});

export default heat({width: 282, height: 172});
