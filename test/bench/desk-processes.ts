import { readdirSync, readFileSync } from 'node:fs';

/** The processes of a program: what they take together (Linux). */

interface ProcessStat {
  readonly pid: number;
  readonly parent: number;
  /** User and system time. */
  readonly cpuMs: number;
}

/** The kernel counts in hundredths of a second wherever Node runs. */
const msPerTick = 10;

/** Null if it ended while it was looked at. */
function statOf(pid: number): ProcessStat | null {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // Before the last bracket is the name, which may have blanks.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    const [parent = 0, user = 0, system = 0] = [fields[1], fields[11], fields[12]].map(Number);
    return { pid, parent, cpuMs: (user + system) * msPerTick };
  } catch {
    return null;
  }
}

/** A process and all that descend from it. */
function processTree(rootPid: number): ProcessStat[] {
  const all = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => statOf(Number(name)) ?? []);
  const tree = all.filter(({ pid }) => pid === rootPid);
  for (const { pid } of tree) tree.push(...all.filter(({ parent }) => parent === pid));
  return tree;
}

/**
 * MB of memory of a program's processes: the proportional set size, in which a page that several
 * processes share counts once.
 */
export function memoryOf(rootPid: number): number {
  const kilobytes = processTree(rootPid).map(({ pid }) => {
    const rollup = readFileSync(`/proc/${pid}/smaps_rollup`, 'latin1');
    return Number(/^Pss:\s+(\d+) kB$/m.exec(rollup)?.[1] ?? 0);
  });
  return kilobytes.reduce((sum, each) => sum + each, 0) / 1024;
}

/** Seconds of processor that a program's running processes have taken since their start. */
export const cpuOf = (rootPid: number): number =>
  processTree(rootPid).reduce((sum, { cpuMs }) => sum + cpuMs, 0) / 1000;

/** Seconds of processor that a program's processes take within a time. */
export async function cpuDuring(rootPid: number, task: () => Promise<unknown>): Promise<number> {
  const before = new Map(processTree(rootPid).map(({ pid, cpuMs }) => [pid, cpuMs]));
  await task();
  const after = processTree(rootPid);
  return after.reduce((sum, { pid, cpuMs }) => sum + cpuMs - (before.get(pid) ?? 0), 0) / 1000;
}
