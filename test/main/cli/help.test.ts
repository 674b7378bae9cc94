import type { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { createProgram } from '#main/cli/program.ts';

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

    it('uses the words of the window', () => {
      const parts = [...command.registeredArguments, ...command.options];
      const texts = [command.description(), ...parts.map(({ description }) => description)];
      // docs/terminology.md: the device, the outbox, and the program without an article.
      expect(texts.filter((text) => /laptop|the queue|the desk/i.test(text))).toEqual([]);
    });
  },
);
