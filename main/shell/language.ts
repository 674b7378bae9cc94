import type { DeskPolicy } from '#main/engine/policy-schema.ts';
import { languageInSettings } from '#main/engine/home/settings.ts';
import { decideLanguage, type Language, languagesOfEnvironment } from '#shared/i18n/language.ts';
import { readPolicy } from './policy.ts';

/** The languages that a shell knows before its engine is open. */
export interface StartLanguage {
  readonly home: string;
  /** The language of `--lang`. */
  readonly argument: Language | undefined;
  /** The policy of this machine; if absent, it is read here. */
  readonly policy?: DeskPolicy;
  /** The system's preferred languages; if absent, those of the environment. */
  readonly system?: readonly string[];
}

/**
 * The language of a shell before its engine is open, or without one. An open engine decides by the
 * same rule (`desk.language`).
 */
export function languageAtStart({ home, argument, policy, system }: StartLanguage): Language {
  return decideLanguage({
    argument,
    policy: (policy ?? readablePolicy()).language,
    setting: languageInSettings(home),
    system: system ?? languagesOfEnvironment(process.env),
  });
}

/**
 * The policy; empty if it cannot be read. Such a policy stops the start, but its problem also needs
 * a language.
 */
function readablePolicy(): DeskPolicy {
  try {
    return readPolicy(process.env);
  } catch {
    return {};
  }
}
