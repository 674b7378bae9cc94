/**
 * The most marks on one letter. A letter with more marks is not text (Unicode annex 15,
 * "Stream-Safe Text Format").
 */
const tooManyMarks = /(\p{M}{30})\p{M}+/gu;

/**
 * A text in a normal form of Unicode. Marks after the 30th in a row are left out, because the
 * runtime sorts marks in quadratic time: 80,000 in a row take two seconds.
 */
export const toNormalForm = (text: string, form: 'NFC' | 'NFD' | 'NFKC'): string =>
  text.replaceAll(tooManyMarks, '$1').normalize(form);
