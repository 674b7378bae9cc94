import type { ClaimTables } from './claim-tables.ts';
import type { SecurityTables } from './security-tables.ts';

/** Every table of the service's store. */
export interface Database extends SecurityTables, ClaimTables {}
