// The page checks its own certificate when it is opened: bounds are derived again from the counts and the policy inside
// the certificate, in the numbers of 53 bits that a browser has. A third implementation beside `fairstep check` and
// tools/check_certificate.py, and the smallest: it does not round outwards, so it confirms to 1e-9, and it leaves out what
// `beyond` names. Theorem G in docs/guarantees.md is what is computed.
const TOLERANCE = 1e-9;
const SLACK = 1e-12;
const LABELS = {accept: [0, 1], tpr: [1], fpr: [0]};
const RATIOS = {'dp-ratio': {rate: 'accept', gap: 'dp'}, 'eqopt-ratio': {rate: 'tpr', gap: 'eqopt'}};
const RATES = {dp: ['accept'], eqopt: ['tpr'], eqodds: ['fpr', 'tpr']};

const sum = (numbers) => numbers.reduce((total, n) => total + n, 0);
const flat = (nested) => (Array.isArray(nested) ? nested.flatMap(flat) : [nested]);

// --- SHA-256, as FIPS 180-4 has it ----------------------------------------------------------------------------------

function primes(count) {
  const found = [];
  for (let n = 2; found.length < count; ++n) if (found.every((p) => n % p)) found.push(n);
  return found;
}
const fraction = (x) => Math.floor((x - Math.floor(x)) * 2 ** 32);
const K = primes(64).map((p) => fraction(Math.cbrt(p)));

export function sha256(text) {
  const bytes = new TextEncoder().encode(text);
  const blocks = new Uint8Array(64 * Math.ceil((bytes.length + 9) / 64));
  blocks.set(bytes);
  blocks[bytes.length] = 0x80;
  const view = new DataView(blocks.buffer);
  view.setUint32(blocks.length - 8, Math.floor(bytes.length / 2 ** 29));
  view.setUint32(blocks.length - 4, (bytes.length * 8) >>> 0);
  const hash = primes(8).map((p) => fraction(Math.sqrt(p)));
  const turn = (x, n) => (x >>> n) | (x << (32 - n));
  const w = new Uint32Array(64);
  for (let at = 0; at < blocks.length; at += 64) {
    for (let i = 0; i < 16; ++i) w[i] = view.getUint32(at + 4 * i);
    for (let i = 16; i < 64; ++i) {
      const s0 = turn(w[i - 15], 7) ^ turn(w[i - 15], 18) ^ (w[i - 15] >>> 3);
      const s1 = turn(w[i - 2], 17) ^ turn(w[i - 2], 19) ^ (w[i - 2] >>> 10);
      w[i] = w[i - 16] + s0 + w[i - 7] + s1;
    }
    let [a, b, c, d, e, f, g, h] = hash;
    for (let i = 0; i < 64; ++i) {
      const t1 = h + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) + ((e & f) ^ (~e & g)) + K[i] + w[i];
      const t2 = (turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
      [a, b, c, d, e, f, g, h] = [(t1 + t2) | 0, a, b, c, (d + t1) | 0, e, f, g];
    }
    [a, b, c, d, e, f, g, h].forEach((x, i) => { hash[i] = (hash[i] + x) | 0; });
  }
  return hash.map((x) => (x >>> 0).toString(16).padStart(8, '0')).join('');
}

// --- The sets around what was counted -------------------------------------------------------------------------------

/** ln n! - (n ln n - n + ln(2 pi n)/2) */
function stirling(n) {
  if (n >= 16) return 1 / (12 * n) - 1 / (360 * n ** 3) + 1 / (1260 * n ** 5) - 1 / (1680 * n ** 7);
  let log = 0;
  for (let k = 2; k <= n; ++k) log += Math.log(k);
  return log - (n * Math.log(n) - n + Math.log(2 * Math.PI * n) / 2);
}

/** ln of the probability of k successes in n draws that have probability k/n each */
function logMode(k, n) {
  if (k === 0 || k === n) return 0;
  return stirling(n) - stirling(k) - stirling(n - k) + Math.log(n / (2 * Math.PI * k * (n - k))) / 2;
}

/** How much less that is if each has probability p, k/n <= p < 1. */
function fall(k, n, p) {
  const away = p - k / n;
  const successes = k > 0 ? -k * Math.log1p((n * away) / k) : 0;
  return successes - (n - k) * Math.log1p((-n * away) / (n - k));
}

/** The largest p for which `holds` does, which holds from `low` up to somewhere below `high`. */
function lastWhere(holds, low, high) {
  for (let i = 0; i < 200 && high - low > 1e-16; ++i) {
    const middle = low + (high - low) / 2;
    if (middle <= low || middle >= high) break;
    if (holds(middle)) low = middle;
    else high = middle;
  }
  return high;
}

