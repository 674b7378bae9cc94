import type { DeskPolicy } from '#main/engine/policy-schema.ts';
import { languageInSettings } from '#main/engine/home/settings.ts';
import { decideLanguage, type Language, languagesOfEnvironment } from '#shared/i18n/language.ts';
import { readPolicy } from './policy.ts';

/** What a shell knows of its language before its engine is open. */
export interface StartLanguage {
  readonly home: string;
  /** `--lang`. */
  readonly argument: Language | undefined;
  /** Of this machine; read here if the shell has not read it yet. */
  readonly policy?: DeskPolicy;
  /** The system's preferred languages; those of the environment if absent. */
  readonly system?: readonly string[];
}

/**
 * The language of what a shell shows before its engine is open, or without one. An open engine
 * decides by the same rule (`desk.language`).
 */
export function languageAtStart({ home, argument, policy, system }: StartLanguage): Language {
  return decideLanguage({
    argument,
    policy: (policy ?? readablePolicy()).language,
    setting: languageInSettings(home),
    system: system ?? languagesOfEnvironment(process.env),
  });
}

/** A policy that cannot be read stops the start, and its problem needs a language, too. */
function readablePolicy(): DeskPolicy {
  try {
    return readPolicy(process.env);
  } catch {
    return {};
  }
}
