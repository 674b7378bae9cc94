/** By the address of the document, which is its own; never stored, and forgotten with the page. */
const known = new Map<string, string>();

export const forgetPdfPasswords = () => known.clear();

/** What pdf.js is given as a password, or the error with which the opening ends. */
type Give = (password: string | Error) => void;

/** Asks the user; rejects if the document is closed. */
export type AskPassword = (wasWrong: boolean) => Promise<string>;

/**
 * Answers pdf.js when a document asks for its password: with the one that opened it before, else by
 * asking the user, until it is right.
 */
export function passwordAnswers(url: string, ask: AskPassword) {
  return (give: Give, wasWrong: boolean): void => {
    const before = wasWrong ? undefined : known.get(url);
    if (before !== undefined) {
      give(before);
      return;
    }
    known.delete(url);
    ask(wasWrong).then(
      (password) => {
        known.set(url, password);
        give(password);
      },
      () => give(new Error('no password was given')),
    );
  };
}