/** The largest p under which k of n has probability delta/(n+1). */
function upperEnd(k, n, delta) {
  if (k >= n) return 1;
  const most = logMode(k, n) - Math.log(delta / (n + 1));
  return lastWhere((p) => fall(k, n, p) <= most, k / n, 1);
}

/** How far off the mean of n draws may be, for e^logSets statements and all n at once. */
function radius(n, logSets, delta) {
  if (n === 0) return 1;
  const j = Math.floor(Math.log2(n)) + (2 ** (Math.floor(Math.log2(n)) + 1) <= n ? 1 : 0);
  const root = 2 ** 0.25;
  return Math.min(1, ((root + 1 / root) / 2) * Math.sqrt((logSets - Math.log(delta) + Math.log((j + 1) * (j + 2))) / (2 * n)));
}

/** The greatest of all n from low to high: it falls, but for steps up at powers of two. */
function greatestRadius(low, high, logSets, delta) {
  const power = low ? 2 ** (Math.floor(Math.log2(low)) + 1) : 0;
  const places = power && power <= high ? [low, power] : [low];
  return Math.max(...places.map((n) => radius(n, logSets, delta)));
}

/** Counted next states (or first states): up to `missing` more may belong here, up to `doubtful` of them elsewhere. */
class Row {
  constructor(seen, missing, doubtful, split) {
    this.seen = seen;
    this.n = sum(seen);
    this.shares = seen.map((k) => (this.n ? k / this.n : 1 / seen.length));
    const least = this.n - doubtful;
    this.reach = 1;
    if (least > 0 && seen.length > 1) {
      const logSets = seen.length * Math.LN2 + Math.log1p(-(2 ** (1 - seen.length)));  // ln(2^S - 2)
      this.reach = Math.min(1, greatestRadius(least, this.n + missing, logSets, split.ball) + missing / (least + missing));
    }
    this.more = [];
    this.less = [];
    seen.forEach((k, i) => {
      const here = Math.max(0, k - doubtful);
      const elsewhere = Math.max(0, this.n - k - doubtful);
      const mostHere = k + missing;
      const mostElsewhere = this.n - k + missing;
      this.more.push(upperEnd(mostHere, mostHere + elsewhere, split.interval) - this.shares[i]);
      this.less.push(this.shares[i] - (1 - upperEnd(mostElsewhere, mostElsewhere + here, split.interval)));
    });
  }

  /** The largest mean of f over the set: mass moves from the lowest f to the highest. */
  greatestMean(f) {
    const order = f.map((_, i) => i).sort((a, b) => f[a] - f[b]);
    const top = f[order[order.length - 1]];
    if (this.n === 0) return top;
    let mean = 0;
    for (let i = 0; i < f.length; ++i) mean += this.shares[i] * f[i];
    let low = 0;
    let high = f.length - 1;
    let reach = this.reach;
    let less = this.less[order[low]];
    let more = this.more[order[high]];
    while (low < high && reach > 0) {
      const moved = Math.min(less, more, reach);
      mean += moved * (f[order[high]] - f[order[low]]);
      less -= moved;
      more -= moved;
      reach -= moved;
      if (less <= 0) less = this.less[order[++low]];
      if (more <= 0 && low < high) more = this.more[order[--high]];
    }
    return Math.min(mean, top);
  }
}

// --- One group under the policy -------------------------------------------------------------------------------------

class Group {
  constructor(g, counts, lost, policy, split) {
    const periods = counts.periods ?? [{first_step: 0}];
    const tables = counts.periods ? counts.transitions[g] : [counts.transitions[g]];
    const steps = [...Array(counts.horizon).keys()];
    this.period = steps.map((t) => periods.filter((period) => period.first_step <= t).length - 1);
    this.kernels = tables.map((table) => table.flatMap((ofX, x) => ofX.map((ofY, y) => ofY.map(
      (next, a) => new Row(flat(next), lost ? lost.transitions[g][x][y][a] : 0, 0, split)))));
    this.first = new Row(flat(counts.first[g]), lost ? lost.first[g] : 0, lost ? lost.first_in_doubt[g] : 0, split);
    this.missingPeople = lost ? lost.first[g] : 0;
    this.missing = lost ? lost.cells[g] : null;
    this.visits = counts.visits[g];
    this.accept = policy.group_independent ? policy.accept : policy.accept[g];
    this.tail = split.tail;
    this.states = [...Array(2 * counts.features.length).keys()];
  }

