import { caseTransitions } from '../states/case-states.ts';
import { submissionTransitions } from '../states/submission-states.ts';

/** The state machines as Markdown tables, made from those that the service goes by. */
export function stateTables(): string {
  return [
    '## States of a case',
    'A new claim is Created. A transition that is not listed is refused with `invalid_state`.',
    table(caseTransitions),
    '## States of a report submission',
    'A new submission is a Draft.',
    table(submissionTransitions),
  ].join('\n\n');
}

function table(
  transitions: readonly { readonly from: string; readonly trigger: string; readonly to: string }[],
): string {
  const rows = transitions.map(({ from, trigger, to }) => `| ${from} | ${trigger} | ${to} |`);
  return ['| from | trigger | to |', '|---|---|---|', ...rows].join('\n');
}
