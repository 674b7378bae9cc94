import { createHash, randomBytes } from 'node:crypto';
import type * as keytarModule from 'keytar';
import { DeskError } from '#shared/desk/contract/errors.ts';
import { secretServiceState, serviceAbsent } from './secret-service.ts';
import type { Vault } from './vault.ts';

/**
 * The functions of the library, without `findCredentials`: on Linux this function crashes the
 * process if another program removes an entry during the search.
 */
type Keytar = Pick<typeof keytarModule, 'getPassword' | 'setPassword' | 'deletePassword'>;

/**
 * The most characters of an entry. Windows stores at most 2,560 bytes, and entries are ASCII with
 * two bytes each in UTF-16. The limit applies on every system, so that one system cannot hide what
 * fails on another.
 */
const entryChars = 2560 / 2;

/** The timeout lets the user type the keychain's password when the system asks for it. */
const answerWithinMs = 30_000;

/**
 * A secret is one head entry under its own name, alone or followed by numbered pieces:
 *
 * name                 s.<base64url>                          a secret that fits
 * name                 p.<generation>.<count>.<sha256>        a secret in pieces
 * name#<generation>#i  <base64url>                            piece i
 *
 * A replacement writes the pieces of the unused generation, then the head, and then removes the
 * pieces of the other generation. So a crash leaves either the old secret or the new one, and the
 * next replacement removes the rest. Pieces are written from the first to the last and removed from
 * the last to the first, so that those of a generation are found without a search of all entries.
 */
const generations = ['0', '1'] as const;

interface Head {
  readonly inline: string | null;
  readonly generation: string;
  readonly count: number;
  readonly digest: string;
}

function parseHead(text: string): Head | null {
  if (text.startsWith('s.')) {
    return { inline: text.slice(2), generation: '', count: 0, digest: '' };
  }
  const match = /^p\.([01])\.(\d{1,4})\.([0-9a-f]{64})$/.exec(text);
  if (!match) return null;
  const [, generation = '', count = '', digest = ''] = match;
  return { inline: null, generation, count: Number(count), digest };
}

const pieceName = (name: string, generation: string, index: number) =>
  `${name}#${generation}#${index}`;

const digestOf = (text: string) => createHash('sha256').update(text).digest('hex');

/**
 * The messages of macOS, Windows and libsecret if the keychain is locked, or if the user refuses
 * its prompt.
 */
const lockedTexts =
  /\blocked|interaction is not allowed|no UI possible|cancel|dismissed|user ?name or pass|access is denied|not authori[sz]ed/i;

/**
 * Distinguishes a locked keychain, a missing one and one that fails. Only a system without a
 * keychain may store its secrets elsewhere, and none of the three means that a key is lost.
 * @param cause null if no answer arrived
 */
async function keychainFailure(cause: Error | null): Promise<DeskError> {
  const text = cause?.message ?? '';
  const state = await secretServiceState();
  if (state === 'locked' || lockedTexts.test(text))
    return new DeskError('keychain_locked', {}, { cause });
  if (state === 'absent' || (state === 'unknown' && serviceAbsent.test(text)))
    return new DeskError('keychain_unavailable', { reason: 'not-installed' }, { cause });
  const reason = cause ? 'refused' : 'no-answer';
  return new DeskError('keychain_unreachable', { reason }, { cause });
}

/**
 * @throws {DeskError} the errors of `keychainFailure`, also if the operating system does not answer
 */
async function answered<T>(work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const silence = new Promise<'silence'>((resolve) => {
    timer = setTimeout(() => resolve('silence'), answerWithinMs);
  });
  const answer = work.then(
    (value) => ({ value }),
    (error: unknown) => (error instanceof Error ? error : new Error(String(error))),
  );
  const came = await Promise.race([answer, silence]).finally(() => clearTimeout(timer));
  if (came === 'silence') throw await keychainFailure(null);
  if (came instanceof Error) throw await keychainFailure(came);
  return came.value;
}

async function loadKeytar(): Promise<Keytar> {
  try {
    return (await import('keytar')).default;
  } catch (error) {
    // The native module needs a library of the system (libsecret on Linux).
    throw new DeskError('keychain_unavailable', { reason: 'not-installed' }, { cause: error });
  }
}

/**
 * The answer of the Secret Service if another program removes an entry during the search for one.
 */
const goneMeanwhile = 'No such secret item';

/** Repeats a search of the entries if another program removes one of them in the meantime. */
async function lookAgain<T>(look: () => Promise<T>): Promise<T> {
  for (let tried = 1; ; tried += 1) {
    try {
      return await look();
    } catch (error) {
      const cause = error instanceof DeskError ? error.cause : null;
      if (tried === 5 || !(cause instanceof Error && cause.message.includes(goneMeanwhile)))
        throw error;
    }
  }
}

