import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { z } from 'zod';
import type { Asked } from '#shared/desk/setup/diagnostics.ts';
import { DeskError, type DeskProblem, paramOf } from '#shared/desk/contract/errors.ts';
import {
  type ConnectionInput,
  connectionInputSchema,
  type PendingWork,
} from '#shared/desk/setup/workspace.ts';
import { UsageError } from '#shared/lib/usage-error.ts';
import { exitCodeOf } from '#main/shell/exit-codes.ts';
import { assertNotSpecial } from '#main/engine/disk/regular-file.ts';
import type { Engine } from '#main/engine/engine.ts';
import type { Command, CommandContext } from '../command.ts';

export interface ConnectArguments {
  readonly gateway?: string;
  /** The enrolment code of the gateway. */
  readonly code?: string;
  readonly baseUrl?: string;
  readonly audience?: string;
  readonly clientId?: string;
  readonly key?: string;
  readonly name?: string;
  readonly scope?: string;
  readonly htuWithoutQuery?: boolean;
  readonly changedSinceParameter?: string;
  /**
   * Whether to start with empty data if the key to the data is lost. The old data are set aside.
   */
  readonly setAside?: boolean;
  readonly credentials?: string;
  readonly as: string;
}

/** The most characters of a key file. A key file has a few kilobytes; a larger file is not read. */
const keyMaxChars = 100_000;

const credentialsSchema = z.looseObject({ baseUrl: z.string(), audience: z.string() });
const organizationSchema = z.object({ clientId: z.string(), privateKeyPem: z.string() });

/**
 * Tests a connection and stores it with its key. If the partner cannot be reached, the connection
 * is used once the network is back. If the partner refuses it, it is stored only for `doctor`.
 */
export function connect(args: ConnectArguments): Command {
  return async (context) => {
    if (args.gateway !== undefined || args.code !== undefined) {
      await enrol(args, context);
      return;
    }
    const input = await readConnection(args, context);
    const { engine, output, endWith } = context;
    const { workspace, caseCount, problem, asked } = await engine.workspaces.setUp(input);
    if (problem) {
      output.problem(problem, { ...asked, ...untilOf(problem), workspace });
      if (asked) output.remark(askedSentence(asked));
      output.remark(workspace ? untested(workspace.name) : refused);
      endWith(exitCodeOf(problem.code));
      return;
    }
    output.result(
      { event: 'connected', workspace, organizationId: null, caseCount },
      () => `Connected to ${workspace?.name ?? ''}; cases: ${String(caseCount)}.`,
    );
  };
}

async function enrol(
  { gateway, code, name, baseUrl, audience, clientId, key, credentials }: ConnectArguments,
  { engine, output }: CommandContext,
): Promise<void> {
  const others = [baseUrl, audience, clientId, key, credentials];
  if (code === undefined || others.some((option) => option !== undefined)) {
    throw new UsageError(
      'Give --gateway (unless a policy names it) and --code, and no other option of a connection.',
    );
  }
  const workspace = await engine.workspaces.enrol({ gateway, code, name });
  output.result(
    { event: 'connected', workspace },
    () => `This device is enrolled at ${workspace.name}.`,
  );
}

const untested = (name: string) => `The connection ${name} is stored but could not be tested yet.`;
const refused =
  'The connection is stored but cannot be used yet; the command doctor tests it again.';

/** The technical details for the partner's support. */
export function askedSentence({ address, status, title, correlationId }: Asked): string {
  const answer = status === null ? 'no answer' : `status ${String(status)} ${title}`.trimEnd();
  return `Asked: ${address}; ${answer}; correlation id ${correlationId}.`;
}

function untilOf(problem: DeskProblem): { until?: unknown } {
  const until = paramOf(problem, 'until');
  return until === undefined ? {} : { until };
}

async function readConnection(
  args: ConnectArguments,
  { env }: CommandContext,
): Promise<ConnectionInput> {
  const { name, scope, htuWithoutQuery, changedSinceParameter, setAside } = args;
  const given =
    args.credentials === undefined
      ? await fromOptions(args)
      : await fromCredentials(args.credentials, args.as);
  const passphrase = env['DESK_KEY_PASSPHRASE'];
  const parsed = connectionInputSchema.safeParse({
    ...given,
    name,
    scope,
    htuWithoutQuery,
    changedSinceParameter,
    setAside,
    ...(passphrase && { keyPassphrase: passphrase }),
  });
  if (!parsed.success) throw credentialsProblem(parsed.error);
  return parsed.data;
}

async function fromOptions(args: ConnectArguments) {
  const { baseUrl, audience, clientId, key } = args;
  if (baseUrl === undefined || audience === undefined || clientId === undefined || !key)
    throw new UsageError(
      'Give --base-url, --audience, --client-id and --key, or --credentials with the file.',
    );
  return { baseUrl, audience, clientId, privateKey: await readKey(key) };
}

/** Reads the key file. @throws {DeskError} file_not_found, file_not_regular, key_unreadable */
export async function readKey(file: string): Promise<string> {
  const privateKey = await readText(file);
  if (privateKey === '') throw new DeskError('key_unreadable', { found: 'empty' });
  if (privateKey.length > keyMaxChars) throw new DeskError('key_unreadable', { found: 'binary' });
  return privateKey;
}

