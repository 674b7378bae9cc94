import type { Migration } from 'kysely/migration';
import { createUsedJtis } from '../create-used-jtis.ts';

export const usedJtis: Migration = { up: createUsedJtis };
