import {
  Argument,
  Command as Commander,
  InvalidArgumentError,
  Option,
  type OutputConfiguration,
} from 'commander';
import { caseStatuses, categories } from '#shared/api/case-words.ts';
import { exportFormats } from '#shared/desk/cases/case-choices.ts';
import { retryDecisions, type RetryDecision } from '#shared/desk/delivery/queue.ts';
import { documentScopes } from '#shared/desk/delivery/sync.ts';
import { type Language, languages } from '#shared/desk/setup/workspace.ts';
import { inspectionTypes } from '#shared/payload/values.ts';
import { notEmpty } from '../front/command-line.ts';
import type { Command } from './command.ts';
import {
  amounts,
  type AmountsArguments,
  comment,
  reopen,
  report,
  type ReportArguments,
} from './commands/acts.ts';
import { appraiser, type AppraiserArguments } from './commands/appraiser.ts';
import { backup, restore, type RestoreArguments } from './commands/backup.ts';
import { batch, type BatchArguments } from './commands/batch.ts';
import {
  cases,
  type ExportArguments,
  exportCases,
  type FilterArguments,
  reports,
  showCase,
} from './commands/cases.ts';
import {
  connect,
  type ConnectArguments,
  type ChangeArguments,
  changeConnection,
  connections,
  removeConnection,
} from './commands/connect.ts';
import { draft, type DraftArguments } from './commands/draft.ts';
import { documents, download, storage, type StorageArguments } from './commands/documents.ts';
import { positions, type PositionArguments } from './commands/positions.ts';
import {
  type EditArguments,
  queue,
  queueEdit,
  queueRetry,
  queueRow,
  queueWhy,
} from './commands/queue.ts';
import { unfinished } from './commands/unfinished.ts';
import { diagnostics, doctor } from './commands/support.ts';
import { ready, type ReadyArguments, sync, type SyncArguments } from './commands/sync.ts';
import packageJson from '../../package.json' with { type: 'json' };

/** The options that may be before or after the command. */
export interface GlobalOptions {
  readonly home?: string;
  readonly json?: boolean;
  readonly lang?: Language;
  readonly vault?: string;
}

type Choose = (command: Command) => void;

/**
 * Creates the grammar of the command line. Parsing passes the command with its arguments to
 * `choose` and runs nothing. Help and messages use the given name of the command line.
 */
export function createProgram(
  name: string,
  choose: Choose,
  output: OutputConfiguration,
): Commander {
  const program = new Commander(name)
    .description('An expert’s cases on this device, with or without a network')
    .option('--home <dir>', 'the folder with the data of Appraiser Desk', notEmpty)
    .option('--json', 'answers in lines of JSON, for programs')
    .addOption(
      new Option('--lang <language>', 'the language of error messages and exported sheets').choices(
        languages,
      ),
    )
    .addOption(
      new Option('--vault <kind>', 'where the keys are').choices(['keychain', 'passphrase']),
    )
    .version(packageJson.version)
    .configureOutput(output)
    .exitOverride()
    .showSuggestionAfterError(true);
  addConnectCommand(program, choose);
  addConnectionsCommands(program, choose);
  addSyncCommands(program, choose);
  addCaseCommands(program, choose);
  addActCommands(program, choose);
  addQueueCommands(program, choose);
  addSheetCommands(program, choose);
  addStorageCommands(program, choose);
  return program;
}

function addConnectCommand(program: Commander, choose: Choose): void {
  program
    .command('connect')
    .description('stores a connection with its key, and tests it')
    .option('--gateway <url>', 'with --code: enrols this device at the office gateway', notEmpty)
    .option('--code <code>', 'the enrolment code that the gateway gave', notEmpty)
    .option('--base-url <url>', 'the partner’s address', notEmpty)
    .option('--audience <url>', 'the audience of its tokens', notEmpty)
    .option('--client-id <id>', 'the id of your organization at the partner', notEmpty)
    .option(
      '--key <file>',
      'the private key (PEM); DESK_KEY_PASSPHRASE opens an encrypted one',
      notEmpty,
    )
    .option('--name <name>', 'as Appraiser Desk shows the connection', notEmpty)
    .option('--scope <scope>', 'asked for with each token, if the partner wants one')
    .option('--htu-without-query', 'for a partner that compares proofs without the query')
    .option(
      '--changed-since-parameter <name>',
      'what the partner calls lastChangedSince, for example updatedSince',
      notEmpty,
    )
    .option(
      '--set-aside',
      'starts over if the key to the data is lost; the old data are set aside in a folder',
    )
    .option('--credentials <file>', 'address, audience, ids and keys in one JSON file', notEmpty)
    .option('--as <organization>', 'which organization of that file', notEmpty, 'expert')
    .action((args: ConnectArguments) => choose(connect(args)));
}

