import type { ConnectionCheck } from '#shared/desk/connection-check.ts';
import { sayProblem } from '#shared/desk/error-text.ts';
import type { Language } from '#shared/desk/workspace.ts';
import { exitCodeOf, exitCodes } from '#main/shell/exit-codes.ts';
import type { Command } from '../command.ts';
import type { CliTexts } from '../texts/texts.ts';

type Step = ConnectionCheck['items'][number];

/** Beyond this a person should hear of it, although the desk goes by the partner's clock. */
const clockOffS = 60;

/** Tests the connection step by step; ends with 6 where the network is the fault, with 1 for others. */
export function doctor(): Command {
  return async ({ engine, output, texts, language, endWith }) => {
    const { items, total } = await engine.tools.checkConnection();
    const said = items.map((step) => ({ ...step, message: sayStep(step, texts, language) }));
    output.list(said, total, [
      { title: texts.columns.step, of: (step) => texts.doctor.steps[step.id] },
      { title: texts.columns.result, of: (step) => step.message },
    ]);
    const problem = items.find(({ outcome }) => outcome === 'failed')?.problem;
    if (!problem) return;
    const code = exitCodeOf(problem.code);
    endWith(code === exitCodes.offline ? code : exitCodes.failed);
  };
}

function sayStep(
  { id, outcome, problem, params }: Step,
  texts: CliTexts,
  language: Language,
): string {
  const { doctor: words } = texts;
  if (outcome === 'skipped') return words.skipped;
  if (problem) return `${words.failed}: ${sayProblem(problem, language)}`;
  const number = (name: string) => Number(params[name] ?? 0);
  switch (id) {
    case 'clock':
      return Math.abs(number('offsetS')) > clockOffS ? words.clockOff(number('offsetS')) : words.ok;
    case 'list':
      return words.caseCount(number('caseCount'));
    case 'limits':
      return words.limits(number('standardPerMinute'), number('documentsPerMinute'));
    default:
      return words.ok;
  }
}
