import type { BatchCase } from '#shared/desk/batch.ts';
import { useTexts } from './use-texts.ts';

/** What follows the party's name where a case of the batch is named. */
export function useBatchCaseWords() {
  const { word } = useTexts();
  const rest = (...texts: string[]) =>
    texts.map((text) => (text === '' ? '' : `, ${text}`)).join('');
  const objectOf = ({ subject, licensePlate }: BatchCase) =>
    rest(word('labels.values', subject), licensePlate);
  return { rest, objectOf };
}
