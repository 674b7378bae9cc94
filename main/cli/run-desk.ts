import { CommanderError } from 'commander';
import { DeskError, paramOf } from '#shared/desk/contract/errors.ts';
import { type Language, languages } from '#shared/desk/setup/workspace.ts';
import { type FaultLog, toDeskError } from '#main/log/faults.ts';
import type { Engine } from '#main/engine/engine.ts';
import { UsageError } from '#shared/lib/usage-error.ts';
import { type ExitCode, exitCodeOf, exitCodes } from '#main/shell/exit-codes.ts';
import type { Command } from './command.ts';
import { createOutput, type Damaged, type Output, type Streams } from './output.ts';
import { createProgram, type GlobalOptions } from './program.ts';

/** The parts of a run of the command line. */
export interface DeskRunOptions<Log extends FaultLog = FaultLog> {
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly streams: Streams;
  readonly signal: AbortSignal;
  readonly askSecret: (question: string, signal: AbortSignal) => Promise<string | null>;
  readonly openLog: (options: GlobalOptions) => Promise<Log>;
  readonly openEngine: (options: GlobalOptions, log: Log) => Promise<Engine>;
  /** The language of the sentences (main/shell/language.ts). */
  readonly languageOf: (given: {
    readonly argument: Language | undefined;
    readonly home: string | undefined;
  }) => Language;
  /** The name with which the user calls the command line: `appraiser-desk-cli`. */
  readonly commandName: string;
}

/**
 * Reads the arguments, opens the engine, runs the command, closes the engine.
 * @returns the exit code
 */
export async function runDesk<Log extends FaultLog>(run: DeskRunOptions<Log>): Promise<number> {
  const { args, env, streams, signal, commandName } = run;
  const argument = languages.find((language) => language === valueOf(args, '--lang'));
  const language = run.languageOf({ argument, home: valueOf(args, '--home') });
  const output = createOutput(streams, args.includes('--json'), { language, commandName });
  const chosen: Command[] = [];
  let usage = '';
  const program = createProgram(commandName, (command) => chosen.push(command), {
    writeOut: (text) => void streams.stdout.write(text),
    writeErr: (text) => void (usage += text),
  });
  try {
    program.parse(args, { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode === 0) return exitCodes.done;
    output.usage(usage.trim());
    return exitCodes.usage;
  }
  const [command] = chosen;
  if (!command) return exitCodes.usage;

  const options = program.opts<GlobalOptions>();
  const log = await run.openLog(options);
  let engine: Engine | undefined;
  try {
    engine = await run.openEngine(options, log);
    output.damaged = await findDamage(engine, output);
    const requestedCodes: ExitCode[] = [];
    const endWith = (code: ExitCode) => void requestedCodes.push(code);
    const askSecret = (question: string) => run.askSecret(question, signal);
    const context = { engine, output, language, env, askSecret, signal, endWith };
    const ended = await Promise.race([command(context), interruption(signal)]);
    if (ended === 'interrupted') return exitCodes.failed;
    return requestedCodes.at(-1) ?? (output.damaged ? exitCodes.damaged : exitCodes.done);
  } catch (error) {
    if (error instanceof UsageError) {
      output.usage(error.message);
      return exitCodes.usage;
    }
    const problem = toDeskError(error, 'command line', log).problem;
    const until = paramOf(problem, 'until');
    output.problem(problem, until === undefined ? {} : { until });
    return error instanceof DeskError ? exitCodeOf(error.code) : exitCodes.failed;
  } finally {
    await engine?.close();
  }
}

/** Finds undelivered work that was set aside, which is reported with every command. */
async function findDamage(engine: Engine, output: Output): Promise<Damaged | null> {
  try {
    const { problem } = await engine.sync.status();
    if (problem?.code !== 'work_corrupt' && problem?.code !== 'work_lost') return null;
    output.notice(problem);
    const { items } = await engine.tools.workBackups();
    return items[0] ?? { id: null };
  } catch (error) {
    // No workspace is open; the command itself reports this error.
    if (error instanceof DeskError) return null;
    throw error;
  }
}

/**
 * Resolves at an interruption. Ctrl+C does not wait for the network: work that was begun is safe,
 * and closing the engine stops it.
 */
function interruption(signal: AbortSignal): Promise<'interrupted'> {
  return new Promise((resolve) => {
    const interrupt = () => resolve('interrupted');
    if (signal.aborted) interrupt();
    // A command that handles the signal itself, such as watching, ends first.
    signal.addEventListener('abort', () => setImmediate(interrupt), { once: true });
  });
}

/** Reads a value before the parser does, because a failed parse also needs a sentence. */
function valueOf(args: readonly string[], option: string): string | undefined {
  const at = args.findIndex((arg) => arg === option || arg.startsWith(`${option}=`));
  if (at < 0) return undefined;
  return args[at] === option ? args[at + 1] : args[at]?.slice(option.length + 1);
}
