import { spawn } from 'node:child_process';
import { setPriority } from 'node:os';
import { delimiter, isAbsolute, join } from 'node:path';
import { createInterface } from 'node:readline';

/** How long the output of an ended program is read on, if another program holds it open. */
const afterEndMs = 2000;

/**
 * Runs a program in the foreground: one of node_modules/.bin, one with a given path, or Node with a
 * script. With `write`, the output is passed to that function in whole lines, so that several
 * programs can run at the same time. A program that it left behind is not waited for.
 *
 * @param {string} root
 * @param {string} name a program's name or absolute path, or a path that ends in .mjs
 * @param {readonly string[]} args
 * @param {Record<string, string>} [env] added to the environment
 * @param {(text: string) => void} [write]
 * @param {number} [priority] that of the operating system, from -20 to 19; the lowest is 19
 * @returns {Promise<number>} the exit code
 */
export function runCommand(root, name, args, env = {}, write, priority) {
  const bin = join(root, 'node_modules', '.bin');
  const path = `${bin}${delimiter}${process.env.PATH ?? ''}`;
  const [program, programArgs] = name.endsWith('.mjs')
    ? [process.execPath, [join(root, name), ...args]]
    : [
        isAbsolute(name) ? name : join(bin, process.platform === 'win32' ? `${name}.cmd` : name),
        args,
      ];
  const child = spawn(program, programArgs, {
    cwd: root,
    stdio: write ? ['ignore', 'pipe', 'pipe'] : 'inherit',
    env: { ...process.env, PATH: path, ...env },
    shell: process.platform === 'win32' && !name.endsWith('.mjs'),
  });
  // The programs that it starts have the same priority.
  if (priority !== undefined && child.pid !== undefined) setPriority(child.pid, priority);
  for (const stream of write ? [child.stdout, child.stderr] : [])
    createInterface({ input: stream }).on('line', (line) => write(`${line}\n`));
  child.once('exit', () => {
    const timer = setTimeout(() => {
      write?.(`${name} ended and left a program behind that holds its output.\n`);
      child.stdout?.destroy();
      child.stderr?.destroy();
    }, afterEndMs);
    child.once('close', () => clearTimeout(timer));
  });
  return new Promise((resolve) => {
    child.on('error', () => resolve(1));
    child.on('close', (code) => resolve(code ?? 1));
  });
}
