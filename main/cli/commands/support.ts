import { resolve } from 'node:path';
import { DeskError } from '#shared/desk/contract/errors.ts';
import type { ConnectionCheck, ConnectionStep } from '#shared/desk/setup/diagnostics.ts';
import { sayProblem } from '#shared/desk/contract/error-text.ts';
import type { AutomaticBackup } from '#shared/desk/setup/work-package.ts';
import { type Language, orphanProblem } from '#shared/desk/setup/workspace.ts';
import { exitCodeOf, exitCodes } from '#main/shell/exit-codes.ts';
import type { Engine } from '#main/engine/engine.ts';
import type { Command } from '../command.ts';
import { askedSentence } from './connect.ts';

type Step = ConnectionCheck['items'][number];

const steps: Record<ConnectionStep, string> = {
  address: 'Address',
  connection: 'Connection',
  encryption: 'Encryption',
  partner: 'Partner’s answers',
  clock: 'Clock',
  token: 'Sign-in (client ID, key, audience)',
  proof: 'Signed requests',
  list: 'List of cases',
  limits: 'Limits',
};

/**
 * Tests the connection step by step, and reports anomalies in the partner's data. It ends with 6 if
 * the network failed, with 7 if the partner requests a pause, and otherwise with 1.
 */
export function doctor(): Command {
  return async ({ engine, output, endWith }) => {
    const orphans = (await engine.workspaces.orphans()).items;
    // They are named first, because without a connection nothing else can be tested.
    for (const orphan of orphans) output.notice(orphanProblem(orphan));
    const check = await engine.tools.checkConnection({ failed: true });
    const { items, total, connection, settings, ignored, asked } = check;
    const open = await ofOpenWorkspace(engine);
    const { notices, backup } = open;
    const templates = await engine.templates.folder();
    const results = items.map((step) => ({ ...step, message: resultOf(step, 'en') }));
    for (const notice of notices) if (notice.code !== 'workspace_orphaned') output.notice(notice);
    output.list(
      results,
      total,
      [
        { title: 'Step', of: (step) => steps[step.id] },
        { title: 'Result', of: (step) => step.message },
      ],
      { connection, settings, ignored, asked, notices, orphans, backup, templates },
    );
    output.remark(settingsTable(settings));
    for (const parameter of ignored) output.remark(ignoredSentence(parameter, settings));
    if (!connection.isUsable) output.remark(notUsable(connection.name));
    if (backup) output.remark(backupSentence(backup));
    if (backup?.problem) output.notice(backup.problem);
    if (templates.folder !== null) output.remark(`Folder of templates: ${templates.folder}.`);
    if (templates.folderProblem) output.notice(templates.folderProblem);
    const problem = items.find(({ outcome }) => outcome === 'failed')?.problem;
    if (!problem) return;
    if (asked) output.remark(askedSentence(asked));
    const code = exitCodeOf(problem.code);
    endWith(code === exitCodes.offline || code === exitCodes.wait ? code : exitCodes.failed);
  };
}

/**
 * Tests the open workspace; there is none if the only connection was refused when it was set up.
 */
async function ofOpenWorkspace(engine: Engine) {
  try {
    const { notices } = await engine.sync.status();
    return { notices, backup: await engine.tools.automaticBackup() };
  } catch (error) {
    if (error instanceof DeskError && error.code === 'no_connection')
      return { notices: [], backup: null };
    throw error;
  }
}

const notUsable = (name: string) =>
  `The connection ${name} was refused when it was set up and cannot be used yet.`;

function settingsTable(settings: ConnectionCheck['settings']): string {
  const width = Math.max(...settings.map(({ name }) => name.length));
  return settings
    .map(({ name, value, isPolicy }) => {
      const origin = isPolicy ? '  (set by your organization)' : '';
      return `${name.padEnd(width)}  ${value === '' ? '-' : value}${origin}`;
    })
    .join('\n');
}

const ignoredSentences: Record<ConnectionCheck['ignored'][number], string> = {
  size: 'The partner ignores the size of a page; Appraiser Desk reads what it gives.',
  page: 'The partner ignores the number of a page: cases beyond its first page cannot be read.',
  lastChangedSince:
    'The partner ignores NAME: every reading is of the whole list. If it has another name for it, set --changed-since-parameter.',
};

/** @param settings the settings, which contain the partner's name of the parameter */
function ignoredSentence(
  parameter: ConnectionCheck['ignored'][number],
  settings: ConnectionCheck['settings'],
): string {
  const name = settings.find((setting) => setting.name === `parameter.${parameter}`)?.value;
  return ignoredSentences[parameter].replace('NAME', name ?? parameter);
}

function backupSentence({ folder, lastAt, problemAt }: AutomaticBackup): string {
  if (folder === null) return 'Automatic backup: off.';
  const failed = problemAt === null ? '' : ` The try of ${problemAt} failed.`;
  return `Automatic backup into ${folder}: last made ${lastAt ?? 'never'}.${failed}`;
}

/** The difference from which the user gets a notice, although the desk uses the partner's clock. */
const clockOffS = 60;

function resultOf({ id, outcome, problem, params }: Step, language: Language): string {
  if (outcome === 'skipped') return 'not tested';
  if (problem) return `failed: ${sayProblem(problem, language, { isEnding: true })}`;
  const figure = (name: string) => String(params[name] ?? 0);
  switch (id) {
    case 'clock':
      return Math.abs(Number(params['offsetS'] ?? 0)) > clockOffS
        ? `ok; this device’s clock is ${figure('offsetS')} seconds off, which does no harm`
        : 'ok';
    case 'list':
      return `ok; cases: ${figure('caseCount')}`;
    case 'limits':
      return `ok; ${figure('standardPerMinute')} requests a minute, of documents ${figure('documentsPerMinute')}`;
    default:
      return 'ok';
  }
}

/** Writes a bundle for support, which contains nothing about cases or persons. */
export function diagnostics(to: string): Command {
  return async ({ engine, output }) => {
    const written = await engine.tools.writeDiagnostics({ file: resolve(to) });
    output.result(
      { event: 'diagnosed', ...written },
      () =>
        `The bundle is in ${written.file}. It holds no personal data; look at it before you send it.`,
    );
  };
}
