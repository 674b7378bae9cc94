import { appendFileSync, existsSync, readdirSync, readFileSync } from 'node:fs';

/**
 * Linux counts the time of processes in hundredths of a second, regardless of the kernel's own
 * clock.
 */
const ticksPerSecond = 100;

/**
 * The budget of a test file in seconds, including its browser. Nearly every file needs less. A file
 * above it does something that nobody intended.
 */
const budgetOfFile = 25;
const longestList = 15;

/** @typedef {{ file: string, runner: string, seconds: number }} Cost */

/**
 * Returns the processor time of a process and of its ended children in seconds. It is null if the
 * process has ended, or on a system without /proc.
 *
 * @param {number | string} pid
 * @returns {{ parent: string, own: number, ofEnded: number } | null}
 */
function timesOf(pid) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The second field is the program's name in brackets, which may contain spaces.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const sum = (...places) =>
      places.reduce((total, place) => total + Number(fields[place]), 0) / ticksPerSecond;
    return { parent: fields[1], own: sum(11, 12), ofEnded: sum(13, 14) };
  } catch {
    return null;
  }
}

/**
 * Returns the processor time in seconds of all children of this process that have ended, including
 * their children. It stays 0 on a system without /proc.
 *
 * @returns {number}
 */
export const coreSecondsOfEnded = () => timesOf(process.pid)?.ofEnded ?? 0;

/**
 * Returns the processor time in seconds of this process and of all processes below it, running or
 * ended. It is 0 on a system without /proc.
 *
 * @returns {number}
 */
export function coreSecondsOfAll() {
  if (!existsSync('/proc/self/stat')) return 0;
  const processes = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      const times = timesOf(pid);
      return times === null ? [] : [{ pid, ...times }];
    });
  const below = (pid) =>
    processes
      .filter(({ parent }) => parent === pid)
      .reduce((total, each) => total + each.own + each.ofEnded + below(each.pid), 0);
  const self = timesOf(process.pid);
  return self === null ? 0 : self.own + self.ofEnded + below(String(process.pid));
}

/**
 * Notes the cost of a test file for `npm test`, which sets TEST_COSTS to the path of the list.
 *
 * @param {Cost} cost
 */
export function noteCost(cost) {
  const path = process.env.TEST_COSTS;
  if (path !== undefined) appendFileSync(path, `${JSON.stringify(cost)}\n`);
}

/**
 * Sums the noted costs for each file and runner. The highest cost comes first.
 *
 * @param {string} text the lines of `noteCost`
 * @returns {Cost[]}
 */
export function sumCosts(text) {
  const sums = new Map();
  for (const line of text.split('\n').filter((each) => each !== '')) {
    const cost = JSON.parse(line);
    const key = `${cost.runner} ${cost.file}`;
    sums.set(key, { ...cost, seconds: cost.seconds + (sums.get(key)?.seconds ?? 0) });
  }
  return [...sums.values()].sort((a, b) => b.seconds - a.seconds);
}

/**
 * Returns what `npm test` prints about the processor time: that of each part, of the test files
 * with the highest cost, and of each file that is over the budget.
 *
 * @param {readonly { title: string, coreSeconds: number }[]} parts
 * @param {readonly Cost[]} costs the costs, the highest first
 * @returns {string}
 */
export function listOfCosts(parts, costs) {
  const line = (seconds, text) => `${seconds.toFixed(1).padStart(8)}  ${text}`;
  const total = parts.reduce((sum, { coreSeconds }) => sum + coreSeconds, 0);
  if (total === 0) return '';
  const isOver = ({ seconds }) => seconds > budgetOfFile;
  const named = costs.filter((cost, place) => place < longestList || isOver(cost));
  const excess = (cost) =>
    isOver(cost) ? `: over the ${budgetOfFile} s that a file should take at most` : '';
  return [
    'core-seconds:',
    ...parts.map(({ title, coreSeconds }) => line(coreSeconds, title)),
    line(total, 'together'),
    ...(named.length === 0 ? [] : ['dearest test files:']),
    ...named.map((cost) => line(cost.seconds, `${cost.runner} ${cost.file}${excess(cost)}`)),
    '\n',
  ].join('\n');
}
