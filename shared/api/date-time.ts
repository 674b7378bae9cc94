import { z } from 'zod';

/** ISO 8601 with a zone or without (then UTC). */
export const dateTimeSchema = z.iso
  .datetime({ offset: true, local: true })
  .meta({ format: 'date-time' });
