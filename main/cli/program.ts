import { Command as Commander, InvalidArgumentError, Option } from 'commander';
import { exportFormats } from '#shared/desk/case-export.ts';
import { retryDecisions, type RetryDecision } from '#shared/desk/queue.ts';
import { documentScopes } from '#shared/desk/sync.ts';
import { languages } from '#shared/desk/workspace.ts';
import type { Command } from './command.ts';
import { amounts, type AmountsArguments, comment, reopen } from './commands/acts.ts';
import { backup, restore, type RestoreArguments } from './commands/backup.ts';
import { batch, type BatchArguments } from './commands/batch.ts';
import { cases, type CasesArguments, documents, reports, showCase } from './commands/cases.ts';
import { connect, type ConnectArguments } from './commands/connect.ts';
import { diagnostics } from './commands/diagnostics.ts';
import { doctor } from './commands/doctor.ts';
import { exportCases, type ExportArguments } from './commands/export.ts';
import { download } from './commands/download.ts';
import { type EditArguments, queue, queueEdit, queueRetry, queueRow } from './commands/queue.ts';
import { report, type ReportArguments } from './commands/report.ts';
import { storage, type StorageArguments } from './commands/storage.ts';
import { sync, type SyncArguments } from './commands/sync.ts';
import type { CliTexts } from './texts/texts.ts';

/** Options before or after the command. */
export interface GlobalOptions {
  readonly home?: string;
  readonly json?: boolean;
  readonly lang?: string;
  readonly vault?: string;
}

/**
 * The command line's grammar. Parsing hands the chosen command, with its arguments read, to
 * `choose` and runs nothing.
 */
export function createProgram(texts: CliTexts, choose: (command: Command) => void): Commander {
  const program = new Commander('desk')
    .description(texts.description)
    .option('--home <dir>')
    .option('--json')
    .addOption(new Option('--lang <language>').choices(languages))
    .addOption(new Option('--vault <kind>').choices(['keychain', 'passphrase']))
    .exitOverride()
    .showSuggestionAfterError(true);
  const { commands } = texts;

  program
    .command('connect')
    .description(commands.connect)
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
  program
    .command('doctor')
    .description(commands.doctor)
    .action(() => choose(doctor()));
  program
    .command('sync')
    .description(commands.sync)
    .addOption(new Option('--documents <scope>').choices(documentScopes).default('none'))
    .option('--watch')
    .action((args: SyncArguments) => choose(sync(args)));
  addFilter(program.command('cases').description(commands.cases))
    .option('--limit <number>', '', wholeNumber)
    .action((args: CasesArguments) => choose(cases(args)));
  program
    .command('case <id>')
    .description(commands.case)
    .action((id: string) => choose(showCase(id)));
  program
    .command('documents <id>')
    .description(commands.documents)
    .action((id: string) => choose(documents(id)));
  program
    .command('reports <id>')
    .description(commands.reports)
    .action((id: string) => choose(reports(id)));
  program
    .command('download <id> [documents...]')
    .description(commands.download)
    .requiredOption('--to <dir>')
    .action((id: string, names: string[], { to }: { to: string }) =>
      choose(download(id, names, to)),
    );
  program
    .command('comment <id> <text>')
    .description(commands.comment)
    .action((id: string, text: string) => choose(comment(id, text)));
  program
    .command('amounts <id>')
    .description(commands.amounts)
    .option('--estimate <amount>')
    .option('--approved <amount>')
    .action((id: string, args: AmountsArguments) => choose(amounts(id, args)));
  program
    .command('reopen <id>')
    .description(commands.reopen)
    .requiredOption('--reason <text>')
    .action((id: string, { reason }: { reason: string }) => choose(reopen(id, reason)));
  program
    .command('report <id>')
    .description(commands.report)
    .option('--file <files...>', '', collect, [])
    .option('--salvage <files...>', '', collect, [])
    .option('--comment <text>')
    .option('--submit')
    .action((id: string, args: ReportArguments) => choose(report(id, args)));

  const queueCommand = program
    .command('queue')
    .description(commands.queue)
    .action(() => choose(queue()));
  const rowCommand = (act: 'show' | 'discard', description: string) =>
    queueCommand
      .command(act)
      .description(description)
      .argument('<entry>', '', wholeNumber)
      .action((id: number) => choose(queueRow(act, id)));
  rowCommand('show', commands.queueShow);
  queueCommand
    .command('retry')
    .description(commands.queueRetry)
    .argument('<entry>', '', wholeNumber)
    .addOption(new Option('--decision <decision>').choices(retryDecisions))
    .action((id: number, args: { decision?: RetryDecision }) => choose(queueRetry(id, args)));
  rowCommand('discard', commands.queueDiscard);
  queueCommand
    .command('edit')
    .description(commands.queueEdit)
    .argument('<entry>', '', wholeNumber)
    .option('--estimate <amount>')
    .option('--approved <amount>')
    .option('--text <text>')
    .option('--reason <text>')
    .option('--comment <text>')
    .action((id: number, args: EditArguments) => choose(queueEdit(id, args)));
  program
    .command('batch <folder>')
    .description(commands.batch)
    .option('--submit')
    .option('--dry-run')
    .action((folder: string, args: BatchArguments) => choose(batch(folder, args)));
  addFilter(program.command('export').description(commands.export))
    .addOption(new Option('--format <format>').choices(exportFormats).makeOptionMandatory())
    .requiredOption('--to <file>')
    .action((args: ExportArguments) => choose(exportCases(args)));
  program
    .command('storage')
    .description(commands.storage)
    .addOption(new Option('--keep <scope>').choices(documentScopes))
    .option('--closed-days <days>')
    .option('--free')
    .action((args: StorageArguments) => choose(storage(args)));
  program
    .command('diagnostics')
    .description(commands.diagnostics)
    .requiredOption('--to <file>')
    .action(({ to }: { to: string }) => choose(diagnostics(to)));
  program
    .command('backup')
    .description(commands.backup)
    .requiredOption('--to <file>')
    .action(({ to }: { to: string }) => choose(backup(to)));
  program
    .command('restore [file]')
    .description(commands.restore)
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
