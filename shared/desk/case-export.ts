import { z } from 'zod';
import { type CaseSummary, caseFilterSchema, selectionMax } from './cases.ts';
import { errorWordsDe } from './error-texts/de.ts';
import { errorWordsEn } from './error-texts/en.ts';
import { errorWordsFr } from './error-texts/fr.ts';
import { errorWordsIt } from './error-texts/it.ts';
import { type Language, languages } from './workspace.ts';

export const exportFormats = ['csv', 'xlsx', 'json'] as const;

export const caseExportInputSchema = caseFilterSchema.extend({
  /** Absolute path on this laptop; a file that is there is never overwritten. */
  file: z.string().min(1).max(4096),
  format: z.enum(exportFormats),
  /** Of the headings and states in csv and xlsx; json has the contract's own names. */
  language: z.enum(languages),
});
export type CaseExportInput = z.input<typeof caseExportInputSchema>;

export const caseExportSchema = z.object({
  file: z.string(),
  format: z.enum(exportFormats),
  cases: z.int(),
  sizeBytes: z.int(),
});
export type CaseExport = z.infer<typeof caseExportSchema>;

/** Exactly these cases in this order, as bytes that the window saves. */
export const selectionExportInputSchema = z.object({
  ids: z.array(z.uuid()).min(1).max(selectionMax),
  format: z.enum(exportFormats),
  language: z.enum(languages),
});
export type SelectionExportInput = z.infer<typeof selectionExportInputSchema>;
export const selectionExportSchema = z.object({ contentBase64: z.base64() });

type Value = string | number | null;

/** A column of the sheet. Amounts are CHF; days YYYY-MM-DD; moments ISO 8601. */
export interface ExportColumn {
  readonly titles: Readonly<Record<Language, string>>;
  readonly type: 'text' | 'amount' | 'count' | 'day' | 'moment';
  readonly of: (item: CaseSummary, language: Language) => Value;
}

const statuses: Record<Language, Readonly<Record<string, string>>> = {
  de: errorWordsDe.statuses,
  fr: errorWordsFr.statuses,
  it: errorWordsIt.statuses,
  en: errorWordsEn.statuses,
};

const column = (
  type: ExportColumn['type'],
  [de, fr, it, en]: readonly [string, string, string, string],
  of: ExportColumn['of'],
): ExportColumn => ({ titles: { de, fr, it, en }, type, of });

export const exportColumns: readonly ExportColumn[] = [
  column('text', ['Fall', 'Cas', 'Caso', 'Case'], (item) => item.externalKey),
  column(
    'text',
    ['Status', 'Statut', 'Stato', 'Status'],
    ({ status }, language) => statuses[language][status] ?? status,
  ),
  column('text', ['Kategorie', 'Catégorie', 'Categoria', 'Category'], (item) => item.category),
  column(
    'text',
    ['Versicherer', 'Assureur', 'Assicuratore', 'Insurer'],
    (item) => item.insurer.name,
  ),
  column(
    'text',
    ['Zuständig', 'Responsable', 'Responsabile', 'Responsible'],
    (item) => item.insurer.responsible.name,
  ),
  column('text', ['Police', 'Police', 'Polizza', 'Policy'], (item) => item.policyNumber),
  column(
    'text',
    ['Schadenart', 'Genre', 'Tipo di sinistro', 'Claim type'],
    (item) => item.claimType,
  ),
  column('text', ['Partei', 'Partie', 'Parte', 'Party'], (item) => item.partyName),
  column('text', ['Ort', 'Lieu', 'Luogo', 'Place'], (item) => item.place),
  column('text', ['Objekt', 'Objet', 'Oggetto', 'Subject'], (item) => item.subject),
  column('text', ['Kontrollschild', 'Plaque', 'Targa', 'Plate'], (item) => item.licensePlate),
  column(
    'text',
    ['Besichtigung', 'Inspection', 'Ispezione', 'Inspection'],
    (item) => item.inspectionType,
  ),
  column(
    'day',
    ['Besichtigung am', 'Inspection le', 'Ispezione il', 'Inspection on'],
    (item) => item.inspectionDate,
  ),
  column(
    'day',
    ['Schadendatum', 'Date du sinistre', 'Data del sinistro', 'Incident on'],
    (item) => item.incidentDate,
  ),
  column(
    'amount',
    ['Kostenschätzung CHF', 'Estimation CHF', 'Stima CHF', 'Cost estimate CHF'],
    (item) => item.costEstimateAmount,
  ),
  column(
    'amount',
    ['Freigegeben CHF', 'Approuvé CHF', 'Approvato CHF', 'Approved CHF'],
    (item) => item.approvedAmount,
  ),
  column(
    'amount',
    ['Einsparung CHF', 'Économie CHF', 'Risparmio CHF', 'Savings CHF'],
    (item) => item.savingsAmount,
  ),
  column('text', ['Kommentar', 'Commentaire', 'Commento', 'Comment'], (item) => item.expertComment),
  column(
    'count',
    ['Dokumente', 'Documents', 'Documenti', 'Documents'],
    (item) => item.documentCount,
  ),
  column(
    'count',
    ['Nicht übermittelt', 'Non transmis', 'Non trasmessi', 'Not delivered'],
    (item) => item.pendingCount,
  ),
  column('moment', ['Erstellt', 'Créé', 'Creato', 'Created'], (item) => item.createdAt),
  column('moment', ['Geändert', 'Modifié', 'Modificato', 'Changed'], (item) => item.lastChangedAt),
];