type Read = (account: string) => Promise<string | null>;

interface Entries {
  readonly read: Read;
  /**
   * Reads like `read`, but returns null only from an open keychain. If a keychain is locked, for
   * example because the user cancels the prompt, libsecret finds no entry and reports no error.
   */
  readonly find: Read;
  readonly write: (account: string, text: string) => Promise<void>;
  readonly remove: (account: string) => Promise<void>;
  /** @throws {DeskError} if the keychain does not store an entry now */
  readonly proveOpen: () => Promise<void>;
}

function entriesOf(keytar: Keytar, service: string): Entries {
  const read: Read = (account) => lookAgain(() => answered(keytar.getPassword(service, account)));
  const write = (account: string, text: string) =>
    answered(keytar.setPassword(service, account, text));
  const proveOpen = async () => {
    const probe = `probe-${randomBytes(8).toString('hex')}`;
    await write(probe, probe);
    const echo = await read(probe);
    const isRemoved = await answered(keytar.deletePassword(service, probe));
    if (echo !== probe || !isRemoved) throw await keychainFailure(new Error('the probe is lost'));
  };
  return {
    read,
    write,
    proveOpen,
    async find(account) {
      const found = await read(account);
      if (found !== null) return found;
      await proveOpen();
      // The keychain may have been unlocked only after the first attempt.
      return await read(account);
    },
    async remove(account) {
      // libsecret removes nothing from a locked keychain and reports no error.
      if (!(await answered(keytar.deletePassword(service, account)))) await proveOpen();
    },
  };
}

/**
 * Opens the operating system's keychain (Keychain, Credential Manager, Secret Service) with entries
 * under `service`. As a proof, one entry is written, read and removed before it resolves.
 * @throws {DeskError} keychain_locked; keychain_unreachable if the keychain fails or does not
 *   answer; keychain_unavailable if this system has none. Each function of the vault throws the
 *   same errors.
 */
export async function openKeychainVault(service: string): Promise<Vault> {
  const { read, find, write, remove, proveOpen } = entriesOf(await loadKeytar(), service);
  await proveOpen();

  /** Changes of secrets run one after the other, so that two generations never mix. */
  let last: Promise<unknown> = Promise.resolve();
  const inTurn = (change: () => Promise<void>): Promise<void> => {
    const turn = last.then(change, change);
    // The caller of the change receives its failure.
    last = turn.catch(() => undefined);
    return turn;
  };

  const headOf = async (name: string): Promise<Head | null> => parseHead((await find(name)) ?? '');

  /** @param known the least number of pieces, which counts even if a piece in between is missing */
  const removePieces = async (name: string, generation: string, known: number) => {
    let count = known;
    while ((await read(pieceName(name, generation, count))) !== null) count += 1;
    for (let index = count - 1; index >= 0; index--)
      await remove(pieceName(name, generation, index));
  };
  const removeAllBut = async (name: string, kept: string | null, before: Head | null) => {
    for (const generation of generations) {
      const known = before?.generation === generation ? before.count : 0;
      if (generation !== kept) await removePieces(name, generation, known);
    }
  };

  return {
    kind: 'keychain',

    async get(name) {
      const text = await find(name);
      if (text === null) return null;
      const head = parseHead(text);
      if (!head) throw new DeskError('keychain_entry_lost', { entry: name });
      let encoded = head.inline ?? '';
      for (let index = 0; index < head.count; index++) {
        const piece = await find(pieceName(name, head.generation, index));
        if (piece === null) throw new DeskError('keychain_entry_lost', { entry: name });
        encoded += piece;
      }
      if (head.inline === null && digestOf(encoded) !== head.digest) {
        throw new DeskError('keychain_entry_lost', { entry: name });
      }
      return Buffer.from(encoded, 'base64url').toString('utf8');
    },

    set: (name, secret) =>
      inTurn(async () => {
        const encoded = Buffer.from(secret, 'utf8').toString('base64url');
        const before = await headOf(name);
        if (encoded.length + 2 <= entryChars) {
          await write(name, `s.${encoded}`);
          await removeAllBut(name, null, before);
          return;
        }
        const [first, second] = generations;
        const generation = before?.generation === first ? second : first;
        await removePieces(name, generation, 0);
        const count = Math.ceil(encoded.length / entryChars);
        for (let index = 0; index < count; index++) {
          const piece = encoded.slice(index * entryChars, (index + 1) * entryChars);
          await write(pieceName(name, generation, index), piece);
        }
        await write(name, `p.${generation}.${count}.${digestOf(encoded)}`);
        await removeAllBut(name, generation, before);
      }),

    delete: (name) =>
      inTurn(async () => {
        const before = await headOf(name);
        await remove(name);
        await removeAllBut(name, null, before);
      }),
  };
}
