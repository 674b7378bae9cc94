/** Why a script cannot go on, as one sentence for a person. */
export class Refusal extends Error {}

/** A line for a person; stdout belongs to the program that is started. */
export function say(text) {
  process.stderr.write(`${text}\n`);
}
