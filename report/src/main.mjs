// In a browser: the page. Without one (`fairstep plot`): a function that draws into files.
import {start} from './page.mjs';
import {plot} from './plot.mjs';

if (typeof document === 'undefined') globalThis.fairstepPlot = plot;
else start();
