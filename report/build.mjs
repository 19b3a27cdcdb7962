// Makes the page's script and style, as a C++ source:  node build.mjs OUTPUT.cpp
//
// Charts are written in Vega-Lite and compiled to Vega here, so that the page carries no compiler. Parts of Vega that no
// chart of ours uses are left out of the bundle.
import {readdir, readFile, writeFile} from 'node:fs/promises';
import {dirname, join} from 'node:path';
import {fileURLToPath, pathToFileURL} from 'node:url';

import * as esbuild from 'esbuild';
import {compile} from 'vega-lite';

import {dark, light, variables} from '../src/fairstep/page/palette.mjs';

const here = dirname(fileURLToPath(import.meta.url));
const source = join(here, 'src');

/// name -> Vega specification
async function compiledCharts() {
  const made = {};
  for (const file of (await readdir(join(source, 'charts'))).sort()) {
    const name = file.replace(/\.mjs$/, '');
    if (name === 'common') continue;
    const {default: chart} = await import(pathToFileURL(join(source, 'charts', file)));
    const {spec} = compile(chart, {
      logger: {
        level: () => 0,
        debug() {},
        info() {},
        warn(...words) { throw new Error(`${name}: ${words.join(' ')}`); },
        error(...words) { throw new Error(`${name}: ${words.join(' ')}`); },
      },
    });
    delete spec.$schema;
    made[name] = spec;
  }
  return made;
}

/// Charts share axes, colours and much else: what occurs twice stands once, and {"=": 3} where it was (src/draw.mjs puts
/// it back).
function shared(charts) {
  const count = new Map();
  const visit = (value) => {
    const text = JSON.stringify(value) ?? '';
    if (text.length >= 40) count.set(text, (count.get(text) ?? 0) + 1);
    if (value !== null && typeof value === 'object') Object.values(value).forEach(visit);
  };
  visit(charts);
  const places = new Map();
  const parts = [];
  const fold = (value) => {
    const text = JSON.stringify(value) ?? '';
    if (count.get(text) > 1) {
      if (!places.has(text)) {
        const part = unfolded(value);
        places.set(text, parts.push(part) - 1);
      }
      return {'=': places.get(text)};
    }
    return unfolded(value);
  };
  const unfolded = (value) => {
    if (Array.isArray(value)) return value.map(fold);
    if (value === null || typeof value !== 'object') return value;
    return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, fold(entry)]));
  };
  const folded = Object.fromEntries(Object.entries(charts).map(([name, chart]) => [name, unfolded(chart)]));
  return {charts: folded, parts};
}

/// Of these packages Vega itself is shown but what its parser and our charts use; another chart may need more, and says so
/// when it is drawn.
const partly = {
  'vega-transforms': [
    'aggregate', 'collect', 'compare', 'expression', 'extent', 'facet', 'field', 'filter', 'formula', 'key', 'multiextent',
    'multivalues', 'params', 'prefacet', 'proxy', 'relay', 'sieve', 'subflow', 'tupleindex', 'values',
  ],
  'vega-encode': ['axisticks', 'datajoin', 'encode', 'scale', 'sortitems'],
};

const palettes = [
  'Accent', 'Category10', 'Dark2', 'Observable10', 'Paired', 'Pastel1', 'Pastel2', 'Set1', 'Set2', 'Set3',
].map((name) => `scheme${name}`);

const unused = /^(d3-dsv|vega-geo|vega-projection|vega-force|vega-hierarchy|vega-voronoi|vega-wordcloud|vega-crossfilter|vega-label|vega-regression|d3-geo|d3-geo-projection|d3-force|d3-hierarchy|d3-delaunay|topojson-client|node-fetch)$/;

