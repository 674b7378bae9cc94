import { useIntervalFn, useNow } from '@vueuse/core';
import { computed } from 'vue';
import { useI18n } from 'vue-i18n';
import { categories } from '#shared/api/case-words.ts';
import type { CaseSummary } from '#shared/desk/cases/cases.ts';
import { formatRappen } from '#shared/lib/money.ts';
import { zurichDay } from '#shared/lib/zurich-day.ts';
import { sayBytes, sayProblem } from '#shared/desk/contract/error-text.ts';
import { languages, type Language } from '#shared/i18n/language.ts';
import type { MessageKey } from '#shared/i18n/texts.ts';
import {
  formatAgo,
  formatAmount,
  formatCount,
  formatMoment,
  formatSecond,
  formatWhen,
} from '#shared/i18n/format.ts';
import { presentMs } from '../lib/present.ts';
import type { Problem } from '../lib/problem.ts';

type Params = Readonly<Record<string, string | number>>;
type Translate = (key: MessageKey, params?: Params) => string;

/**
 * The window's texts and Swiss formats in the user's language. `t` accepts only existing keys; a
 * text with a plural is chosen by the parameter `n`.
 */
export function useTexts() {
  const i18n = useI18n();
  const language = computed<Language>(
    () => languages.find((known) => known === i18n.locale.value) ?? 'de',
  );
  const t = (key: MessageKey, params: Params = {}): string =>
    typeof params['n'] === 'number' ? i18n.t(key, params, params['n']) : i18n.t(key, params);

  /**
   * The text of a key that came from outside. If the key has no text, the value itself is returned.
   */
  const word = (
    group:
      | 'caseStatus'
      | 'category'
      | 'columns'
      | 'estimates'
      | 'reportStatus'
      | 'returnReasons'
      | 'insights.ages'
      | 'labels.sections'
      | 'labels.fields'
      | 'labels.values',
    value: string,
  ): string => {
    // The library would read dots and brackets as a path into the texts.
    const key = `${group}.${value}`;
    return /^\w+$/.test(value) && i18n.te(key) ? i18n.t(key) : value;
  };

  /**
   * A duration in whole seconds, or in whole minutes from a minute and a half on. It is rounded up.
   */
  const duration = (ms: number): string => {
    const seconds = Math.ceil(ms / 1000);
    return seconds < 90
      ? t('report.duration.seconds', { n: Math.max(1, seconds) })
      : t('report.duration.minutes', { n: Math.ceil(seconds / 60) });
  };

  function problemText(problem: Problem): string {
    if (problem.code === 'desk_unreachable') return t('app.unreachableText');
    const late = problem.code === 'queue_row_state' && tooLate[problem.params.state];
    if (late) return t(late);
    return sayProblem(problem, language.value);
  }

  return {
    language,
    t,
    word,
    ...caseWords(t, word),
    duration,
    ...lengthWords(t, (n) => formatCount(n, language.value)),
    problemText,
    bytes: (bytes: number) => sayBytes(bytes, language.value),
    /** Formats whole Rappen as `CHF 12’345.60`, and null as words. */
    chf: (rappen: number | null) =>
      rappen === null ? t('app.notEntered') : formatAmount(rappen, language.value),
    /** Formats whole Rappen without CHF. Null becomes an empty text, as in a field. */
    francs: (rappen: number | null) =>
      rappen === null ? '' : formatRappen(rappen, language.value),
    count: (n: number) => formatCount(n, language.value),
  };
}

/** The texts about the length of a text that has a limit. */
function lengthWords(t: Translate, count: (n: number) => string) {
  return {
    /** The message for a text that is too long. It is empty if the text is not too long. */
    tooLong: (text: string, maxLength: number): string => {
      const n = text.length - maxLength;
      return n > 0 ? t('comment.tooLong', { n, count: count(n) }) : '';
    },
    /** The length of a text near its limit. It is empty before. */
    counterOf: (text: string, max: number): string =>
      text.length < 0.8 * max
        ? ''
        : t('comment.counter', { length: count(text.length), max: count(max) }),
  };
}

type Word = (group: 'category' | 'estimates' | 'labels.values', value: string) => string;

/** The words that depend on a case. */
function caseWords(t: (key: MessageKey) => string, word: Word) {
  /** The damaged object as a line: `Personenwagen · ZH 1`. */
  const damaged = (summary: Pick<CaseSummary, 'subject' | 'category' | 'licensePlate'>): string =>
    [subjectOf(summary), summary.licensePlate].filter(Boolean).join(' · ');
  /** The damaged object without the plate. */
  const subjectOf = ({ subject, category }: Pick<CaseSummary, 'subject' | 'category'>): string =>
    word('labels.values', subject) || word('category', category);

  /**
   * The name of the first amount of a case. For an unknown category it is the name in a mixed list.
   */
  const estimateOf = (category: string): string =>
    categories.some((known) => known === category)
      ? word('estimates', category)
      : t('columns.costEstimateRappen');

  return { damaged, subjectOf, estimateOf };
}

/**
 * The reasons why an act can no longer be changed. The user sees the act, so no number is needed.
 */
const tooLate: Readonly<Record<string, MessageKey>> = {
  sending: 'queueWork.tooLate.sending',
  unknown: 'queueWork.tooLate.sending',
  delivered: 'queueWork.tooLate.delivered',
  discarded: 'queueWork.tooLate.discarded',
};

/** The present moment by the desk's clock, updated at this interval. */
function useDeskNow(everyMs: number) {
  const device = useNow({ scheduler: (look) => useIntervalFn(look, everyMs) });
  return computed(() => new Date(presentMs(device.value.getTime())));
}

/** The present moment, updated every second, for statements whose times have seconds. */
export const usePresent = () => useDeskNow(1000);

/** The present moment, and moments in words, updated every 15 s. */
export function useMoments() {
  const { language } = useTexts();
  const now = useDeskNow(15_000);
  const today = computed(() => zurichDay(now.value.getTime()));
  return {
    now,
    /** The day as YYYY-MM-DD in Zurich. */
    today,
    moment: (iso: string) => formatMoment(iso, now.value.getTime()),
    /**
     * Formats a moment for use after a verb. In brackets or after a colon, `moment` is used
     * instead.
     */
    when: (iso: string) => formatWhen(iso, now.value.getTime(), language.value),
    /** Formats a moment with seconds, for something that is about to happen. */
    second: (iso: string) => formatSecond(iso),
    ago: (iso: string) => formatAgo(iso, now.value.getTime(), language.value),
  };
}
