import {
  Command as Commander,
  InvalidArgumentError,
  Option,
  type OutputConfiguration,
} from 'commander';
import { exportFormats } from '#shared/desk/case-choices.ts';
import { retryDecisions, type RetryDecision } from '#shared/desk/queue.ts';
import { documentScopes } from '#shared/desk/sync.ts';
import { type Language, languages } from '#shared/desk/workspace.ts';
import type { Command } from './command.ts';
import {
  amounts,
  type AmountsArguments,
  comment,
  reopen,
  report,
  type ReportArguments,
} from './commands/acts.ts';
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
import { documents, download, storage, type StorageArguments } from './commands/documents.ts';
import { type EditArguments, queue, queueEdit, queueRetry, queueRow } from './commands/queue.ts';
import { diagnostics, doctor } from './commands/support.ts';
import { ready, type ReadyArguments, sync, type SyncArguments } from './commands/sync.ts';
import packageJson from '../../package.json' with { type: 'json' };

/** Options before or after the command. */
export interface GlobalOptions {
  readonly home?: string;
  readonly json?: boolean;
  readonly lang?: Language;
  readonly vault?: string;
}

/**
 * The command line's grammar. Parsing hands the chosen command, with its arguments read, to
 * `choose` and runs nothing.
 */
export function createProgram(
  choose: (command: Command) => void,
  output: OutputConfiguration,
): Commander {
  const program = new Commander('desk')
    .description('An expert’s cases on this laptop, with or without a network')
    .option('--home <dir>')
    .option('--json')
    .addOption(new Option('--lang <language>').choices(languages))
    .addOption(new Option('--vault <kind>').choices(['keychain', 'passphrase']))
    .version(packageJson.version)
    .configureOutput(output)
    .exitOverride()
    .showSuggestionAfterError(true);

  program
    .command('connect')
    .description('stores a connection with its key, and tests it')
    .option('--gateway <url>', 'with --code: enrols this laptop at the office gateway')
    .option('--code <code>')
    .option('--base-url <url>')
    .option('--audience <url>')
    .option('--client-id <id>')
    .option('--key <file>')
    .option('--name <name>')
    .option('--scope <scope>')
    .option('--htu-without-query')
    .option('--set-aside')
    .option('--credentials <file>')
    .option('--as <organization>', '', 'expert')
    .action((args: ConnectArguments) => choose(connect(args)));
  const connectionsCommand = program
    .command('connections')
    .description('the connections of this laptop')
    .action(() => choose(connections()));
  connectionsCommand
    .command('change <connection>')
    .description('renames a connection, or gives it another address or key; its data stay')
    .option('--name <name>')
    .option('--base-url <url>')
    .option('--audience <url>')
    .option('--client-id <id>', 'another organization: the data of the one before are removed')
    .option('--scope <scope>')
    .option('--key <file>')
    .option('--with-work', 'agrees to remove what was not sent')
    .action((ref: string, args: ChangeArguments) => choose(changeConnection(ref, args)));
  connectionsCommand
    .command('remove <connection>')
    .description('removes a connection with its key and its data')
    .option('--with-work', 'agrees to remove what was not sent')
    .action((ref: string, args: ChangeArguments) => choose(removeConnection(ref, args)));
  program
    .command('doctor')
    .description('tests the connection step by step')
    .action(() => choose(doctor()));
  program
    .command('sync')
    .description('pulls changes, delivers the queue, fetches documents')
    .addOption(new Option('--documents <scope>').choices(documentScopes).default('none'))
    .option('--watch')
    .action((args: SyncArguments) => choose(sync(args)));
  program
    .command('ready')
    .description('syncs, and brings everything here that the cases of some days take')
    .option('--from <day>', 'YYYY-MM-DD; today if absent')
    .option('--to <day>', 'YYYY-MM-DD; the day after the first if absent')
    .action((args: ReadyArguments) => choose(ready(args)));
  addFilter(program.command('cases').description('the list of cases on this laptop'))
    .option('--limit <number>', '', wholeNumber)
    .action((args: FilterArguments & { limit?: number }) => choose(cases(args)));
  program
    .command('case <id>')
    .description('one case')
    .action((id: string) => choose(showCase(id)));
  program
    .command('documents <id>')
    .description('the documents of a case')
    .action((id: string) => choose(documents(id)));
  program
    .command('reports <id>')
    .description('the reports of a case')
    .action((id: string) => choose(reports(id)));
  program
    .command('download <id> [documents...]')
    .description('writes documents, decrypted, to files')
    .requiredOption('--to <dir>')
    .action((id: string, names: string[], { to }: { to: string }) =>
      choose(download(id, names, to)),
    );
  program
    .command('comment <id> <text>')
    .description('sets the comment; works offline')
    .action((id: string, text: string) => choose(comment(id, text)));
  program
    .command('amounts <id>')
    .description('sets the amounts; works offline')
    .option('--estimate <amount>')
    .option('--approved <amount>')
    .action((id: string, args: AmountsArguments) => choose(amounts(id, args)));
  program
    .command('reopen <id>')
    .description('reopens a closed case; works offline')
    .requiredOption('--reason <text>')
    .action((id: string, { reason }: { reason: string }) => choose(reopen(id, reason)));
  program
    .command('report <id>')
    .description('puts a report together; works offline')
    .option('--file <files...>', '', collect, [])
    .option('--salvage <files...>', '', collect, [])
    .option('--comment <text>')
    .option('--submit')
    .action((id: string, args: ReportArguments) => choose(report(id, args)));

  const queueCommand = program
    .command('queue')
    .description('what waits, why, and proof of what was delivered')
    .action(() => choose(queue()));
  const rowCommand = (name: string, act: 'get' | 'discard', description: string) =>
    queueCommand
      .command(name)
      .description(description)
      .argument('<entry>', '', wholeNumber)
      .action((id: number) => choose(queueRow(act, id)));
  rowCommand('show', 'get', 'one entry of the queue');
  queueCommand
    .command('retry')
    .description(
      'tries an entry again; --decision says what is to become of what the partner holds beside a report',
    )
    .argument('<entry>', '', wholeNumber)
    .addOption(new Option('--decision <decision>').choices(retryDecisions))
    .action((id: number, args: { decision?: RetryDecision }) => choose(queueRetry(id, args)));
  rowCommand('discard', 'discard', 'discards an entry');
  queueCommand
    .command('edit')
    .description('changes an entry that is not on its way; a report becomes a draft again')
    .argument('<entry>', '', wholeNumber)
    .option('--estimate <amount>')
    .option('--approved <amount>')
    .option('--text <text>')
    .option('--reason <text>')
    .option('--comment <text>')
    .action((id: number, args: EditArguments) => choose(queueEdit(id, args)));
  program
    .command('batch <folder>')
    .description('many reports by the names of files and folders')
    .option('--submit')
    .option('--dry-run')
    .option('--sheet <file>', 'amounts and comments by external key (CSV or XLSX)')
    .action((folder: string, args: BatchArguments) => choose(batch(folder, args)));
  addFilter(program.command('export').description('writes the case list to a file'))
    .addOption(new Option('--format <format>').choices(exportFormats).makeOptionMandatory())
    .requiredOption('--to <file>')
    .action((args: ExportArguments) => choose(exportCases(args)));
  program
    .command('storage')
    .description('which documents are kept offline, and what they take; --free removes what may go')
    .addOption(new Option('--keep <scope>').choices(documentScopes))
    .option('--closed-days <days>')
    .option('--free')
    .action((args: StorageArguments) => choose(storage(args)));
  program
    .command('diagnostics')
    .description('writes a bundle for support, without personal data')
    .requiredOption('--to <file>')
    .action(({ to }: { to: string }) => choose(diagnostics(to)));
  program
    .command('backup')
    .description('writes the undelivered work to an encrypted file, for another laptop')
    .requiredOption('--to <file>')
    .action(({ to }: { to: string }) => choose(backup(to)));
  program
    .command('restore [file]')
    .description('takes over the undelivered work of another laptop')
    .option('--backup')
    .option('--leave')
    .action((file: string | undefined, args: RestoreArguments) => choose(restore(file, args)));
  return program;
}

/** The filters of the case list. */
function addFilter(command: Commander): Commander {
  return command
    .option('--q <words>')
    .option('--status <status>')
    .option('--category <category>')
    .option('--inspection-type <type>');
}

function wholeNumber(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('');
  return Number(text);
}

function collect(file: string, files: string[]): string[] {
  return [...files, file];
}
