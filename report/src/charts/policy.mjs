// One group's policy: acceptance by step and feature. A difference has two colours, one for each sign.
import {chart} from './common.mjs';

export default chart({
  encoding: {
    x: {field: 'step', type: 'ordinal', sort: null, axis: {title: 'step', labelAngle: 0, ticks: false, domain: false, labelOverlap: false}},
    y: {field: 'feature', type: 'ordinal', sort: null, axis: {title: 'feature', titleX: -46, labelLimit: 44}},
  },
  layer: [
    {mark: {type: 'rect', fill: 'var(--cell)'}},
    {
      mark: {type: 'rect'},
      encoding: {
        fill: {condition: {test: 'datum.value < 0', value: 'var(--heat-less)'}, value: 'var(--heat)'},
        fillOpacity: {
          field: 'size',
          type: 'quantitative',
          legend: null,
          scale: {domain: [0, 1], range: [0, 1], nice: false},
        },
        tooltip: [
          {field: 'step', title: 'step'},
          {field: 'feature', title: 'feature'},
          {field: 'value', title: '$valueTitle', format: '.3f'},
        ],
      },
    },
    {
      mark: {type: 'text', fontSize: 11},
      encoding: {
        text: {field: 'value', type: 'quantitative', format: '.2f'},
        color: {condition: {test: 'datum.size > 0.55', value: 'var(--on-heat)'}, value: 'var(--ink)'},
      },
    },
  ],
  transform: [{calculate: 'abs(datum.value)', as: 'size'}],
  config: {scale: {bandPaddingInner: 0.06, bandPaddingOuter: 0}},
}, {left: 62, right: 8, width: 376, height: 180});
