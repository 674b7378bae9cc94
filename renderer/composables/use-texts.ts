import { useIntervalFn, useNow } from '@vueuse/core';
import { computed } from 'vue';
import { useI18n } from 'vue-i18n';
import { categories } from '#shared/api/case.ts';
import type { CaseSummary } from '#shared/desk/cases.ts';
import { formatRappen } from '#shared/lib/money.ts';
import { zurichDay } from '#shared/lib/zurich-day.ts';
import { sayBytes, sayProblem } from '#shared/desk/error-text.ts';
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
import type { Problem } from './problem.ts';

type Params = Readonly<Record<string, string | number>>;

/**
 * The window's texts and Swiss formats in the user's language. `t` takes only keys that exist;
 * a text with a plural chooses by the parameter `n`.
 */
export function useTexts() {
  const i18n = useI18n();
  const language = computed<Language>(
    () => languages.find((known) => known === i18n.locale.value) ?? 'de',
  );
  const t = (key: MessageKey, params: Params = {}): string =>
    typeof params['n'] === 'number' ? i18n.t(key, params, params['n']) : i18n.t(key, params);

  /** A text under a key that came from outside; the word itself if the key has no text. */
  const word = (
    group:
      | 'caseStatus'
      | 'category'
      | 'columns'
      | 'estimates'
      | 'reportStatus'
      | 'insights.ages'
      | 'labels.sections'
      | 'labels.fields'
      | 'labels.values',
    value: string,
  ): string => {
    // Dots and brackets would be read as a path into the texts.
    const key = `${group}.${value}`;
    return /^\w+$/.test(value) && i18n.te(key) ? i18n.t(key) : value;
  };

  /** Whole seconds, or whole minutes from a minute and a half on; never less than it takes. */
  const duration = (ms: number): string => {
    const seconds = Math.ceil(ms / 1000);
    return seconds < 90
      ? t('report.duration.seconds', { n: Math.max(1, seconds) })
      : t('report.duration.minutes', { n: Math.ceil(seconds / 60) });
  };

  /** What the user reads if a text is too long; empty if it fits. */
  const tooLong = (text: string, maxLength: number): string => {
    const n = text.length - maxLength;
    return n > 0 ? t('comment.tooLong', { n, count: formatCount(n, language.value) }) : '';
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
    tooLong,
    problemText,
    bytes: (bytes: number) => sayBytes(bytes, language.value),
    /** Whole Rappen as `CHF 12’345.60`; in words if null. */
    chf: (rappen: number | null) =>
      rappen === null ? t('app.notEntered') : formatAmount(rappen, language.value),
    /** The same without CHF; empty if null, as in a field. */
    francs: (rappen: number | null) =>
      rappen === null ? '' : formatRappen(rappen, language.value),
    count: (n: number) => formatCount(n, language.value),
  };
}

type Word = (group: 'category' | 'estimates' | 'labels.values', value: string) => string;

/** What a case's own words depend on. */
function caseWords(t: (key: MessageKey) => string, word: Word) {
  /** What was damaged, as a line: `Personenwagen · ZH 1`. */
  const damaged = (summary: Pick<CaseSummary, 'subject' | 'category' | 'licensePlate'>): string =>
    [subjectOf(summary), summary.licensePlate].filter(Boolean).join(' · ');
  /** The same without the plate. */
  const subjectOf = ({ subject, category }: Pick<CaseSummary, 'subject' | 'category'>): string =>
    word('labels.values', subject) || word('category', category);

  /** What the first amount of a case is called; of an unknown category as in a list of several. */
  const estimateOf = (category: string): string =>
    categories.some((known) => known === category)
      ? word('estimates', category)
      : t('columns.costEstimateRappen');

  return { damaged, subjectOf, estimateOf };
}

/** Why an act can no longer be changed; the user sees which, so no number is needed. */
const tooLate: Readonly<Record<string, MessageKey>> = {
  sending: 'queueWork.tooLate.sending',
  unknown: 'queueWork.tooLate.sending',
  delivered: 'queueWork.tooLate.delivered',
  discarded: 'queueWork.tooLate.discarded',
};

/** The present moment, looked at again every second: for statements whose times have seconds. */
export const usePresent = () => useNow({ scheduler: (look) => useIntervalFn(look, 1000) });

/** The present moment and moments in words, looked at again every 15 s. */
export function useMoments() {
  const { language } = useTexts();
  const now = useNow({ scheduler: (look) => useIntervalFn(look, 15_000) });
  return {
    now,
    /** YYYY-MM-DD in Zurich. */
    today: computed(() => zurichDay(now.value.getTime())),
    moment: (iso: string) => formatMoment(iso, now.value.getTime()),
    /** Behind a verb; in brackets or behind a colon it is `moment`. */
    when: (iso: string) => formatWhen(iso, now.value.getTime(), language.value),
    /** To the second: for what happens next. */
    second: (iso: string) => formatSecond(iso),
    ago: (iso: string) => formatAgo(iso, now.value.getTime(), language.value),
  };
}
