import type { Database } from '../database/sqlite.ts';

/** Photos of the watched folder that a person took or left: they are not offered again. */
export class CameraPhotos {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  isDecided(id: string): boolean {
    return (
      this.#db.prepare('SELECT 1 FROM camera_photos WHERE id = ?').pluck().get(id) !== undefined
    );
  }

  leave(ids: readonly string[]): void {
    this.#db.transaction(() => {
      for (const id of ids) this.#decide(id);
    })();
  }

  /** Notes a photo as taken with what takes it: after a crash both are done, or neither. */
  take(id: string, act: () => void): void {
    this.#db.transaction(() => {
      // Another window may have been quicker.
      if (this.#decide(id)) act();
    })();
  }

  #decide(id: string): boolean {
    return (
      this.#db.prepare('INSERT OR IGNORE INTO camera_photos (id) VALUES (?)').run(id).changes === 1
    );
  }
}
