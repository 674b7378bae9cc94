import type { Category } from '../api/case.ts';
import { appraiserSchema } from './appraiser.ts';
import { fraudSchema } from './fraud.ts';
import type { JsonSchema } from './schema.ts';
import { specialSchema } from './special.ts';
import { vehicleSchema } from './vehicle.ts';

/**
 * The payload schemas as partners download them (JSON Schema 2020-12). They say everything but
 * the plausibility of dates (specification, "Common rules") and that the calendar has the day.
 */
export const payloadSchemas: Readonly<Record<Category, JsonSchema>> = {
  vehicle: vehicleSchema,
  appraiser: appraiserSchema,
  fraud: fraudSchema,
  special: specialSchema,
};
