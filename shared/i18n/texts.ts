import type { DeskErrorCode } from '../desk/errors.ts';
import type { dispatchDe } from './de/dispatch.ts';
import type { wordsDe } from './de/words.ts';
import type { payloadDe } from './de/work.ts';
import type { policyTextsDe } from './de/policy.ts';
import type { de } from './de/window.ts';

/** The same tree with any text at its leaves. */
export type TextsLike<Tree> = {
  readonly [Key in keyof Tree]: Tree[Key] extends string ? string : TextsLike<Tree[Key]>;
};

/** The window's texts of one language: the shape of the German ones. */
export type WindowTexts = TextsLike<typeof de>;
export type Words = TextsLike<typeof wordsDe>;
/** The dispatcher's page of the office gateway. */
export type DispatchTexts = TextsLike<typeof dispatchDe>;
export type PayloadLabels = TextsLike<typeof payloadDe>;

type Path<Tree, Prefix extends string = ''> = {
  [Key in keyof Tree & string]: Tree[Key] extends string
    ? `${Prefix}${Key}`
    : Path<Tree[Key], `${Prefix}${Key}.`>;
}[keyof Tree & string];

/** The dotted key of each text of the window. */
export type MessageKey = Path<typeof de>;

/** A sentence for each code: what happened, what is safe, what to do. */
export type ErrorSentences = Readonly<Record<DeskErrorCode, string>>;

/**
 * Words that fill the sentences in place of raw parameter values. A value that is not listed is
 * shown as it came.
 */
export interface ErrorWords {
  /** Stands for a missing parameter. */
  readonly unknown: string;
  /** In the place of a value that nobody entered. */
  readonly notEntered: string;
  /** `field` */
  readonly fields: Readonly<Record<string, string>>;
  /** `rule` */
  readonly rules: Readonly<Record<string, string>>;
  /** `found`: what a key file or an answer turned out to be */
  readonly found: Readonly<Record<string, string>>;
  /** `reason` */
  readonly reasons: Readonly<Record<string, string>>;
  /** `title` of a problem document */
  readonly titles: Readonly<Record<string, string>>;
  /** `bucket` of the partner's limits */
  readonly buckets: Readonly<Record<string, string>>;
}

/** What the desktop shell itself says; everything else is the window's. */
export interface ShellTexts {
  readonly engineRestarted: string;
  readonly opening: string;
  readonly openingDetail: string;
  readonly keepWaiting: string;
  readonly engineGone: string;
  readonly quitQuestion: string;
  readonly quitDetail: (waiting: number) => string;
  readonly leaveQuestion: string;
  readonly leaveDetail: string;
  readonly leave: string;
  readonly quit: string;
  readonly stay: string;
  readonly show: string;
  readonly nothingWaits: string;
  readonly waiting: (count: number) => string;
  readonly attention: (count: number) => string;
  readonly offline: string;
  readonly file: string;
  readonly edit: string;
  readonly view: string;
  readonly newWindow: string;
  readonly savePdf: string;
  readonly windowRestarted: string;
  readonly undo: string;
  readonly redo: string;
  readonly cut: string;
  readonly copy: string;
  readonly paste: string;
  readonly selectAll: string;
  readonly resetZoom: string;
  readonly zoomIn: string;
  readonly zoomOut: string;
  readonly fullscreen: string;
  readonly window: string;
  readonly about: string;
  readonly services: string;
  readonly hide: string;
  readonly hideOthers: string;
  readonly showAll: string;
  readonly minimize: string;
  readonly zoom: string;
  readonly front: string;
}

/** What the start says on stderr; every one is a single line. */
export interface StartTexts {
  readonly noElectron: (why: string) => string;
  readonly noKeychain: string;
  readonly runsAlready: string;
  readonly openIt: (url: string) => string;
  readonly portInUse: (port: number) => string;
  readonly notBuilt: string;
  /** What was said of it comes after. */
  readonly wrongUsage: string;
}

/** What IT reads about each value, by its dotted name: the title in the editor and its explanation. */
export type PolicyTexts = TextsLike<typeof policyTextsDe>;
