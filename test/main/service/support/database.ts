import { basename } from 'node:path';
import pg from 'pg';
import { inject } from 'vitest';

/*
 * The service's tests run with both stores. In the project `node-postgres` each data folder has its
 * own database, which has the folder's name.
 */

const socket = () => inject('postgresSocket');

/**
 * Returns the database of a data folder for `openContext`, or undefined if the store is in the
 * folder.
 */
export function databaseOf(directory: string): { readonly url: string } | undefined {
  const folder = socket();
  return folder === undefined ? undefined : { url: urlOf(folder, basename(directory)) };
}

/** Creates the database of a new data folder, as a copy of another folder's if there is one. */
export async function createDatabase(directory: string, template?: string): Promise<void> {
  await administer(
    `create database "${basename(directory)}" ` +
      (template === undefined ? '' : `template "${basename(template)}"`),
  );
}

/** Drops the database of a data folder that is about to be removed. */
export async function dropDatabase(directory: string): Promise<void> {
  await administer(`drop database if exists "${basename(directory)}" with (force)`);
}

async function administer(statement: string): Promise<void> {
  const folder = socket();
  if (folder === undefined) return;
  const client = new pg.Client({ connectionString: urlOf(folder, 'postgres') });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}

function urlOf(folder: string, name: string): string {
  return `postgres:///${name}?host=${encodeURIComponent(folder)}&user=service`;
}
