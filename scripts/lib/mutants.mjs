/**
 * Reads the mutation tool's report about one file, and finds the survivors that are new.
 *
 * @typedef {{ readonly file: string, readonly mutator: string, readonly line: string, readonly to: string }} Mutant
 * @typedef {Mutant & { readonly because: string }} Explained
 * @typedef {{ readonly status: string, readonly mutatorName: string, readonly replacement?: string,
 *   readonly location: { readonly start: { readonly line: number } } }} Reported
 */

const killed = new Set(['Killed', 'Timeout', 'RuntimeError', 'CompileError']);
const survived = new Set(['Survived', 'NoCoverage']);

const plain = (/** @type {string} */ text) => text.replaceAll(/\s+/g, ' ').trim();

/**
 * Two mutants are the same if file, change and the text of the line are the same. The line's number
 * does not count, because lines may move.
 */
const keyOf = (/** @type {Mutant} */ { file, mutator, line, to }) =>
  JSON.stringify([file, mutator, plain(line), plain(to)]);

/**
 * @param {{ readonly files: Record<string, { readonly source: string, readonly mutants: readonly Reported[] }> }} report
 *   the tool's own report in JSON (mutation-testing-report-schema)
 * @returns {{ mutants: number, killed: number, survivors: Mutant[] }}
 */
export function readReport(report) {
  const all = Object.entries(report.files).flatMap(([file, { source, mutants }]) => {
    const lines = source.split('\n');
    return mutants.map(({ status, mutatorName, replacement, location }) => ({
      status,
      mutant: {
        file,
        mutator: mutatorName,
        line: plain(lines[location.start.line - 1] ?? ''),
        to: plain(replacement ?? ''),
      },
    }));
  });
  const counted = all.filter(({ status }) => killed.has(status) || survived.has(status));
  return {
    mutants: counted.length,
    killed: counted.filter(({ status }) => killed.has(status)).length,
    survivors: counted.filter(({ status }) => survived.has(status)).map(({ mutant }) => mutant),
  };
}

/**
 * @param {readonly Mutant[]} survivors
 * @param {readonly Explained[]} explained
 * @returns the survivors that nobody explained
 */
export function newSurvivors(survivors, explained) {
  const known = new Set(explained.map(keyOf));
  return survivors.filter((mutant) => !known.has(keyOf(mutant)));
}