function addConnectionsCommands(program: Commander, choose: Choose): void {
  const withWork = ['--with-work', 'confirms that work that was not sent is removed too'] as const;
  const connectionsCommand = program
    .command('connections')
    .description('the connections of this device')
    .action(() => choose(connections()));
  connectionsCommand
    .command('change')
    .argument('<connection>', aConnection)
    .description('renames a connection, or gives it another address or key; its data stay')
    .option('--name <name>', 'as Appraiser Desk shows the connection', notEmpty)
    .option('--base-url <url>', 'the partner’s address', notEmpty)
    .option('--audience <url>', 'the audience of its tokens', notEmpty)
    .option(
      '--client-id <id>',
      'another organization: the data of the one before are removed',
      notEmpty,
    )
    .option('--scope <scope>', 'asked for with each token; empty for none')
    .option(
      '--changed-since-parameter <name>',
      'what the partner calls lastChangedSince; empty for that name',
    )
    .option(
      '--key <file>',
      'the private key (PEM); DESK_KEY_PASSPHRASE opens an encrypted one',
      notEmpty,
    )
    .option(...withWork)
    .action((ref: string, args: ChangeArguments) => choose(changeConnection(ref, args)));
  connectionsCommand
    .command('remove')
    .argument('<connection>', aConnection)
    .description('removes a connection with its key and its data')
    .option(...withWork)
    .action((ref: string, args: ChangeArguments) => choose(removeConnection(ref, args)));
  program
    .command('doctor')
    .description('tests the connection step by step')
    .action(() => choose(doctor()));
}

function addSyncCommands(program: Commander, choose: Choose): void {
  program
    .command('sync')
    .description('pulls changes, sends what waits, downloads documents')
    .addOption(
      new Option(
        '--documents <scope>',
        'downloads documents of no cases, of open cases, or of all cases',
      )
        .choices(documentScopes)
        .default('none'),
    )
    .option('--watch', 'keeps syncing until it is interrupted')
    .action((args: SyncArguments) => choose(sync(args)));
  program
    .command('ready')
    .description(
      'syncs, and downloads every case with an inspection on these days, with its documents',
    )
    .option('--from <day>', 'YYYY-MM-DD; today if absent')
    .option('--to <day>', 'YYYY-MM-DD; the day after the first if absent')
    .action((args: ReadyArguments) => choose(ready(args)));
}

function addCaseCommands(program: Commander, choose: Choose): void {
  addFilter(program.command('cases').description('the list of cases on this device'))
    .option('--limit <number>', 'at most this many cases', wholeNumber)
    .action((args: FilterArguments & { limit?: number }) => choose(cases(args)));
  program
    .command('case')
    .argument('<id>', aCase)
    .description('one case')
    .action((id: string) => choose(showCase(id)));
  program
    .command('documents')
    .argument('<id>', aCase)
    .description('the documents of a case')
    .action((id: string) => choose(documents(id)));
  program
    .command('positions')
    .argument('<id>', aCase)
    .argument('[document]', 'id or name; the documents whose lines are known if absent')
    .description('the lines of an estimate or invoice, or of two next to each other')
    .option('--against <document>', 'the document to compare with', notEmpty)
    .option('--use', 'reports of the case print these lines')
    .action((id: string, document: string | undefined, args: PositionArguments) =>
      choose(positions(id, document, args)),
    );
  program
    .command('reports')
    .argument('<id>', aCase)
    .description('the reports of a case')
    .action((id: string) => choose(reports(id)));
  program
    .command('download')
    .argument('<id>', aCase)
    .argument('[documents...]', 'ids or names; all of the case if absent')
    .description('writes documents, decrypted, to files')
    .requiredOption('--to <dir>', 'the folder to write to', notEmpty)
    .action((id: string, names: string[], { to }: { to: string }) =>
      choose(download(id, names, to)),
    );
}

