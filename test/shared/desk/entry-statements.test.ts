import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { type QueueItem, queueStates } from '#shared/desk/queue.ts';
import {
  type EntryStatement,
  entryStatement,
  type ForecastStatement,
  forecastStatement,
  percentSent,
  type ReportStatement,
  reportStatement,
  stepStatement,
} from '#shared/desk/statements.ts';
import { type Language, languages } from '#shared/i18n/language.ts';
import { sayEntry, sayForecast, sayReport } from '#shared/i18n/say-statement.ts';
import { proofAt, queueItem, queueStep } from '../../support/desk-records.ts';

/** What the user reads of the entries of the outbox, and of what becomes one. */

/** 09:23 in Zurich. */
const nowMs = Date.parse('2026-06-15T07:23:00Z');
const at = (minutes: number) => new Date(nowMs + minutes * 60_000).toISOString();
const part = { done: 3, total: 12 };
type Sentences = Readonly<Record<Language, string>>;

/** Every state of an entry. */
const entries: readonly [EntryStatement, Sentences][] = [
  [
    { state: 'saved' },
    {
      de: 'Auf diesem Gerät gespeichert',
      fr: 'Enregistré sur cet appareil',
      it: 'Salvato su questo dispositivo',
      en: 'Saved on this device',
    },
  ],
  [
    { state: 'network' },
    {
      de: 'Wartet auf eine Verbindung',
      fr: 'En attente du réseau',
      it: 'In attesa della rete',
      en: 'Waiting for a connection',
    },
  ],
  [
    { state: 'acceptance' },
    {
      de: 'Wartet auf die Annahme des Falls',
      fr: 'En attente de l’acceptation du dossier',
      it: 'In attesa dell’accettazione del caso',
      en: 'Waiting for the case to be accepted',
    },
  ],
  [
    { state: 'turn' },
    {
      de: 'Wartet auf eine frühere Sendung zu diesem Fall',
      fr: 'En attente du travail précédent de ce dossier',
      it: 'In attesa del lavoro precedente di questo caso',
      en: 'Waiting for an earlier item of this case',
    },
  ],
  [
    { state: 'paused' },
    {
      de: 'Versand angehalten',
      fr: 'Transmission suspendue',
      it: 'Trasmissione sospesa',
      en: 'Delivery is paused',
    },
  ],
  [
    { state: 'waits' },
    {
      de: 'wartet',
      fr: 'en attente',
      it: 'in attesa',
      en: 'waiting',
    },
  ],
  [
    { state: 'sending' },
    {
      de: 'Wird gesendet',
      fr: 'Envoi en cours',
      it: 'Invio in corso',
      en: 'Sending',
    },
  ],
  [
    { state: 'unknown' },
    {
      de: 'Zustellung wird geprüft',
      fr: 'Vérification de la réception',
      it: 'Verifica della ricezione',
      en: 'Checking whether it arrived',
    },
  ],
  [
    { state: 'attention' },
    {
      de: 'Zu klären',
      fr: 'Demande votre attention',
      it: 'Richiede attenzione',
      en: 'Needs attention',
    },
  ],
  [
    { state: 'discarded' },
    {
      de: 'Verworfen',
      fr: 'Abandonné',
      it: 'Scartato',
      en: 'Discarded',
    },
  ],
  [
    { state: 'uploading', percent: 43 },
    {
      de: 'Wird hochgeladen: 43\u00a0%',
      fr: 'Transmission: 43\u00a0%',
      it: 'Trasmissione: 43\u00a0%',
      en: 'Uploading 43%',
    },
  ],
  [
    { state: 'delivered', at: at(-1) },
    {
      de: 'Zugestellt 09:22',
      fr: 'Transmis à 09:22',
      it: 'Trasmesso alle 09:22',
      en: 'Delivered 09:22',
    },
  ],
  [
    { state: 'retry', nextAt: at(1) },
    {
      de: 'Nächster Versuch 09:24',
      fr: 'Prochain essai à 09:24',
      it: 'Prossimo tentativo alle 09:24',
      en: 'Next at 09:24',
    },
  ],
  [
    { state: 'pacing', nextAt: at(1) },
    {
      de: 'Weiter um 09:24:00',
      fr: 'Reprise à 09:24:00',
      it: 'Prosegue alle 09:24:00',
      en: 'Next at 09:24:00',
    },
  ],
  [
    { state: 'part', ...part },
    {
      de: '3 von 12',
      fr: '3 sur 12',
      it: '3 di 12',
      en: '3 of 12',
    },
  ],
  [
    { state: 'partPacing', ...part, nextAt: at(1), doneAt: null },
    {
      de: '3 von 12, weiter um 09:24:00',
      fr: '3 sur 12, reprise à 09:24:00',
      it: '3 di 12, prosegue alle 09:24:00',
      en: '3 of 12, next at 09:24:00',
    },
  ],
  [
    { state: 'partPacing', ...part, nextAt: at(1), doneAt: at(2) },
    {
      de: '3 von 12, weiter um 09:24:00, fertig um 09:25',
      fr: '3 sur 12, reprise à 09:24:00, fin prévue: 09:25',
      it: '3 di 12, prosegue alle 09:24:00, fine prevista: 09:25',
      en: '3 of 12, next at 09:24:00, done at 09:25',
    },
  ],
];

