import { caseTransitions } from '#shared/api/states.ts';
import { submissionTransitions } from '#shared/api/states.ts';

interface Transition {
  readonly from: string;
  readonly trigger: string;
  readonly to: string;
}

/** SVG of each, for a page that shows it. */
export interface StatePictures {
  readonly case: string;
  readonly submission: string;
}

/**
 * The state machines as Markdown for the page that shows the document, drawn from the very tables
 * that the service goes by.
 */
export function stateDiagrams(pictures?: StatePictures): string {
  return [
    '## States of a case',
    'Created is where an insurer’s new claim begins. What is not drawn here is `invalid_state`.',
    ...(pictures ? [block(pictures.case)] : []),
    diagram(caseTransitions),
    '## States of a report submission',
    'Draft is where a new submission begins.',
    ...(pictures ? [block(pictures.submission)] : []),
    diagram(submissionTransitions),
  ].join('\n\n');
}

/** HTML that Markdown lets through as it is. */
function block(html: string): string {
  return `<div>${html}</div>`;
}

/** A block for each state, with an arrow for each state that it can become. */
function diagram(transitions: readonly Transition[]): string {
  const width = Math.max(...transitions.map(({ trigger }) => trigger.length));
  const states = Map.groupBy(transitions, ({ from }) => from);
  const blocks = [...states].map(([from, leaving]) => {
    const arrows = leaving.map(({ trigger, to }, index) => {
      const corner = index === leaving.length - 1 ? '└' : '├';
      const line = '─'.repeat(width - trigger.length + 1);
      return ` ${corner}─ ${trigger} ${line}> ${to === from ? `${to} (stays)` : to}`;
    });
    return [from, ...arrows].join('\n');
  });
  return ['```text', blocks.join('\n\n'), '```'].join('\n');
}
