import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { z } from 'zod';
import { DeskError, type DeskProblem } from '#shared/desk/errors.ts';
import { type ConnectionInput, connectionInputSchema } from '#shared/desk/workspace.ts';
import { type Command, type CommandContext, UsageError } from '../command.ts';
import { type ExitCode, exitCodeOf, exitCodes } from '#main/shell/exit-codes.ts';

export interface ConnectArguments {
  readonly gateway?: string;
  /** Enrolment code of the gateway. */
  readonly code?: string;
  readonly baseUrl?: string;
  readonly audience?: string;
  readonly clientId?: string;
  readonly key?: string;
  readonly name?: string;
  readonly scope?: string;
  readonly htuWithoutQuery?: boolean;
  /** Begin anew if the key to the data is lost; the data are set aside. */
  readonly setAside?: boolean;
  readonly credentials?: string;
  readonly as: string;
}

/** A key file is a few kilobytes; more is not read at all. */
const keyMaxChars = 100_000;

const credentialsSchema = z.looseObject({ baseUrl: z.string(), audience: z.string() });
const organizationSchema = z.object({ clientId: z.string(), privateKeyPem: z.string() });

/**
 * Tests a connection and stores it with its key. An unreachable partner is no reason to refuse it:
 * it is kept, to be used when the network is there. A partner that refuses it is: nothing is kept.
 */
export function connect(args: ConnectArguments): Command {
  return async (context) => {
    if (args.gateway !== undefined || args.code !== undefined) {
      await enrol(args, context);
      return;
    }
    const input = await readConnection(args, context);
    const { engine, output, endWith } = context;
    const tested = await engine.workspaces.test(input).catch(problemIfUnreachable);
    const workspace = await engine.workspaces.connect(input);
    if ('code' in tested) {
      output.problem(tested, { workspace });
      if (!output.json) output.result({}, () => untested(workspace.name));
      endWith(exitCodeOf(tested.code));
      return;
    }
    output.result(
      { event: 'connected', workspace, ...tested },
      () => `Connected to ${workspace.name}; ${String(tested.caseCount)} cases.`,
    );
  };
}

async function enrol(
  { gateway, code, name, baseUrl, audience, clientId, key, credentials }: ConnectArguments,
  { engine, output }: CommandContext,
): Promise<void> {
  const others = [baseUrl, audience, clientId, key, credentials];
  if (code === undefined || others.some((option) => option !== undefined)) {
    throw new UsageError('Needed are --gateway (unless a policy names it) and --code, alone.');
  }
  const workspace = await engine.workspaces.enrol({ gateway, code, name });
  output.result(
    { event: 'connected', workspace },
    () => `This laptop is enrolled at ${workspace.name}.`,
  );
}

const untested = (name: string) => `The connection ${name} is stored but could not be tested yet.`;

function problemIfUnreachable(error: unknown): DeskProblem {
  const isOutOfReach = (code: ExitCode) => code === exitCodes.offline || code === exitCodes.wait;
  if (error instanceof DeskError && isOutOfReach(exitCodeOf(error.code))) return error.toProblem();
  throw error;
}

async function readConnection(
  args: ConnectArguments,
  { env }: CommandContext,
): Promise<ConnectionInput> {
  const { name, scope, htuWithoutQuery, setAside } = args;
  const given =
    args.credentials === undefined
      ? await fromOptions(args)
      : await fromCredentials(args.credentials, args.as);
  const passphrase = env['DESK_KEY_PASSPHRASE'];
  const parsed = connectionInputSchema.safeParse({
    ...given,
    ...(name !== undefined && { name }),
    ...(scope !== undefined && { scope }),
    ...(passphrase ? { keyPassphrase: passphrase } : {}),
    htuWithoutQuery: htuWithoutQuery ?? false,
    setAside: setAside ?? false,
  });
  if (!parsed.success) throw credentialsProblem(parsed.error);
  return parsed.data;
}

async function fromOptions(args: ConnectArguments) {
  const { baseUrl, audience, clientId, key } = args;
  if (baseUrl === undefined || audience === undefined || clientId === undefined || !key)
    throw new UsageError(
      'Needed are --base-url, --audience, --client-id and --key, or --credentials with the file.',
    );
  return { baseUrl, audience, clientId, privateKey: await readKey(key) };
}

/** @throws {DeskError} file_not_found, key_unreadable */
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
