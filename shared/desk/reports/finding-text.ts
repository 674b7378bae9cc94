import type { SayText } from '../../i18n/say-text.ts';
import type { TemplateFinding } from './templates.ts';

/** What is wrong, why, and what is meant, as sentences. */
export function sayFinding(finding: TemplateFinding, say: SayText): string {
  const { fault, field, reason, suggestion } = finding;
  const parts = [say(`templates.faults.${fault}`, { field })];
  if (reason !== null) parts.push(say(`templates.reasons.${reason}`));
  if (suggestion !== null) {
    const key = suggestion.startsWith('#') ? 'templates.belongs' : 'templates.suggestion';
    parts.push(say(key, { field: `{${suggestion}}` }));
  }
  return parts.join(' ').trim();
}

/** A finding as a comment of Word, which stands at its place only if that is in the main text. */
export function sayComment(finding: TemplateFinding, say: SayText): string {
  const sentence = sayFinding(finding, say);
  const { part } = finding;
  return part === 'document' ? sentence : `${say(`templates.parts.${part}`)}: ${sentence}`;
}