const virtual = (charts) => ({
  name: 'virtual',
  setup(build) {
    build.onResolve({filter: /^fairstep:charts$/}, ({path}) => ({path, namespace: 'charts'}));
    build.onLoad({filter: /.*/, namespace: 'charts'}, () => ({contents: JSON.stringify(shared(charts)), loader: 'json'}));
    build.onResolve({filter: new RegExp(`^(${Object.keys(partly).join('|')})$`)}, ({path, importer}) =>
      /[\\/]vega[\\/]/.test(importer) ? {path, namespace: 'partly'} : undefined,
    );
    build.onLoad({filter: /.*/, namespace: 'partly'}, async ({path}) => {
      // A line of its index for each transform, and a file behind it.
      const resolveDir = join(here, 'node_modules', path);
      const lines = (await readFile(join(resolveDir, 'index.js'), 'utf8')).split('\n');
      const wanted = partly[path].map((name) => lines.find((line) => line.includes(`default as ${name}}`)));
      if (wanted.includes(undefined)) throw new Error(`${path} lacks one of ${partly[path].join(', ')}`);
      return {contents: wanted.join('\n'), resolveDir};
    });
    // Ready-made palettes: all colours here are our own. Vega asks for their length when it starts.
    build.onResolve({filter: /^d3-scale-chromatic$/}, ({path}) => ({path, namespace: 'palettes'}));
    build.onLoad({filter: /.*/, namespace: 'palettes'}, () => ({
      contents: palettes.map((name) => `export const ${name} = '';`).join('\n'),
    }));
    build.onResolve({filter: unused}, ({path}) => ({path, namespace: 'unused'}));
    build.onLoad({filter: /.*/, namespace: 'unused'}, () => ({contents: 'module.exports = {}', loader: 'js'}));
  },
});

async function bundle(charts) {
  const {outputFiles, metafile} = await esbuild.build({
    entryPoints: [join(source, 'main.mjs')],
    bundle: true,
    minify: true,
    write: false,
    metafile: true,
    format: 'iife',
    platform: 'browser',
    target: 'es2020',
    charset: 'utf8',
    legalComments: 'none',
    absWorkingDir: here,
    logOverride: {'import-is-undefined': 'silent'},
    logLevel: 'warning',
    plugins: [virtual(charts)],
  });
  const packages = new Set();
  for (const [file, {bytesInOutput}] of Object.entries(Object.values(metafile.outputs)[0].inputs)) {
    const name = file.match(/node_modules\/((?:@[^/]+\/)?[^/]+)/)?.[1];
    if (name && bytesInOutput > 0) packages.add(name);
  }
  return {script: outputFiles[0].text.trim(), packages: [...packages].sort()};
}

/// Packages with the same licence text share it.
async function licences(packages) {
  const texts = new Map();
  for (const name of packages) {
    const folder = join(here, 'node_modules', name);
    const about = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
    const file = (await readdir(folder)).find((entry) => /^licen[cs]e/i.test(entry));
    const text = file ? (await readFile(join(folder, file), 'utf8')).trim() : about.license;
    texts.set(text, [...(texts.get(text) ?? []), `${name} ${about.version}`]);
  }
  return [...texts].map(([text, names]) => `${names.join(', ')}\n\n${text}\n`).join('\n\n');
}

async function style() {
  const shared = (name) => readFile(join(here, '../src/fairstep/page', name), 'utf8');
  const text = (await readFile(join(source, 'style.css'), 'utf8'))
    .replace('/* base */', await shared('base.css'))
    .replace('/* tables */', await shared('tables.css'))
    .replaceAll('/* light */', variables(light))
    .replaceAll('/* dark */', variables(dark));
  return (await esbuild.transform(text, {loader: 'css', minify: true, charset: 'utf8'})).code.trim();
}

/// Raw string literals of a length that every compiler takes, one after the other.
function literal(text) {
  const pieces = [];
  for (let at = 0; at < text.length; ) {
    let end = Math.min(at + 8000, text.length);
    if (end < text.length && /[\uD800-\uDBFF]/.test(text[end - 1])) --end;
    pieces.push(text.slice(at, end));
    at = end;
  }
  if (text.includes(')fairstep"')) throw new Error('an asset contains the end of its own literal');
  return pieces.map((piece) => `    R"fairstep(${piece})fairstep"`).join('\n');
}

const charts = await compiledCharts();
const {script, packages} = await bundle(charts);
for (const end of ['</script', '<!--'])
  if (script.includes(end)) throw new Error(`the script contains ${end}, which would end it`);
const assets = {script, style: await style(), licences: await licences(packages)};
const text = [
  '// Made by report/build.mjs.',
  '#include <fairstep/report/internal/assets.hpp>',
  '',
  'namespace fairstep::report::assets {',
  ...Object.entries(assets).flatMap(([name, content]) => [
    '',
    `std::string_view ${name}() {`,
    '  static constexpr char text[] =',
    `${literal(content)};`,
    '  return {text, sizeof text - 1};',
    '}',
  ]),
  '',
  '}  // namespace fairstep::report::assets',
  '',
].join('\n');
await writeFile(process.argv[2], text);