  /** The greatest mean of f[s] at step h; with cost[s][a], of that and the costs of all steps before. */
  worst(h, f, cost, discount = 1) {
    for (let t = h - 1; t >= 0; --t) {
      const rows = this.kernels[this.period[t]];
      f = this.states.map((s) => {
        const p = this.accept[t][s >> 1];
        const [refused, accepted] = [0, 1].map((a) => (cost ? cost[s][a] : 0) + discount * rows[s][a].greatestMean(f));
        return (1 - p) * refused + p * accepted;
      });
    }
    return this.first.greatestMean(f);
  }

  /** The least number that sign * rate cannot exceed at step h. */
  end(h, rate, sign, claimed) {
    if (rate === 'qualified') return Math.min(Math.max(sign, 0), this.worst(h, this.states.map((s) => sign * (s % 2))));
    const most = Math.max(...this.accept[h].map((p) => sign * p));  // a rate is a mean of the policy's entries
    const cap = Math.min(most, this.tail === undefined ? Infinity : this.byFollowers(h, rate, sign));
    if (rate === 'accept')
      return Math.min(cap, this.worst(h, this.states.map((s) => sign * this.accept[h][s >> 1])));
    // The rate is a quotient: its end is where what is paid beyond it comes to nothing. That may be next to flat, so the end
    // is one that is paid nothing while a billionth less is not; as every checker has it.
    const paid = (end) => this.worst(h, this.states.map(
      (s) => (LABELS[rate].includes(s % 2) ? sign * this.accept[h][s >> 1] - end : 0)));
    const end = Math.min(cap, sign * claimed);
    const enough = end === cap || paid(end) <= SLACK;
    if (enough && paid(end - TOLERANCE) >= -SLACK) return end;
    return Math.min(cap, lastWhere((e) => paid(e) > 0, -1, 1));
  }

  /** By those who followed the policy: a binomial tail, with whoever was away taken for the worse. */
  byFollowers(h, rate, sign) {
    const there = this.visits.slice(0, h + 1).map((step) => sum(flat(step)));
    const away = sum(there.map((n) => Math.max(0, this.first.n + this.missingPeople - n)));
    const cells = this.visits[h].flatMap((ofX) => LABELS[rate].map((y) => ofX[y]));
    const n = sum(flat(cells));
    const k = Math.min(n, sum(cells.map((cell) => cell[sign > 0 ? 1 : 0])) + away);
    if (n === 0 || k === n) return sign > 0 ? 1 : 0;
    const common = (p) => {
      const ratio = (k * (1 - p)) / ((n - k + 1) * p);
      return ratio >= 1 || logMode(k, n) - fall(k, n, p) - Math.log1p(-ratio) > Math.log(this.tail);
    };
    const end = lastWhere(common, k / n, 1);
    return sign > 0 ? end : end - 1;
  }
}

// --- The check ------------------------------------------------------------------------------------------------------

/** What this page does not derive again. */
function beyond(certificate) {
  const left = ['the estimates, which prove nothing', "the diagnosis of the data's p-values", 'the sentences'];
  if (certificate.inputs.design) left.push('how much narrower the two parts make the bounds');
  if (certificate.if_nothing_lost) left.push('the bounds if nothing had been lost');
  return left;
}

/**
 * Yields which part is done; returns {hashes: [{name, stated, found}], rates: [{rate, group, step, end, stated, found}], gaps: [{notion, step, stated, found}] (ratios too),
 *  value: {stated, found} or null, wrong: [sentence], compared, beyond: [words]}; `found` is what was derived here.
 */
