import { resolve } from 'node:path';
import { packagePassphraseMinLength } from '#shared/desk/work-package.ts';
import { type Command, type CommandContext, UsageError } from '../command.ts';
import { tellProgress } from '../progress.ts';

export interface RestoreArguments {
  readonly backup?: boolean;
  readonly leave?: boolean;
}

/** Writes the undelivered work to one encrypted file. */
export function backup(to: string): Command {
  return async (context) => {
    const passphrase = await readPassphrase(context, true);
    const made = await tellProgress(context, () =>
      context.engine.tools.backUpWork({ file: resolve(to), passphrase }),
    );
    context.output.result({ event: 'backedUp', ...made }, () => context.texts.backedUp(made));
  };
}

/**
 * Takes over the undelivered work of another laptop; without a file, says which backups of damaged
 * work can be taken back; with `--backup` takes the newest, with `--leave` leaves it aside for good.
 */
export function restore(from: string | undefined, args: RestoreArguments): Command {
  return async (context) => {
    const { engine, output, texts } = context;
    const { items, total } = engine.tools.workBackups();
    if (args.backup || args.leave) {
      const [newest] = items;
      if (from !== undefined || (args.backup && args.leave))
        throw new UsageError(texts.usageTakeOrLeave);
      if (!newest) throw new UsageError(texts.usageNoBackup);
      const decision = args.leave ? 'leave' : 'take';
      const taken = engine.tools.decideOnWorkBackup({ id: newest.id, decision });
      if (taken) output.result({ event: 'restored', ...taken }, () => texts.restored(taken));
      else output.result({ event: 'left', ...newest }, () => texts.workBackupLeft(newest));
      return;
    }
    if (from === undefined) {
      output.list(items, total, [
        { title: texts.columns.file, of: ({ id }) => id },
        { title: texts.columns.state, of: (item) => texts.workBackup(item) },
      ]);
      return;
    }
    const passphrase = await readPassphrase(context, false);
    const taken = await tellProgress(context, () =>
      context.engine.tools.restoreWork({ file: resolve(from), passphrase }),
    );
    context.output.result({ event: 'restored', ...taken }, () => context.texts.restored(taken));
  };
}

/** DESK_BACKUP_PASSPHRASE, or what a person types: twice where a typing error would lock them out. */
async function readPassphrase(context: CommandContext, isNew: boolean): Promise<string> {
  const { env, texts, askSecret } = context;
  const given = env['DESK_BACKUP_PASSPHRASE'] ?? '';
  const passphrase = given === '' ? ((await askSecret(texts.askPassphrase)) ?? '') : given;
  if (passphrase.length < packagePassphraseMinLength) throw new UsageError(texts.usagePassphrase);
  if (given === '' && isNew && (await askSecret(texts.askPassphraseAgain)) !== passphrase)
    throw new UsageError(texts.passphrasesDiffer);
  return passphrase;
}
