import type { PhotoGroup } from '#shared/photos/details.ts';

/** A picture of this telephone. It is here until the desk has stored it. */
export interface Picture {
  readonly id: string;
  /** The session whose code this telephone had when the picture was taken, in hex. */
  readonly session: string;
  /** The token of its report; null until that session begins. */
  readonly report: string | null;
  readonly fileName: string;
  readonly sizeBytes: number;
  /** By the telephone's clock: YYYY-MM-DDTHH:MM:SS. */
  readonly takenAt: string;
  readonly group: PhotoGroup | null;
  readonly caption: string;
  /** `unreadable`: the storage no longer gives its bytes. */
  readonly state: 'waiting' | 'stored' | 'refused' | 'unreadable';
  /** Whether the desk has the last group and caption, or gets them with the picture. */
  readonly isMarked: boolean;
  /** A small JPEG; null if this browser cannot draw the picture. */
  readonly thumb: ArrayBuffer | null;
}

/** The code that this telephone works with, and the secret by which the desk knows it again. */
export interface Code {
  readonly key: Uint8Array;
  readonly session: Uint8Array;
  readonly device: string;
  /** The token of the report; null until the session begins. */
  readonly report: string | null;
}

/** Where pictures belong: the session of a code, and the report as soon as it is known. */
export type Place = Pick<Picture, 'session' | 'report'>;

/** Whether a picture is of the report of this place, and not one of an earlier report. */
export const isAt = (place: Place, { session, report }: Picture): boolean =>
  report === null ? session === place.session : report === place.report;

/** Where a picture belongs that is taken with this code. */
export const placeOf = ({ session, report }: Code): Place => ({ session: toHex(session), report });

export const toHex = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');

const done = (request: IDBRequest | IDBTransaction): Promise<void> =>
  new Promise((resolve, reject) => {
    const fail = () => reject(request.error ?? new Error('the storage failed'));
    if (request instanceof IDBTransaction) {
      request.oncomplete = () => resolve();
      request.onabort = fail;
    } else request.onsuccess = () => resolve();
    request.onerror = fail;
  });

/**
 * The pictures and the code in the storage of this page's address. They stay when the page is
 * closed or the telephone sleeps.
 */
export class Outbox {
  readonly #db: IDBDatabase;

  private constructor(db: IDBDatabase) {
    this.#db = db;
  }

  /** @throws if the browser stores nothing, as in some private windows */
  static async open(): Promise<Outbox> {
    const opening = indexedDB.open('telephone', 1);
    opening.onupgradeneeded = () => {
      for (const store of ['pictures', 'bytes', 'code']) opening.result.createObjectStore(store);
    };
    await done(opening);
    return new Outbox(opening.result);
  }

  /** All pictures. One that could not be read before waits again. */
  async pictures(): Promise<Picture[]> {
    const reading = this.#db.transaction('pictures').objectStore('pictures').getAll();
    await done(reading);
    return (reading.result as Picture[])
      .map((one): Picture => (one.state === 'unreadable' ? { ...one, state: 'waiting' } : one))
      .sort(byCapture);
  }

  /** Stores a new picture. It resolves when the picture survives the end of this page. */
  async add(picture: Picture, bytes: ArrayBuffer): Promise<void> {
    const writing = this.#writing();
    writing.objectStore('pictures').put(picture, picture.id);
    writing.objectStore('bytes').put(bytes, picture.id);
    await done(writing);
  }

  /** Changes a picture. The bytes of one that the desk has are no longer needed. */
  async change(picture: Picture): Promise<void> {
    const writing = this.#writing();
    writing.objectStore('pictures').put(picture, picture.id);
    if (picture.state === 'stored') writing.objectStore('bytes').delete(picture.id);
    await done(writing);
  }

  async remove(id: string): Promise<void> {
    const writing = this.#writing();
    writing.objectStore('pictures').delete(id);
    writing.objectStore('bytes').delete(id);
    await done(writing);
  }

  /** The bytes of a picture. @throws if the storage does not have them any more */
  async bytes(id: string): Promise<Uint8Array<ArrayBuffer>> {
    const reading = this.#db.transaction('bytes').objectStore('bytes').get(id);
    await done(reading);
    if (!(reading.result instanceof ArrayBuffer)) throw new Error('the bytes are missing');
    return new Uint8Array(reading.result);
  }

  async code(): Promise<Code | null> {
    const reading = this.#db.transaction('code').objectStore('code').get('now');
    await done(reading);
    return (reading.result as Code | undefined) ?? null;
  }

  async setCode(code: Code): Promise<void> {
    const writing = this.#db.transaction('code', 'readwrite');
    writing.objectStore('code').put(code, 'now');
    await done(writing);
  }

  #writing(): IDBTransaction {
    return this.#db.transaction(['pictures', 'bytes'], 'readwrite', { durability: 'strict' });
  }
}

export const byCapture = (one: Picture, other: Picture): number =>
  one.takenAt.localeCompare(other.takenAt) || one.fileName.localeCompare(other.fileName);