const reports: Readonly<Record<ReportStatement, Sentences>> = {
  draft: {
    de: 'Der Entwurf wird automatisch gespeichert.',
    fr: 'Le brouillon est enregistré automatiquement.',
    it: 'La bozza viene salvata automaticamente.',
    en: 'The draft is saved automatically.',
  },
  paused: {
    de: 'Wird auf diesem Gerät gespeichert. Der Versand ist angehalten.',
    fr: 'Le rapport est enregistré sur cet appareil. La transmission est suspendue.',
    it: 'Il rapporto è salvato su questo dispositivo. La trasmissione è sospesa.',
    en: 'The report is saved on this device. Delivery is paused.',
  },
  awaits: {
    de: 'Wird auf diesem Gerät gespeichert und gesendet, sobald der Versicherer den Fall angenommen hat.',
    fr: 'Enregistré sur cet appareil, puis transmis dès que l’assureur aura accepté le dossier.',
    it: 'Salvato su questo dispositivo e trasmesso non appena l’assicuratore avrà accettato il caso.',
    en: 'The report is saved on this device and sent as soon as the insurer has accepted the case.',
  },
  goesOut: {
    de: 'Wird auf diesem Gerät gespeichert und gesendet, sobald Sie online sind.',
    fr: 'Le rapport est enregistré sur cet appareil et transmis dès que le réseau est disponible.',
    it: 'Il rapporto è salvato su questo dispositivo e trasmesso appena c’è rete.',
    en: 'The report is saved on this device and sent as soon as you are online.',
  },
};

const forecasts: readonly [ForecastStatement, Sentences][] = [
  [
    { state: 'doneAt', doneAt: at(2) },
    {
      de: 'Voraussichtlich zugestellt: 09:25',
      fr: 'Transmission prévue: 09:25',
      it: 'Trasmissione prevista: 09:25',
      en: 'Expected to be delivered by 09:25',
    },
  ],
  [
    { state: 'notKnown' },
    {
      de: 'Zeitpunkt der Zustellung noch nicht bekannt.',
      fr: 'L’heure de la fin de la transmission n’est pas connue pour le moment.',
      it: 'Per ora non si sa quando tutto sarà trasmesso.',
      en: 'Delivery time not known yet.',
    },
  ],
];

describe.each(languages)('in %s', (language) => {
  test.each(entries)('an entry that is %j', (statement, sentences) => {
    expect(sayEntry(statement, language, nowMs)).toBe(sentences[language]);
  });
  test.each(Object.keys(reports) as ReportStatement[])('a report: %s', (statement) => {
    expect(sayReport(statement, language)).toBe(reports[statement][language]);
  });
  test.each(forecasts)('a batch that is %j', (statement, sentences) => {
    expect(sayForecast(statement, language, nowMs)).toBe(sentences[language]);
  });
});

