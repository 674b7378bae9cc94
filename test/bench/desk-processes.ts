import { readdirSync, readFileSync } from 'node:fs';

/** The processes of a program, read from /proc (Linux). */

interface ProcessStat {
  readonly pid: number;
  readonly parent: number;
  /** User and system time, in clock ticks. */
  readonly ticks: number;
  readonly name: string;
}

const ticksPerSecond = 100;

function statOf(pid: number): ProcessStat | null {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The name is in brackets and may have blanks.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    const [parent, user, system] = [fields[1], fields[11], fields[12]].map(Number);
    const commandLine = readFileSync(`/proc/${pid}/cmdline`, 'latin1').split('\0');
    const type = commandLine.join(' ').match(/--type=([\w-]+)/)?.[1] ?? 'main';
    const service = commandLine.join(' ').match(/--utility-sub-type=([\w.]+)/)?.[1];
    return {
      pid,
      parent: parent ?? 0,
      ticks: (user ?? 0) + (system ?? 0),
      name: service ?? type,
    };
  } catch {
    // It ended while the folder was read.
    return null;
  }
}

/** A process and all that descend from it. */
export function processTree(rootPid: number): ProcessStat[] {
  const all = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => statOf(Number(name)) ?? []);
  const tree = all.filter(({ pid }) => pid === rootPid);
  for (let at = 0; at < tree.length; at += 1) {
    tree.push(...all.filter(({ parent }) => parent === tree[at]?.pid));
  }
  return tree;
}
