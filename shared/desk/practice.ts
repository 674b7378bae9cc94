import { z } from 'zod';
import { reasonMaxLength } from '../api/limits.ts';
import { categories, type Category } from '../api/case.ts';
import { officeTriggers } from '../api/states.ts';

/** How the practice partner's network behaves. */
export const practiceNetworks = ['normal', 'slow', 'failing', 'off'] as const;
export type PracticeNetwork = (typeof practiceNetworks)[number];

/** Acts of a user who plays the insurer. */
export type PracticeAct = (typeof officeTriggers)[number];

const practiceClaimSchema = z.object({
  id: z.uuid(),
  externalKey: z.string(),
  category: z.enum(categories),
  status: z.string(),
  lastChangedAt: z.string(),
  /** Acts that its state allows. */
  acts: z.array(z.enum(officeTriggers)),
});
export type PracticeClaim = z.infer<typeof practiceClaimSchema>;

export const practiceStateSchema = z.object({
  network: z.enum(practiceNetworks),
  /** The last changed ones, newest first. */
  claims: z.array(practiceClaimSchema),
  total: z.int(),
});
export type PracticeState = z.infer<typeof practiceStateSchema>;

export const practiceActInputSchema = z.object({
  id: z.uuid(),
  act: z.enum(officeTriggers),
  reason: z.string().max(reasonMaxLength).default(''),
});
export type PracticeActInput = z.infer<typeof practiceActInputSchema>;

export interface VerdictReason {
  readonly submissionId: string;
  readonly reason: string;
}

/** The other side of the practice workspace. Rejects with `case_state` if a state refuses. */
export interface PracticeInsurer {
  state(): Promise<PracticeState>;
  setNetwork(network: PracticeNetwork): Promise<void>;
  /** Makes a claim with documents that is not assigned yet. */
  newClaim(category: Category): Promise<PracticeClaim>;
  act(input: PracticeActInput): Promise<void>;
  addDocument(id: string): Promise<void>;
  /** The reasons given for the verdicts on a claim's reports. */
  reasons(id: string): Promise<VerdictReason[]>;
}
