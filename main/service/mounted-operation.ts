import type { z } from 'zod';
import type { OperationId } from '#shared/api/routes.ts';

/** What the OpenAPI document says about a mounted operation's input. */
export interface MountedOperation {
  readonly id: OperationId;
  readonly params?: z.ZodType | undefined;
  readonly query?: z.ZodType | undefined;
  readonly body?: z.ZodType | undefined;
}
