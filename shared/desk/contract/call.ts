import { oc } from '@orpc/contract';
import { deskProblemSchema } from './errors.ts';

/** The one typed error of every call of the contract. */
export const call = oc.errors({ DESK: { data: deskProblemSchema } });