export function* checking(certificate) {
  const result = {hashes: [], rates: [], gaps: [], value: null, wrong: [], compared: 0, beyond: beyond(certificate)};
  const expect = (ok, sentence) => {
    ++result.compared;
    if (!ok) result.wrong.push(sentence);
  };
  for (const [name, input] of Object.entries(certificate.inputs)) {
    const found = sha256(input.text);
    result.hashes.push({name, stated: input.sha256, found});
    expect(found === input.sha256, `the hash of the ${name} is not that of the ${name} inside`);
  }
  if (certificate.labels) {
    result.beyond.push('bounds that rest on labels that follow features');
    return result;
  }
  const counts = JSON.parse(certificate.inputs.counts.text);
  const policy = policyInOrder(JSON.parse(certificate.inputs.policy.text), counts.groups);
  const model = certificate.inputs.model && modelInOrder(JSON.parse(certificate.inputs.model.text), counts);
  // What is compared below is named by the certificate: it must name all of it, and nothing twice.
  const pairsOf = (pairs) => pairs.map((pair) => JSON.stringify([...pair].sort())).sort().join();
  const allPairs = counts.groups.flatMap((a, i) => counts.groups.slice(i + 1).map((b) => [a, b]));
  expect(new Set(counts.groups).size === counts.groups.length
    && JSON.stringify(certificate.groups) === JSON.stringify(counts.groups), 'the groups');
  expect(pairsOf(certificate.pairs.map((pair) => pair.groups)) === pairsOf(allPairs), 'the pairs of groups');
  expect(typeof certificate.followed === 'boolean' && certificate.delta > 0 && certificate.delta < 1,
    'delta, or whether the policy was followed');
  if (certificate.followed) result.beyond.push('that people followed the policy');
  if (result.wrong.length) return result;
  const split = splitOf(certificate, counts);
  const ofParts = ['directions', 'question', 'path'];  // of a design part, which this page does not look into
  expect(Object.keys(split).every((name) => name in certificate.delta_split)
    && Object.keys(certificate.delta_split).every((name) => name in split || ofParts.includes(name)), 'how delta is split');
  const groups = [];
  for (const g of counts.groups.keys()) {
    groups.push(new Group(g, counts, counts.log?.lost, policy, split));
    yield 0;
  }
  for (const [name, stated] of Object.entries(certificate.delta_split))
    if (name in split)
      expect(Math.abs(split[name] - stated) <= 1e-12 * split[name], `delta is not split as the theorem does: ${name}`);

  const all = Object.keys(certificate.rates).length * groups.length * counts.horizon;
  for (const [rate, claims] of Object.entries(certificate.rates))
    for (const [g, group] of groups.entries())
      for (let h = 0; h < counts.horizon; ++h) {
        for (const [end, sign] of [['low', -1], ['high', 1]]) {
          const stated = claims[end][g][h];
          const found = sign * group.end(h, rate, sign, stated);
          result.rates.push({rate, group: counts.groups[g], step: h, end, stated, found});
          expect(Math.abs(found - stated) <= TOLERANCE, `${rate} of ${counts.groups[g]} at step ${h}, ${end} end`);
        }
        yield result.rates.length / 2 / all;
      }
  // Gaps follow from the ends of rates; with a design part they may be narrower, never wider.
  const ends = endsOf(result.rates);
  const expectGap = (stated, found, place) =>
    expect(certificate.inputs.design ? stated <= found + TOLERANCE : Math.abs(found - stated) <= TOLERANCE, place);
  for (const [notion, stated] of Object.entries(certificate.certified_gap))
    for (let h = 0; h < counts.horizon; ++h) {
      const apart = (a, b) => gapOf(RATES[notion].map((rate) => ends[rate]), a, b, h);
      let widest = 0;
      for (const pair of certificate.pairs) {
        const found = apart(...pair.groups);
        widest = Math.max(widest, found);
        expectGap(pair[notion][h], found, `gap ${notion} of ${pair.groups.join(' and ')} at step ${h}`);
      }
      result.gaps.push({notion, step: h, stated: stated[h], found: widest});
      expectGap(stated[h], widest, `gap ${notion} at step ${h}`);
    }
  for (const [notion, stated] of Object.entries(certificate.certified_ratio ?? {}))
    for (let h = 0; h < counts.horizon; ++h) {
      const found = leastRatio(certificate, notion, ends[RATIOS[notion].rate], h);
      result.gaps.push({notion, step: h, stated: stated[h], found});
      const ok = found === null || stated[h] === null
        ? found === stated[h] : Math.abs(found - stated[h]) <= 10 * TOLERANCE * Math.max(1, found);
      expect(ok, `ratio ${notion} at step ${h}`);
    }
  if (certificate.certified_aggregate_gap) result.beyond.push('the gap over the whole episode');
  const value = leastValue(certificate, counts, model, groups, split);
  if (value) {
    result.value = {stated: certificate.certified_value, found: value.least};
    const by = value.least - certificate.certified_value;
    const ok = certificate.inputs.design ? by <= TOLERANCE * value.size : Math.abs(by) <= TOLERANCE * value.size;
    expect(ok, 'value');
  }
  return result;
}

/** Groups and features are matched by name, whatever their order in a file. */
function policyInOrder(policy, groups) {
  if (policy.group_independent || !policy.groups) return policy;
  return {...policy, accept: groups.map((name) => policy.accept[policy.groups.indexOf(name)])};
}

