import { resolve } from 'node:path';
import {
  packagePassphraseMinLength,
  type RestoredWork,
  type WorkBackup,
} from '#shared/desk/setup/work-package.ts';
import { UsageError } from '#shared/lib/usage-error.ts';
import type { Command, CommandContext } from '../command.ts';
import { withProgress } from '../output.ts';

export interface RestoreArguments {
  readonly backup?: boolean;
  readonly leave?: boolean;
}

/** Writes the undelivered work to one encrypted file. */
export function backup(to: string): Command {
  return async (context) => {
    const passphrase = await readPassphrase(context, true);
    const made = await withProgress(context, () =>
      context.engine.tools.backUp({ file: resolve(to), passphrase }),
    );
    context.output.result(
      { event: 'backedUp', ...made },
      () =>
        `${contentOf(made)} are in ${made.file}. Keep the passphrase: without it nobody can read them. Do not deliver the same work from both devices.`,
    );
  };
}

/**
 * Adds the undelivered work of another laptop. Without a file it lists the backups of damaged work;
 * with `--backup` it restores the newest of these, and with `--leave` it sets this one aside
 * permanently.
 */
export function restore(from: string | undefined, args: RestoreArguments): Command {
  return async (context) => {
    const { engine, output } = context;
    const { items, total } = await engine.tools.workBackups();
    if (args.backup || args.leave) {
      const [newest] = items;
      if (from !== undefined || (args.backup && args.leave))
        throw new UsageError(
          'A backup is taken back (--backup) or left (--leave), or a file is named: only one of these.',
        );
      if (!newest)
        throw new UsageError('No backup of damaged work waits. Name the file of a backup.');
      const decision = args.leave ? 'leave' : 'take';
      const taken = await engine.tools.decideOnWorkBackup({ id: newest.id, decision });
      // Another backup of an earlier damage may wait.
      output.damaged = (await engine.tools.workBackups()).items[0] ?? null;
      if (taken) output.result({ event: 'restored', ...taken }, () => restored(taken));
      else
        output.result(
          { event: 'left', ...newest },
          () =>
            `The backup made at ${newest.backedUpAt} is offered no more. Its files stay where they are.`,
        );
      return;
    }
    if (from === undefined) {
      output.list(items, total, [
        { title: 'File', of: ({ id }) => id },
        { title: 'State', of: offered },
      ]);
      return;
    }
    const passphrase = await readPassphrase(context, false);
    const taken = await withProgress(context, () =>
      context.engine.tools.restore({ file: resolve(from), passphrase }),
    );
    context.output.result({ event: 'restored', ...taken }, () => restored(taken));
  };
}

const contentOf = (of: { entries: number; drafts: number; files: number }) =>
  `${String(of.entries)} entries, ${String(of.drafts)} drafts and ${String(of.files)} files`;

const restored = (taken: RestoredWork) =>
  `${contentOf(taken)} taken over, with ${String(taken.texts)} typed texts and ${String(taken.notes)} notes; ${String(taken.known)} were here already, ${String(taken.superseded)} are overtaken by newer ones.${
    taken.differing.length === 0
      ? ''
      : ` Check these cases, in which a typed text, a note or a report here differs from the backup and stays: ${taken.differing.map(({ externalKey }) => externalKey).join(', ')}.`
  }`;

const offered = ({ entries, drafts, views, backedUpAt }: WorkBackup) =>
  `${String(entries)} entries, ${String(drafts)} drafts and ${String(views)} saved views, backed up at ${backedUpAt}`;

/**
 * The passphrase from DESK_BACKUP_PASSPHRASE or from the user, who types a new one twice because of
 * typing errors.
 */
async function readPassphrase(context: CommandContext, isNew: boolean): Promise<string> {
  const { env, askSecret } = context;
  const given = env['DESK_BACKUP_PASSPHRASE'] ?? '';
  const passphrase = given === '' ? ((await askSecret('Passphrase: ')) ?? '') : given;
  if (passphrase.length < packagePassphraseMinLength)
    throw new UsageError(
      'A passphrase of at least 8 characters is needed: type it in a terminal or set DESK_BACKUP_PASSPHRASE.',
    );
  if (given === '' && isNew && (await askSecret('Passphrase again: ')) !== passphrase)
    throw new UsageError('The two passphrases are not the same.');
  return passphrase;
}