async function fromCredentials(file: string, as: string) {
  const text = await readText(file);
  const credentials = credentialsSchema.safeParse(parseJson(text));
  if (!credentials.success) throw credentialsProblem(credentials.error);
  const organization = organizationSchema.safeParse(credentials.data[as]);
  if (!organization.success) throw credentialsProblem(organization.error, as);
  const { baseUrl, audience } = credentials.data;
  const { clientId, privateKeyPem } = organization.data;
  return { baseUrl, audience, clientId, privateKey: privateKeyPem };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new DeskError('credentials_invalid', { field: 'file', rule: 'json' });
  }
}

async function readText(file: string): Promise<string> {
  assertNotSpecial(file);
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    throw new DeskError('file_not_found', { fileName: basename(file) }, { cause: error });
  }
}

function credentialsProblem(error: z.ZodError, within?: string): DeskError {
  const issue = error.issues[0];
  const field = String(issue?.path[0] ?? within ?? 'file');
  return new DeskError('credentials_invalid', { field, rule: issue?.code ?? 'unknown' });
}

export interface ChangeArguments {
  readonly name?: string;
  readonly baseUrl?: string;
  readonly audience?: string;
  readonly clientId?: string;
  readonly scope?: string;
  readonly changedSinceParameter?: string;
  readonly key?: string;
  /** Confirms the removal of the data together with the unsent work. */
  readonly withWork?: boolean;
}

/** Lists all connections of this laptop. The first one is open. */
export function connections(): Command {
  return async ({ engine, output }) => {
    const failed = await engine.workspaces.failed();
    const usable = await listConnections(engine).catch((error: unknown) => {
      if (!failed) throw error;
      return [];
    });
    const items = [
      ...usable.map((one) => ({ ...one, usable: true })),
      ...(failed ? [{ ...failed, id: null, usable: false }] : []),
    ];
    const columns = [
      { title: 'Name', of: ({ name }: (typeof items)[number]) => name },
      { title: 'Address', of: ({ baseUrl }: (typeof items)[number]) => baseUrl },
      { title: 'Client ID', of: ({ clientId }: (typeof items)[number]) => clientId },
      { title: 'Id', of: ({ id }: (typeof items)[number]) => id ?? '' },
      {
        title: 'State',
        of: ({ usable: isUsable }: (typeof items)[number]) =>
          isUsable ? '' : 'cannot be used yet',
      },
    ];
    output.list(items, items.length, columns);
  };
}

/** Renames a connection, or changes its address or key. The data stay. */
export function changeConnection(ref: string, args: ChangeArguments): Command {
  return async ({ engine, output, env }) => {
    const { key, withWork, ...given } = args;
    if (key === undefined && Object.keys(given).length === 0)
      throw new UsageError('Give what is to change, for example --name or --key.');
    const { id, clientId } = await findConnection(engine, ref);
    const isOther = given.clientId !== undefined && given.clientId !== clientId;
    const passphrase = env['DESK_KEY_PASSPHRASE'];
    const workspace = await engine.workspaces.change({
      id,
      ...given,
      ...(key !== undefined && { privateKey: await readKey(key) }),
      ...(passphrase && { keyPassphrase: passphrase }),
      ...(isOther && { removed: await pendingWorkOf(engine, id, withWork) }),
    });
    output.result({ event: 'changed', workspace }, () => `${workspace.name} is changed.`);
  };
}

/** Removes a connection with its key and its data. */
export function removeConnection(ref: string, { withWork }: ChangeArguments): Command {
  return async ({ engine, output }) => {
    const failed = await engine.workspaces.failed();
    const isFailed = failed?.name === ref;
    const known = await findConnection(engine, ref).catch((error: unknown) => {
      if (isFailed) return null;
      throw error;
    });
    if (!known) {
      await engine.workspaces.forgetFailed();
      output.result({ event: 'removed', id: null }, () => `${ref} is removed.`);
      return;
    }
    const { id, name } = known;
    await engine.workspaces.remove({ id, held: await pendingWorkOf(engine, id, withWork) });
    output.result({ event: 'removed', id }, () => `${name} is removed with its data.`);
  };
}

const nothing: PendingWork = { entries: 0, drafts: 0, texts: 0, backups: 0 };

/** The pending work whose removal the user confirms; none without the option. */
async function pendingWorkOf(
  engine: Engine,
  id: string,
  withWork = false,
): Promise<PendingWork | null> {
  return withWork ? (await engine.workspaces.get({ id })).held : nothing;
}

async function listConnections(engine: Engine) {
  const { workspaces } = await engine.desk.info();
  return workspaces.filter(({ kind }) => kind === 'connection');
}

/** Finds a connection by its id, or by a name that only one has. */
async function findConnection(engine: Engine, ref: string) {
  const items = await listConnections(engine);
  const [found, second] = items.filter(({ id, name }) => id === ref || name === ref);
  if (!found || second) {
    throw new DeskError('invalid_input', { field: 'connection', rule: 'unknown' });
  }
  return found;
}
