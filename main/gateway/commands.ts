import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type Command, InvalidArgumentError } from 'commander';
import type { Kysely } from 'kysely';
import { z } from 'zod';
import { categories } from '#shared/api/case-words.ts';
import { dateTimeSchema, isoTime } from '#shared/api/conventions.ts';
import { UsageError } from '#shared/lib/usage-error.ts';
import { systemClock } from '../front/clock.ts';
import { url, wholeNumber } from '../front/command-line.ts';
import { createLog } from '../front/log.ts';
import { assignCase, caseIdsOf } from './reading/store-cases.ts';
import { auditHead, auditLine, readAudit, recordAudit, recordOutcome } from './writing/audit.ts';
import {
  createCode,
  createReplacementCode,
  labelOf,
  openCodes,
  setDispatcher,
} from './auth/clients.ts';
import { planDevices, writeDevice } from './auth/enrol-many.ts';
import { createSignInCode } from './dispatch/dispatch-session.ts';
import { revocationsIn, revoke, type Revocation } from './auth/revoke.ts';
import { openGatewayStore } from './context.ts';
import { withStore, type StoreOptions } from './options.ts';
import type { GatewayTables } from './tables.ts';

type Choose = (work: () => Promise<void>) => void;

/** The options of all commands. Each command has some of them. */
interface CommandOptions {
  readonly name?: string;
  readonly dispatcher?: boolean;
  readonly case?: string;
  readonly client?: string;
  readonly code?: string;
  readonly fromAudit?: string;
  readonly remove?: boolean;
  readonly category?: string;
  readonly postalFrom?: string;
  readonly postalTo?: string;
  readonly responsible?: string;
  /** The number of a rule. */
  readonly delete?: number;
  readonly since?: string;
  readonly csv?: boolean;
  /** The file with the names of many laptops, and the folder for their files. */
  readonly names?: string;
  readonly to?: string;
  readonly gateway?: string;
}

const clock = systemClock;
const print = (line: object) => void process.stdout.write(`${JSON.stringify(line)}\n`);

