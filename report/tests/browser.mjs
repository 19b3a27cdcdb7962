// Debian's Chromium, without a display: CHROMIUM, or the first one found.
import {existsSync} from 'node:fs';
import {chromium} from 'playwright-core';

const candidates = [process.env.CHROMIUM, '/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

export function launch() {
  const executablePath = candidates.find((path) => path && existsSync(path));
  if (!executablePath) throw new Error('no Chromium found: install it, or name it in CHROMIUM');
  return chromium.launch({executablePath, args: ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage']});
}
