import { z } from 'zod';
import { reasonMaxLength } from '../../api/limits.ts';
import { categories, type Category } from '../../api/case-words.ts';
import { officeTriggers } from '../../api/states.ts';

/** The ways in which the practice partner's network behaves. */
export const practiceNetworks = ['normal', 'slow', 'failing', 'off'] as const;
export type PracticeNetwork = (typeof practiceNetworks)[number];

/** The acts of a user who plays the insurer. */
export type PracticeAct = (typeof officeTriggers)[number];

const practiceClaimSchema = z.object({
  id: z.uuid(),
  externalKey: z.string(),
  /** The name of the party, by which the user knows the case. */
  partyName: z.string(),
  category: z.enum(categories),
  status: z.string(),
  lastChangedAt: z.string(),
  /** The acts that the claim's state allows. */
  acts: z.array(z.enum(officeTriggers)),
});
export type PracticeClaim = z.infer<typeof practiceClaimSchema>;

export const practiceStateSchema = z.object({
  network: z.enum(practiceNetworks),
  /** The claims that changed last, newest first. */
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
  /** Creates a claim with documents. The claim is not assigned yet. */
  newClaim(category: Category): Promise<PracticeClaim>;
  act(input: PracticeActInput): Promise<void>;
  addDocument(id: string): Promise<void>;
  /** The reasons that were given for the verdicts on a claim's reports. */
  reasons(id: string): Promise<VerdictReason[]>;
}