/** Adds the commands. They work on the store, even while a gateway runs, and print JSON lines. */
// oxlint-disable-next-line max-lines-per-function -- one entry for each command
export function addCommands(program: Command, choose: Choose): void {
  const add = (
    name: string,
    description: string,
    shape: (command: Command) => Command,
    work: (db: Kysely<GatewayTables>, options: CommandOptions) => Promise<void>,
  ) =>
    shape(withStore(program.command(name).description(description))).action(
      // Options before the command's name apply to the command as well.
      (_options: unknown, command: Command) => {
        const options = command.optsWithGlobals<CommandOptions & StoreOptions>();
        choose(() => withOpenStore(options, (db) => work(db, options)));
      },
    );

  add(
    'enrol',
    'Prints a code that enrols one laptop, once, within 24 hours.',
    (command) =>
      command
        .option('--name <name>', 'Name of a new laptop. Example: --name "Laptop 12"')
        .option('--client <id>', 'Instead: a client that gets a new key; the old one ends at once.')
        .option('--dispatcher', 'It sees every case and may assign them.')
        .option(
          '--names <file>',
          'Instead: many new laptops, one name a line; needs --to. Example: --names laptops.txt',
        )
        .option(
          '--to <dir>',
          'With --names: a folder for one file each, which the desk of that laptop takes. Example: --to ./codes',
        )
        .option(
          '--gateway <url>',
          'With --names: the address in these files, if no policy names it. Example: --gateway https://gateway.example',
          url,
        ),
    async (db, { name = '', client, dispatcher, ...many }) => {
      if (many.names !== undefined || many.to !== undefined) {
        if (name !== '' || client !== undefined || many.names === undefined || !many.to) {
          throw new UsageError('needed are --names and --to, without --name and --client', 2);
        }
        await enrolMany(db, { ...many, names: many.names, to: many.to, dispatcher });
        return;
      }
      if ((name === '') === (client === undefined)) {
        throw new UsageError('needed is --name for a new laptop, or --client for a new key', 2);
      }
      if (client !== undefined) {
        const make = () => createReplacementCode(db, clock, client);
        const made = await recorded(db, 'enrol_again', client, make);
        if (!made) throw new UsageError('there is no such client', 1);
        const { expiresAtMs, ...code } = made;
        print({ event: 'code', ...code, expiresAt: isoTime(expiresAtMs) });
        return;
      }
      const isDispatcher = dispatcher ?? false;
      const make = () => createCode(db, clock, { name, isDispatcher });
      const { code, expiresAtMs } = await recorded(db, 'enrol', name, make);
      print({ event: 'code', name, code, expiresAt: isoTime(expiresAtMs) });
    },
  );

  add(
    'sign-in',
    "Prints a code that opens the dispatcher's page (/dispatch), once, within 15 minutes.",
    (command) => command.requiredOption('--client <id>', 'Client id of a dispatcher.'),
    async (db, { client = '' }) => {
      const make = () => createSignInCode(db, clock, client);
      const made = await recorded(db, 'sign_in_code', client, make);
      if (!made) throw new UsageError('there is no such dispatcher', 1);
      print({ event: 'code', code: made.code, expiresAt: isoTime(made.expiresAtMs) });
    },
  );

  add(
    'clients',
    'Lists the clients.',
    (command) => command,
    async (db) => {
      const rows = await db.selectFrom('clients').selectAll().orderBy('created_at').execute();
      for (const row of rows) {
        print({
          clientId: row.client_id,
          name: row.name,
          isDispatcher: row.dispatcher === 1,
          kid: row.kid,
          createdAt: isoTime(row.created_at),
          revokedAt: row.revoked_at === null ? null : isoTime(row.revoked_at),
        });
      }
    },
  );

  add(
    'dispatcher',
    'Lets a client see every case and assign them, on the page and from its desk.',
    (command) =>
      command
        .requiredOption('--client <id>', 'Client id.')
        .option('--remove', 'Takes this right away instead, at once.'),
    async (db, { client = '', remove: isRemoved = false }) => {
      const operation = isRemoved ? 'dispatcher_removed' : 'dispatcher_added';
      const make = () => setDispatcher(db, client, !isRemoved);
      if (!(await recorded(db, operation, client, make)))
        throw new UsageError('there is no such client', 1);
      print({ event: 'dispatcher', clientId: client, isDispatcher: !isRemoved });
    },
  );

  add(
    'codes',
    'Lists the codes that can still be redeemed, each by its first group.',
    (command) => command,
    async (db) => {
      for (const row of await openCodes(db, clock)) {
        print({
          code: row.label,
          name: row.name,
          isDispatcher: row.dispatcher === 1,
          clientId: row.client_id,
          expiresAt: isoTime(row.expires_at),
        });
      }
    },
  );

  add(
    'revoke',
    'Ends the access of a client at once and withdraws its open codes, or withdraws one code.',
    (command) =>
      command
        .option('--client <id>', 'Client id.')
        .option('--code <code>', 'Instead: an open code, whole or its first group.')
        .option(
          '--from-audit <file>',
          'Instead: repeats the revocations of an exported audit, after a restore.',
        )
        .option('--since <time>', 'With --from-audit: the time of the backup, ISO 8601.', time),
    async (db, options) => {
      for (const revocation of revocationsOf(options)) {
        const subject =
          revocation.kind === 'code' ? labelOf(revocation.subject) : revocation.subject;
        const end = () => revoke(db, clock, revocation);
        if (await recorded(db, revocation.operation, subject, end)) {
          print(
            revocation.operation === 'dispatcher_removed'
              ? { event: 'dispatcher', clientId: subject, isDispatcher: false }
              : { event: 'revoked', [revocation.kind]: subject },
          );
        } else if (options.fromAudit === undefined) {
          throw new UsageError(`there is no such ${nameOf[revocation.kind]}`, 1);
        }
      }
    },
  );

  add(
    'assign',
    'Assigns a case to a client.',
    (command) =>
      command
        .requiredOption('--case <id>', 'Id or ExternalKey of the case.')
        .requiredOption('--client <id>', 'Client id.')
        .option('--remove', 'Takes the case away instead.'),
    async (db, { case: name = '', client = '', remove: isRemoved = false }) => {
      const [caseId = name, ...others] = await caseIdsOf(db, name);
      if (others.length > 0) {
        const ids = [caseId, ...others].join(', ');
        throw new UsageError(`several cases have this ExternalKey; give the Id of one: ${ids}`, 1);
      }
      const change = { caseId, clientId: client, isRemoved };
      const operation = isRemoved ? 'unassign' : 'assign';
      const make = () => assignCase(db, clock, change);
      if (!(await recorded(db, operation, `${caseId} ${client}`, make))) {
        throw new UsageError('there is no such case or client', 1);
      }
      print({ event: isRemoved ? 'unassigned' : 'assigned', case: name, clientId: client });
    },
  );

  add(
    'rules',
    'Lists the rules that assign new cases; with --client adds one, with --delete deletes one.',
    (command) =>
      command
        .option('--client <id>', 'Client id that gets the cases.')
        .option('--category <name>', `Only of this category: ${categories.join(', ')}.`, category)
        .option('--postal-from <code>', 'Only from this postal code on.')
        .option('--postal-to <code>', 'Only up to this postal code.')
        .option('--responsible <name>', "Only of this person at the insurer's.")
        .option('--delete <n>', 'Deletes the rule with this number.', wholeNumber(1)),
    changeRules,
  );

  add(
    'audit',
    'Prints who did what, when.',
    (command) =>
      command
        .option('--since <time>', 'ISO 8601. Example: --since 2026-01-01', time)
        .option('--csv', 'As CSV with a head, instead of JSON a line.'),
    async (db, { since, csv }) => {
      if (csv) process.stdout.write(auditHead);
      for await (const entry of readAudit(db, since === undefined ? 0 : Date.parse(since))) {
        if (csv) process.stdout.write(auditLine(entry));
        else print(entry);
      }
    },
  );
}

