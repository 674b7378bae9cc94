/** Wakes whoever waits; a ring that nobody waits for is not kept. */
export class Bell {
  #ring = Promise.withResolvers<undefined>();

  /** Resolves at the next ring from now on. */
  async next(): Promise<void> {
    await this.#ring.promise;
  }

  ring(): void {
    const ring = this.#ring;
    this.#ring = Promise.withResolvers();
    ring.resolve(undefined);
  }
}
