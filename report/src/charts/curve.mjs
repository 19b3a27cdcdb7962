// A quantity over training, method by method: mean, band, and the penalty's lambda at the end of its line.
import {chart, colour, dash, logK, powerAxis, thickness, wash} from './common.mjs';

const y = {
  field: 'mean',
  type: 'quantitative',
  scale: {domain: [{expr: 'yMin'}, {expr: 'yMax'}], nice: false, zero: false},
  axis: {title: '$yTitle', tickCount: 5, labelOverlap: false},
};

export default chart({
  params: [{name: 'yMin', value: 0}, {name: 'yMax', value: 1}],
  transform: [logK],
  encoding: {x: powerAxis, detail: {field: 'method'}},
  layer: [
    {
      transform: [{filter: 'isValid(datum.low)'}],
      mark: {type: 'area', clip: true},
      encoding: {y: {...y, field: 'low'}, y2: {field: 'high'}, fill: colour, fillOpacity: wash},
    },
    {mark: {type: 'line', clip: true}, encoding: {y, color: colour, strokeDash: dash, strokeWidth: thickness}},
    {
      mark: {type: 'point', size: 90, opacity: 0, filled: true},
      encoding: {
        y,
        tooltip: [
          {field: 'method', title: 'method'},
          {field: 'k', title: 'k', format: ','},
          {field: 'mean', title: '$yTitle', format: '.4f'},
          {field: 'low', title: 'from', format: '.4f'},
          {field: 'high', title: 'to', format: '.4f'},
        ],
      },
    },
    {
      transform: [{filter: "datum.label !== ''"}],
      mark: {type: 'text', align: 'left', dx: 5, fontSize: 11, color: 'var(--penalty-text)'},
      encoding: {y, text: {field: 'label'}},
    },
  ],
}, {width: 214, right: 56});
