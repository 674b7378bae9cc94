import { resolve } from 'node:path';
import { packagePassphraseMinLength } from '#shared/desk/work-package.ts';
import { type Command, type CommandContext, UsageError } from '../command.ts';
import { tellProgress } from '../progress.ts';

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

/** Takes over the undelivered work of another laptop. */
export function restore(from: string): Command {
  return async (context) => {
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
