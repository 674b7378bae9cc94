import { DeskError } from '#shared/desk/errors.ts';
import type { HeldWork } from '#shared/desk/workspace.ts';
import type { Engine } from '#main/engine/engine.ts';
import { type Command, UsageError } from '../command.ts';
import { readKey } from './connect.ts';

export interface ChangeArguments {
  readonly name?: string;
  readonly baseUrl?: string;
  readonly audience?: string;
  readonly clientId?: string;
  readonly scope?: string;
  readonly key?: string;
  /** Agrees to the removal of the data, with the work that was not sent. */
  readonly withWork?: boolean;
}

/** Every connection of this laptop; the first one is open. */
export function connections(): Command {
  return async ({ engine, output }) => {
    const items = await listConnections(engine);
    const columns = [
      { title: 'Name', of: ({ name }: (typeof items)[number]) => name },
      { title: 'Address', of: ({ baseUrl }: (typeof items)[number]) => baseUrl },
      { title: 'Client id', of: ({ clientId }: (typeof items)[number]) => clientId },
      { title: 'Id', of: ({ id }: (typeof items)[number]) => id },
    ];
    output.list(items, items.length, columns);
  };
}

/** Renames a connection, or gives it another address or key over the same data. */
export function changeConnection(ref: string, args: ChangeArguments): Command {
  return async ({ engine, output, env }) => {
    const { key, withWork, ...given } = args;
    if (key === undefined && Object.keys(given).length === 0)
      throw new UsageError('Needed is what is to change, for example --name or --key.');
    const { id, clientId } = await findConnection(engine, ref);
    const isOther = given.clientId !== undefined && given.clientId !== clientId;
    const passphrase = env['DESK_KEY_PASSPHRASE'];
    const workspace = await engine.workspaces.change({
      id,
      ...given,
      ...(key !== undefined && { privateKey: await readKey(key) }),
      ...(passphrase && { keyPassphrase: passphrase }),
      ...(isOther && { removed: await heldOf(engine, id, withWork) }),
    });
    output.result({ event: 'changed', workspace }, () => `${workspace.name} is changed.`);
  };
}

/** Removes a connection with its key and its data. */
export function removeConnection(ref: string, { withWork }: ChangeArguments): Command {
  return async ({ engine, output }) => {
    const { id, name } = await findConnection(engine, ref);
    await engine.workspaces.remove({ id, held: await heldOf(engine, id, withWork) });
    output.result({ event: 'removed', id }, () => `${name} is removed with its data.`);
  };
}

const nothing: HeldWork = { entries: 0, drafts: 0, texts: 0, backups: 0 };

/** The work that the person agrees to remove: none, unless they say so. */
async function heldOf(engine: Engine, id: string, withWork = false): Promise<HeldWork | null> {
  return withWork ? (await engine.workspaces.get({ id })).held : nothing;
}

async function listConnections(engine: Engine) {
  const { workspaces } = await engine.desk.info();
  return workspaces.filter(({ kind }) => kind === 'connection');
}

/** By its id, or by a name that only one bears. */
async function findConnection(engine: Engine, ref: string) {
  const items = await listConnections(engine);
  const [found, second] = items.filter(({ id, name }) => id === ref || name === ref);
  if (!found || second) {
    throw new DeskError('invalid_input', { field: 'connection', rule: 'unknown' });
  }
  return found;
}
