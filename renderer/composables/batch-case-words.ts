import type { BatchCase } from '#shared/desk/reports/batch.ts';
import { useTexts } from './use-texts.ts';

/** The words that follow the party's name if a case of the batch is named. */
export function useBatchCaseWords() {
  const { word } = useTexts();
  const rest = (...texts: string[]) =>
    texts.map((text) => (text === '' ? '' : `, ${text}`)).join('');
  const objectOf = ({ subject, licensePlate }: BatchCase) =>
    rest(word('labels.values', subject), licensePlate);
  return { rest, objectOf };
}