/** Makes a code for each name of a file, and a file for each laptop. */
async function enrolMany(
  db: Kysely<GatewayTables>,
  options: {
    readonly names: string;
    readonly to: string;
    readonly gateway?: string | undefined;
    readonly dispatcher: boolean | undefined;
  },
): Promise<void> {
  const { names, to, gateway, dispatcher: isDispatcher = false } = options;
  for (const device of planDevices(names, resolve(to))) {
    const { name, file } = device;
    const make = () => createCode(db, clock, { name, isDispatcher });
    const { code, expiresAtMs } = await recorded(db, 'enrol', name, make);
    writeDevice(device, { code, gateway });
    print({ event: 'code', name, file, code, expiresAt: isoTime(expiresAtMs) });
  }
}

const nameOf = { clientId: 'client', code: 'open code' } as const;

/** The revocations that the options name. @throws {UsageError} if the options are incomplete */
function revocationsOf({ client, code, fromAudit, since }: CommandOptions): Revocation[] {
  const given = [client, code, fromAudit].filter((value) => value !== undefined);
  if (given.length !== 1 || (fromAudit === undefined) !== (since === undefined)) {
    throw new UsageError('needed is --client, or --code, or --from-audit with --since', 2);
  }
  if (client !== undefined) return [{ operation: 'revoke', kind: 'clientId', subject: client }];
  if (code !== undefined) return [{ operation: 'revoke_code', kind: 'code', subject: code }];
  return revocationsIn(fromAudit ?? '', Date.parse(since ?? ''));
}

async function changeRules(db: Kysely<GatewayTables>, options: CommandOptions): Promise<void> {
  const { delete: number, client } = options;
  if (number !== undefined) {
    const remove = () => removeRule(db, number);
    if (!(await recorded(db, 'rule_removed', String(number), remove))) {
      throw new UsageError('there is no such rule', 1);
    }
  }
  if (client !== undefined) {
    const add = () => addRule(db, client, options);
    if (!(await recorded(db, 'rule_added', client, add))) {
      throw new UsageError('there is no such client', 1);
    }
  }
  const rules = await db.selectFrom('rules').selectAll().orderBy('id').execute();
  for (const rule of rules) {
    print({
      rule: rule.id,
      clientId: rule.client_id,
      category: rule.category,
      postalFrom: rule.postal_from,
      postalTo: rule.postal_to,
      responsible: rule.responsible,
    });
  }
}

/** @returns false if there is no such rule */
async function removeRule(db: Kysely<GatewayTables>, id: number): Promise<boolean> {
  const removed = await db
    .deleteFrom('rules')
    .where('id', '=', id)
    .returning('id')
    .executeTakeFirst();
  return removed !== undefined;
}

/** @returns false if there is no such client */
async function addRule(
  db: Kysely<GatewayTables>,
  clientId: string,
  options: CommandOptions,
): Promise<boolean> {
  const client = await db
    .selectFrom('clients')
    .select('client_id')
    .where('client_id', '=', clientId)
    .executeTakeFirst();
  if (!client) return false;
  await db
    .insertInto('rules')
    .values({
      client_id: clientId,
      category: options.category ?? '',
      postal_from: options.postalFrom ?? '',
      postal_to: options.postalTo ?? '',
      responsible: options.responsible ?? '',
    })
    .execute();
  return true;
}

/**
 * Records a command before it is carried out, so that a restore repeats a revocation even if its
 * process ended in the middle. Then it records the outcome.
 * @param work resolves with null or false if there is no such subject
 */
async function recorded<Result>(
  db: Kysely<GatewayTables>,
  operation: string,
  subject: string,
  work: () => Promise<Result>,
): Promise<Result> {
  const entry = { clientId: 'operator', operation, subject, correlationId: randomUUID() };
  const id = await recordAudit({ db, clock }, { ...entry, status: null });
  const result = await work();
  await recordOutcome(db, id, result === null || result === false ? 404 : 200);
  return result;
}

async function withOpenStore(
  { data, database: url }: StoreOptions,
  work: (db: Kysely<GatewayTables>) => Promise<void>,
): Promise<void> {
  const directory = resolve(data);
  if (url === undefined && !existsSync(join(directory, 'gateway.db'))) {
    throw new UsageError(`there is no gateway in ${directory}; start one first`, 1);
  }
  const store = await openGatewayStore({
    directory,
    log: createLog('silent'),
    ...(url !== undefined && { database: { url } }),
  });
  try {
    await work(store.db);
  } finally {
    await store.close();
  }
}

function category(text: string): string {
  if (categories.some((name) => name === text)) return text;
  throw new InvalidArgumentError(`It must be one of: ${categories.join(', ')}.`);
}

/** Any other form could name another day: a reader may take 02.01.2026 for the first of February. */
function time(text: string): string {
  const isIso = [z.iso.date(), dateTimeSchema].some((form) => form.safeParse(text).success);
  if (isIso && !Number.isNaN(Date.parse(text))) return text;
  throw new InvalidArgumentError('It must be a time in ISO 8601.');
}
