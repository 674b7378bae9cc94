/** The reason why a script cannot continue, as one sentence for the user. */
export class Refusal extends Error {}

/** Prints a line for the user on stderr, because stdout belongs to the started program. */
export function say(text) {
  process.stderr.write(`${text}\n`);
}
