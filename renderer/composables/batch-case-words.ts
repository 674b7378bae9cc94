import type { BatchCase, BatchRow } from '#shared/desk/reports/batch.ts';
import { useTexts } from './use-texts.ts';

/**
 * The words that follow the party's name if a case of the batch is named, and how a file was
 * matched.
 */
export function useBatchCaseWords() {
  const { t, word } = useTexts();
  const rest = (...texts: string[]) =>
    texts.map((text) => (text === '' ? '' : `, ${text}`)).join('');
  const objectOf = ({ subject, licensePlate }: BatchCase) =>
    rest(word('labels.values', subject), licensePlate);
  function howMatched(row: BatchRow): string {
    const { refusal, matchedBy, confidence, isCorrected, caseId } = row;
    if (isCorrected) return caseId === null ? '' : t('batchTable.typed');
    if (refusal === 'unknown_case') {
      const numbers = matchedBy.map(({ identifier }) => identifier);
      return `${t('batch.refusals.unknown_case')} ${numbers.join(', ')}`;
    }
    if (refusal !== null) return t(`batch.refusals.${refusal}`);
    const by = matchedBy.map(({ kind, identifier, in: place }) => {
      const what = `${t(`batch.kinds.${kind}`)} ${identifier}`;
      return place === 'subject' ? t('batchTable.bySubject', { what }) : what;
    });
    return [confidence ? t(`batch.confidence.${confidence}`) : '', by.join(', ')]
      .filter(Boolean)
      .join(': ');
  }
  return { rest, objectOf, howMatched };
}
