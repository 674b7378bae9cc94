/**
 * The passwords by the address of the document, which is unique. They are never stored, and are
 * forgotten with the page.
 */
const known = new Map<string, string>();

export const forgetPdfPasswords = () => known.clear();

/** Passes a password to pdf.js, or the error with which the opening ends. */
type Give = (password: string | Error) => void;

/** Asks the user for the password. It rejects if the document is closed. */
export type AskPassword = (wasWrong: boolean) => Promise<string>;

/**
 * Answers pdf.js when a document asks for its password. The answer is the password that opened the
 * document before. Without one, the user is asked until the password is right.
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
