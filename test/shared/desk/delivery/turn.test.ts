import { describe, expect, it } from 'vitest';
import type { LedgerEntry, Turn } from '#shared/desk/delivery/ledger.ts';
import { caseTurn } from '#shared/desk/delivery/turn.ts';
import { languages } from '#shared/i18n/language.ts';
import { sayTurn } from '#shared/i18n/say-turn.ts';

const day = '2026-06-15';
const nowMs = Date.parse('2026-06-15T07:23:00Z');
const draftId = '7c0e3c0e-0000-4000-8000-000000000001';

const entry = (part: Partial<LedgerEntry>): LedgerEntry => ({
  key: 'entry:1',
  kind: 'waiting',
  act: 'look',
  caseId: 'a',
  externalKey: 'K',
  partyName: '',
  since: '2026-06-13',
  queueId: 1,
  queueKind: 'amounts',
  problem: null,
  waitsFor: null,
  parts: [],
  draftId: null,
  files: 0,
  sizeBytes: 0,
  missing: [],
  postponed: null,
  ...part,
});
const gone = { code: 'server_draft_gone', params: {} } as const;
const changed = {
  code: 'server_value_changed',
  params: { field: 'costEstimateRappen', seen: null, found: 1, mine: 2 },
} as const;
const attention = entry({ kind: 'attention', problem: gone });
const conflict = entry({ kind: 'conflict', problem: changed });
const draft = entry({ kind: 'draft', queueId: null, queueKind: null, draftId });
const visit = entry({ kind: 'visit', queueKind: null, missing: ['report'] });
const back = { sequenceNo: 2, reason: null };

const cases: readonly [string, LedgerEntry[], typeof back | null, Turn | null][] = [
  ['nothing is unfinished', [], null, null],
  ['an entry waits for the network', [entry({})], null, null],
  ['two values', [conflict, draft], back, { kind: 'values' }],
  [
    'an entry needs the user before a return does',
    [attention],
    back,
    { kind: 'attention', queueId: 1, problem: gone },
  ],
  ['a return', [], back, { kind: 'returned', ...back, draftId: null }],
  ['a return with a draft', [draft], back, { kind: 'returned', ...back, draftId }],
  ['the revision is on its way', [entry({ queueKind: 'report' })], back, null],
  ['a draft', [draft, visit], null, { kind: 'draft' }],
  ['a visit', [visit], null, { kind: 'visit', day: '2026-06-13', missing: ['report'] }],
  ['a visit of today is still to come', [{ ...visit, since: day }], null, null],
  ['an answer is missing', [entry({ kind: 'unclear' })], null, { kind: 'unclear' }],
];

describe('the next decision in a case', () => {
  it.each(cases)('%s', (_, entries, returned, turn) => {
    expect(caseTurn(entries, returned, day)).toEqual(turn);
  });
});

const sentences: readonly [Turn, string, string][] = [
  [
    { kind: 'returned', sequenceNo: 2, reason: 'photographs', draftId: null },
    'Bericht 2 zurückgegeben: Fotos',
    'Rapport 2 retourné: Photos',
  ],
  [
    { kind: 'returned', sequenceNo: null, reason: null, draftId: null },
    'Bericht zurückgegeben, Grund nicht bekannt',
    'Rapport retourné, motif inconnu',
  ],
  [
    { kind: 'returned', sequenceNo: 1, reason: 'Die Summe ist falsch', draftId: null },
    'Bericht 1 zurückgegeben: Die Summe ist falsch',
    'Rapport 1 retourné: Die Summe ist falsch',
  ],
  [
    { kind: 'visit', day: '2026-06-12', missing: ['report'] },
    'Besichtigung vor 3 Tagen, Bericht fehlt',
    'Inspection il y a 3 jours, rapport manquant',
  ],
  [
    { kind: 'visit', day: '2026-06-14', missing: ['amounts', 'report'] },
    'Besichtigung gestern, Beträge und Bericht fehlen',
    'Inspection hier, montants et rapport manquants',
  ],
];

describe('the sentence of the next decision', () => {
  it.each(sentences)('%j', (turn, german, french) => {
    expect(sayTurn(turn, 'de', nowMs)).toBe(german);
    expect(sayTurn(turn, 'fr', nowMs)).toBe(french);
  });

  it('exists for each kind in each language', () => {
    const turns: Turn[] = [
      { kind: 'values' },
      { kind: 'attention', queueId: 1, problem: gone },
      { kind: 'typed' },
      { kind: 'draft' },
      { kind: 'unclear' },
      ...sentences.map(([turn]) => turn),
    ];
    for (const language of languages)
      for (const turn of turns)
        expect(sayTurn(turn, language, nowMs), `${language} ${turn.kind}`).not.toBe('');
  });
});