function addActCommands(program: Commander, choose: Choose): void {
  program
    .command('comment')
    .argument('<id>', aCase)
    .argument('<text>', 'the whole comment')
    .description('sets the comment; works offline')
    .action((id: string, text: string) => choose(comment(id, text)));
  addAmounts(
    program
      .command('amounts')
      .argument('<id>', aCase)
      .description('sets the amounts; works offline'),
  ).action((id: string, args: AmountsArguments) => choose(amounts(id, args)));
  program
    .command('reopen')
    .argument('<id>', aCase)
    .description('reopens a closed case; works offline')
    .requiredOption('--reason <text>', 'why; the insurer reads it')
    .action((id: string, { reason }: { reason: string }) => choose(reopen(id, reason)));
  program
    .command('report')
    .argument('<id>', aCase)
    .description('puts a report together; works offline')
    .option('--file <files...>', 'files of the report, in their order', collect, [])
    .option('--salvage <files...>', 'files about the salvage', collect, [])
    .option(
      '--template <name>',
      'fills a template with the case and the photos among the files, and submits the report',
    )
    .option('--pdf', 'sends the filled document as PDF, made by LibreOffice')
    .option(
      '--annex <files...>',
      'PDFs and pictures that become one PDF with the report, with a list, page numbers and bookmarks',
      collect,
      [],
    )
    .option('--pdf-size <megabytes>', 'reduces the photos of that PDF to this size', wholeNumber)
    .option('--comment <text>', 'the comment on the report')
    .option('--submit', 'submits it; without, and without a template, it stays a draft')
    .action((id: string, args: ReportArguments) => choose(report(id, args)));
  program
    .command('appraiser')
    .description('who writes the reports, for the fields of templates; without options, shows it')
    .option('--name <name>', 'the name')
    .option('--office <name>', 'the office')
    .option('--address <address>', 'the address')
    .option('--phone <number>', 'the phone')
    .option('--email <address>', 'the email')
    .option(
      '--signature <file>',
      'a picture of the signature (PNG, JPEG or HEIC), or `none`',
      notEmpty,
    )
    .action((args: AppraiserArguments) => choose(appraiser(args)));
  program
    .command('draft')
    .argument('<id>', aCase)
    .description('the open draft of a case; works offline')
    .option('--submit', 'submits it')
    .addOption(new Option('--discard', 'removes it with its files').conflicts('submit'))
    .option('--draft <id>', 'which one, if the case has several')
    .action((id: string, args: DraftArguments) => choose(draft(id, args)));
}

function addQueueCommands(program: Commander, choose: Choose): void {
  program
    .command('unfinished')
    .description('all that was begun and is not at its end: typed, drafts, visits, what waits')
    .action(() => choose(unfinished()));
  const queueCommand = program
    .command('queue')
    .description('what waits, why, and proof of what was delivered')
    .addOption(
      new Option(
        '--why <entry>',
        'the decisions that were taken about an entry, with their reasons',
      ).argParser(entryNumber),
    )
    .action(({ why }: { why?: number }) => choose(why === undefined ? queue() : queueWhy(why)));
  const entry = () => new Argument('<entry>', 'the number of an entry').argParser(entryNumber);
  queueCommand
    .command('show')
    .description('one entry of the outbox')
    .addArgument(entry())
    .action((id: number) => choose(queueRow('get', id)));
  queueCommand
    .command('retry')
    .description('tries an entry again')
    .addArgument(entry())
    .addOption(
      new Option(
        '--decision <decision>',
        'about what the partner has besides the report: submit it too, or remove it',
      ).choices(retryDecisions),
    )
    .action((id: number, args: { decision?: RetryDecision }) => choose(queueRetry(id, args)));
  queueCommand
    .command('discard')
    .description('discards an entry')
    .addArgument(entry())
    .action((id: number) => choose(queueRow('discard', id)));
  addAmounts(
    queueCommand
      .command('edit')
      .description('changes an entry that is not on its way; a report becomes a draft again')
      .addArgument(entry()),
  )
    .option('--text <text>', 'the new text of an entry that sets the comment')
    .option('--reason <text>', 'the new reason of an entry that reopens a case')
    .option('--comment <text>', 'the new comment of a report')
    .action((id: number, args: EditArguments) => choose(queueEdit(id, args)));
}