describe('an entry', () => {
  const next = at(1);
  const delivered = proofAt(at(-1));
  const uploading = [queueStep({ sizeBytes: 100, sentBytes: 43 })];
  const files = [
    queueStep({ kind: 'draft', state: 'delivered' }),
    queueStep({ state: 'delivered' }),
    queueStep({}),
  ];
  const half = { done: 1, total: 2 };

  test.each<[Partial<QueueItem>, EntryStatement]>([
    [{}, { state: 'saved' }],
    [{ waitingFor: 'network' }, { state: 'network' }],
    [{ waitingFor: 'network', nextAttemptAt: next }, { state: 'network' }],
    [{ waitingFor: 'acceptance' }, { state: 'acceptance' }],
    [{ waitingFor: 'turn' }, { state: 'turn' }],
    [{ waitingFor: 'paused' }, { state: 'paused' }],
    [
      { waitingFor: 'slot', nextAttemptAt: next },
      { state: 'pacing', nextAt: next },
    ],
    [{ waitingFor: 'slot', nextAttemptAt: at(-1) }, { state: 'saved' }],
    [
      { waitingFor: 'slot', nextAttemptAt: next, doneAt: at(2), steps: files },
      { state: 'partPacing', ...half, nextAt: next, doneAt: at(2) },
    ],
    [
      { waitingFor: 'slot', nextAttemptAt: at(-1), doneAt: at(-1), steps: files },
      { state: 'part', ...half },
    ],
    [
      { waitingFor: 'retry', nextAttemptAt: next },
      { state: 'retry', nextAt: next },
    ],
    [{ state: 'sending' }, { state: 'sending' }],
    [
      { state: 'sending', steps: uploading },
      { state: 'uploading', percent: 43 },
    ],
    [{ state: 'unknown' }, { state: 'unknown' }],
    [
      { state: 'delivered', delivered },
      { state: 'delivered', at: at(-1) },
    ],
    [{ state: 'attention' }, { state: 'attention' }],
    [{ state: 'discarded' }, { state: 'discarded' }],
  ])('with %j is %j', (facts, statement) => {
    expect(entryStatement(queueItem(facts), nowMs)).toEqual(statement);
  });

  it('counts every file once in the share that was sent, by its bytes', () => {
    const steps = [
      queueStep({ kind: 'draft', sizeBytes: null, state: 'delivered' }),
      queueStep({ state: 'delivered', sizeBytes: 300 }),
      queueStep({ state: 'sending', sizeBytes: 100, sentBytes: 250 }),
      queueStep({ sizeBytes: 600 }),
    ];
    expect(percentSent(steps)).toBe(40);
    expect(percentSent([])).toBeNull();
  });

  it('and a file of it say the same of what is not paced', () => {
    for (const state of queueStates.filter((other) => other !== 'waiting'))
      expect(stepStatement(queueStep({ state, delivered }), nowMs)).toEqual(
        entryStatement(queueItem({ state, delivered }), nowMs),
      );
    expect(stepStatement(queueStep({}), nowMs)).toEqual({ state: 'waits' });
    const paced = queueStep({ nextAttemptAt: next });
    expect(stepStatement(paced, nowMs)).toEqual({ state: 'pacing', nextAt: next });
  });
});

const time = fc.option(fc.integer({ min: -90, max: 90 }).map(at));

describe('of any facts', () => {
  it('of an entry, its files and a batch no time that is over is named as one to come', () => {
    const entry = fc.record({
      state: fc.constantFrom(...queueStates),
      waitingFor: fc.constantFrom<QueueItem['waitingFor'][]>('slot', 'retry', 'network', null),
      ...{ nextAttemptAt: time, doneAt: time, files: fc.nat(3) },
    });
    fc.assert(
      fc.property(entry, ({ files, ...part }) => {
        const { state, nextAttemptAt } = part;
        const steps = Array.from({ length: files }, () => queueStep({ state, nextAttemptAt }));
        const said = [
          entryStatement(queueItem({ ...part, steps }), nowMs),
          ...steps.map((step) => stepStatement(step, nowMs)),
          forecastStatement(part.doneAt, nowMs),
        ];
        const times = said
          .flatMap((statement) => Object.entries(statement))
          .filter(([name, iso]) => name.endsWith('At') && iso !== null);
        for (const [, iso] of times) expect(Date.parse(String(iso))).toBeGreaterThanOrEqual(nowMs);
      }),
    );
  });

  it('a report is promised to go out only if nothing but the network stops it', () => {
    const given = fc.record({
      isReady: fc.boolean(),
      isPaused: fc.boolean(),
      awaits: fc.boolean(),
    });
    fc.assert(
      fc.property(given, (all) => {
        const { isReady, isPaused, awaits: waits } = all;
        const statement = reportStatement(all);
        expect(statement === 'goesOut').toBe(isReady && !isPaused && !waits);
        expect(statement === 'draft').toBe(!isReady);
        // The insurer's acceptance sends nothing while the user holds it.
        expect(statement === 'paused').toBe(isReady && isPaused);
      }),
    );
  });
});
