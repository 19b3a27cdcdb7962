// One tick for each solve: how far its policy may be from the optimum.
import {chart, colour} from './common.mjs';

export default chart({
  params: [{name: 'asked', value: 0.001}],
  transform: [{filter: 'isValid(datum.gap)'}, {calculate: 'clamp(datum.gap, 1e-6, 1)', as: 'shown'}],
  layer: [
    {
      mark: {type: 'tick', thickness: 1.2, size: 12, opacity: 0.55},
      encoding: {
        x: {
          field: 'shown',
          type: 'quantitative',
          scale: {type: 'log', domain: [1e-6, 1], nice: false},
          axis: {title: 'proven to within', values: [1e-6, 1e-4, 1e-2, 1], format: '~%', grid: true, labelFlush: false, labelOverlap: false},
        },
        y: {field: 'method', type: 'nominal', sort: null, axis: {title: null, labelLimit: 168, labelFontSize: 11, labelExpr: "replace(datum.label, ', lambda', '')"}},
        color: colour,
        tooltip: [
          {field: 'method', title: 'method'},
          {field: 'gap', title: 'proven to within', format: '.2e'},
          {field: 'solves', title: 'solves'},
        ],
      },
    },
    {
      data: {values: [{}]},
      mark: {type: 'rule', strokeDash: [3, 3], strokeWidth: 1.4, color: 'var(--ink)'},
      encoding: {x: {datum: {expr: 'asked'}, type: 'quantitative'}},
    },
  ],
}, {left: 174, right: 28, width: 246, height: 226});