function addSheetCommands(program: Commander, choose: Choose): void {
  program
    .command('batch')
    .argument('<folder>', 'the folder with the files', notEmpty)
    .description('many reports by the names of files and folders')
    .option('--submit', 'submits them; without, they stay drafts')
    .option('--dry-run', 'shows what would be done, and changes nothing')
    .option('--attachments', 'takes the files that mails carry, too')
    .option('--sheet <file>', 'amounts and comments by claim number (CSV or XLSX)')
    .option('--sheet-name <name>', 'which sheet of the workbook; else the one that was seen last')
    .option('--template <name>', 'fills this template for each case that has a report')
    .option('--pdf', 'with --template: sends its PDF, made by LibreOffice')
    .option('--annexes', 'with --pdf: the PDFs and pictures of each case become one PDF with it')
    .action((folder: string, args: BatchArguments) => choose(batch(folder, args)));
  addFilter(program.command('export').description('writes the case list to a file'))
    .addOption(
      new Option('--format <format>', 'the format of the file')
        .choices(exportFormats)
        .makeOptionMandatory(),
    )
    .requiredOption('--to <file>', 'the file to write; none is overwritten', notEmpty)
    .action((args: ExportArguments) => choose(exportCases(args)));
}

function addStorageCommands(program: Commander, choose: Choose): void {
  program
    .command('storage')
    .description('which documents are kept offline, and how much space they take')
    .addOption(
      new Option(
        '--keep <scope>',
        'keeps documents of no cases, of open cases, or of all cases',
      ).choices(documentScopes),
    )
    .option(
      '--closed-days <days>',
      'keeps documents of closed cases for this number of days, or `always`',
    )
    .option('--free', 'removes documents that are not downloaded automatically')
    .action((args: StorageArguments) => choose(storage(args)));
  program
    .command('diagnostics')
    .description('writes a diagnostics file for support, without personal data')
    .requiredOption('--to <file>', 'the file to write; none is overwritten', notEmpty)
    .action(({ to }: { to: string }) => choose(diagnostics(to)));
  program
    .command('backup')
    .description('writes the undelivered work to an encrypted file, for another device')
    .requiredOption('--to <file>', 'the file to write; none is overwritten', notEmpty)
    .action(({ to }: { to: string }) => choose(backup(to)));
  program
    .command('restore')
    .argument(
      '[file]',
      'a file of `backup`; if absent, the backups of damaged work are listed',
      notEmpty,
    )
    .description('restores the undelivered work of another device, or a backup of damaged work')
    .option('--backup', 'restores the newest backup of damaged work')
    .option('--leave', 'declines that backup, so that it is no longer offered')
    .action((file: string | undefined, args: RestoreArguments) => choose(restore(file, args)));
}

const aCase = 'the id or the claim number of a case';
const aConnection = 'its id, or its name if no other has the same';

/** Adds the options that filter the case list. */
function addFilter(command: Commander): Commander {
  return command
    .option('--q <words>', 'cases with all of these words')
    .option('--status <status>', `cases in this status: ${caseStatuses.join(', ')}`)
    .option('--category <category>', `cases of this category: ${categories.join(', ')}`)
    .option(
      '--inspection-type <type>',
      `cases with this kind of inspection: ${inspectionTypes.join(', ')}`,
    );
}

function addAmounts(command: Commander): Commander {
  return command
    .option('--estimate <amount>', 'the cost estimate in CHF')
    .option('--approved <amount>', 'the assessed amount in CHF');
}

function wholeNumber(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('It must be a whole number.');
  return Number(text);
}

function entryNumber(text: string): number {
  if (!/^\d{1,9}$/.test(text))
    throw new InvalidArgumentError('It must be the number of an entry in the outbox.');
  return Number(text);
}

function collect(file: string, files: string[]): string[] {
  return [...files, file];
}
