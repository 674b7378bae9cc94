import type { CaseList, CaseListInput } from './cases.ts';
import type { Look } from './look.ts';
import type { DeskInfo } from './workspace.ts';

/** The first page of the list, as a window asks for it before a person asks for anything else. */
export const firstList = {
  q: '',
  sort: 'lastChangedAt',
  descending: true,
  offset: 0,
  limit: 100,
  countMax: 1000,
} as const satisfies CaseListInput;

/**
 * What a window that begins with the list of cases asks before it draws anything, by the names of
 * the calls of the contract (decision 0060).
 */
export interface FirstAnswers {
  readonly 'desk.info': DeskInfo;
  readonly 'desk.look': Look;
  readonly 'cases.list': CaseList;
}
