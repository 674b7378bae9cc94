import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import type { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { createProgram } from '#main/cli/program.ts';
import { root } from '../../support/processes.ts';

const program = createProgram('desk', () => undefined, {});
const withSubcommands = (command: Command): Command[] => [
  command,
  ...command.commands.flatMap(withSubcommands),
];
const pathOf = (command: Command): string =>
  command.parent ? `${pathOf(command.parent)} ${command.name()}` : command.name();

describe.each(withSubcommands(program).map((command) => [pathOf(command), command] as const))(
  'the help of %s',
  (_, command) => {
    it('describes the command, each argument and each option', () => {
      expect(command.description()).not.toBe('');
      const parts = [...command.registeredArguments, ...command.options];
      const silent = parts.filter(({ description }) => description.trim() === '');
      expect(silent.map((part) => ('flags' in part ? part.flags : part.name()))).toEqual([]);
    });
  },
);

/** Writes the path of each file that is loaded on stdout. */
const namingLoads = `data:text/javascript,${encodeURIComponent(`
  import { registerHooks } from 'node:module';
  import { writeSync } from 'node:fs';
  registerHooks({
    load(url, context, next) {
      writeSync(1, url + '\\n');
      return next(url, context);
    },
  });`)}`;

it('comes without the engine, its database and its log, so that it comes at once', () => {
  const desk = join(root, 'main/cli/desk.ts');
  const output = execFileSync(process.execPath, ['--import', namingLoads, desk, '--help'], {
    encoding: 'utf8',
  });
  expect(output).toContain('Usage: ');
  expect(output).toContain('main/cli/desk.ts\n');
  expect(output).not.toMatch(/open-engine\.ts|better-sqlite3|node_modules\/(jose|pino)\//);
});
