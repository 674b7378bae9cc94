/** Why a server cannot start: half a sentence for a person, which `fail` ends with a full stop. */
export class StartError extends Error {
  override readonly name = 'StartError';
}
