import { openFront, type FrontOptions, type OpenFront } from '../front/open-front.ts';
import { findClient } from './organizations/organizations.ts';
import { storeMigrations } from './store/schema.ts';
import type { Database } from './store/tables.ts';

/** What every part of the service needs. */
export interface ServiceContext extends OpenFront<Database> {
  /** 0 to 1, 1 excluded. Not for secrets. */
  random(): number;
}

/**
 * Opens the store and makes the service's parts. The caller must have locked the folder.
 * @throws {StartError} if the database or the bucket cannot be used.
 */
export async function openContext(options: FrontOptions): Promise<ServiceContext> {
  const definition = { name: 'service', migrations: storeMigrations } as const;
  return { ...(await openFront<Database>(options, definition, findClient)), random: Math.random };
}