function modelInOrder(model, {groups, features}) {
  const g = groups.map((name) => model.groups.indexOf(name));
  const x = features.map((name) => model.features.indexOf(name));
  return {...model, share: g.map((i) => model.share[i]), reward: g.map((i) => x.map((j) => model.reward[i][j]))};
}

/** Delta goes in equal parts to rows, followers and rewards, as far as used, and then evenly within each; with a design
 *  part a fifth of it does. */
function splitOf(certificate, counts) {
  const groups = counts.groups.length;
  const features = counts.features.length;
  const periods = counts.periods?.length ?? 1;
  const counted = 'reward_range' in certificate;
  const rates = new Set(Object.keys(certificate.certified_gap).flatMap((notion) => RATES[notion]));
  const part = certificate.delta / (certificate.inputs.design ? 5 : 1) / (1 + certificate.followed + counted);
  const row = part / (groups * (4 * features * periods + 1));
  const split = {rows: part, row, ball: row / 2, interval: row / 2 / (2 * features)};
  if (certificate.followed) Object.assign(split, {followed: part, tail: part / (2 * groups * counts.horizon * rates.size)});
  if (counted) Object.assign(split, {rewards: part, reward: part / (groups * 4 * features)});
  return split;
}

/** ends[rate][group] = {low: [step], high: [step]} as derived here */
function endsOf(rates) {
  const ends = {};
  for (const {rate, group, end, step, found} of rates) {
    const ofGroup = ((ends[rate] ??= {})[group] ??= {low: [], high: []});
    ofGroup[end][step] = found;
  }
  return ends;
}

function gapOf(rates, a, b, step) {
  let gap = 0;
  for (const ofRate of rates)
    for (const [above, below] of [[a, b], [b, a]])
      gap = Math.max(gap, ofRate[above].high[step] - ofRate[below].low[step]);
  return Math.min(1, gap);
}

/** The least that any group's rate can be beside the reference's, or the greatest, by the ends and the pairs' gaps. */
function leastRatio(certificate, notion, ends, step) {
  const {groups, reference, pairs} = certificate;
  const below = reference === undefined ? groups : [reference];
  if (Math.max(...below.map((group) => ends[group].low[step])) <= 0) return null;
  let least = reference === undefined ? 1 : Infinity;
  for (const under of below)
    for (const over of groups) {
      if (over === under || ends[under].high[step] <= 0) continue;
      const gap = pairs.find((pair) => pair.groups.includes(over) && pair.groups.includes(under))[RATIOS[notion].gap][step];
      const low = ends[over].low[step];
      const rate = Math.min(Math.max(low + gap, ends[under].low[step]), ends[under].high[step]);
      least = Math.min(least, rate > 0 ? Math.max(low, rate - gap) / rate : 1);
    }
  return Math.max(0, least);
}

/** What the policy earns at least, and what could be earned or lost at most. */
function leastValue(certificate, counts, model, groups, split) {
  if (certificate.certified_value === null) return null;
  const people = counts.groups.map((_, g) => sum(flat(counts.first[g])));
  const design = certificate.inputs.design && JSON.parse(certificate.inputs.design.text);
  const drawn = design ? counts.groups.map((_, g) => sum(flat(design.first[g]))) : people;
  const share = model ? model.share : drawn.map((n) => n / sum(drawn));
  const discount = model ? model.discount ?? 1 : certificate.discount;
  const rewards = groups.map((group, g) => group.states.map((s) => [0, 1].map((a) => {
    if (model) return [model.reward[g][s >> 1][s % 2][a], model.reward[g][s >> 1][s % 2][a]];
    const [low, high] = certificate.reward_range;
    const visits = sum(group.visits.map((step) => step[s >> 1][s % 2][a]));
    const missing = group.missing ? group.missing[s >> 1][s % 2][a] : 0;
    if (visits === 0) return [0, low];
    const total = counts.reward_sum[g][s >> 1][s % 2][a];
    const most = visits + missing;
    return [total / visits,
      Math.max(low, (total + missing * low) / most - (high - low) * greatestRadius(visits, most, 0, split.reward))];
  })));
  const size = Math.max(...flat(rewards).map(Math.abs)) * counts.horizon || 1;
  let least = 0;
  groups.forEach((group, g) => {
    const cost = rewards[g].map((cells) => cells.map(([, low]) => -low));
    least -= share[g] * group.worst(counts.horizon, group.states.map(() => 0), cost, discount);
  });
  return {least, size};
}
