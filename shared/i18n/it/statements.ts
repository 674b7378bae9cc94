import { isOne } from '../plural.ts';
import type { StatementTexts } from '../texts.ts';

const one = (n: number) => isOne(n, 'it');

export const statementTexts: StatementTexts = {
  outbox: {
    attention: (n) =>
      one(n)
        ? `${String(n)} voce richiede la sua attenzione.`
        : `${String(n)} voci richiedono la sua attenzione.`,
    part: (done, total) => `${done} di ${total} trasmessi`,
    next: (time) => `prosegue alle ${time}`,
    done: (time) => `fine prevista: ${time}`,
    noTime: 'senza rete l’ora di fine non è nota',
    notYet: 'ora di fine non ancora nota',
    soon: 'quasi finito',
    paused: 'trasmissione sospesa',
    awaits: (n) =>
      one(n)
        ? `${String(n)} voce attende che l’assicuratore abbia accettato il caso.`
        : `${String(n)} voci attendono che l’assicuratore abbia accettato il caso.`,
    nothing: 'Nulla da trasmettere.',
  },
  counts: {
    waiting: (n) => `${String(n)} da trasmettere`,
    attention: (n) =>
      one(n) ? `${String(n)} richiede attenzione` : `${String(n)} richiedono attenzione`,
    nothing: 'Nulla da trasmettere',
  },
  entry: {
    saved: 'Salvato su questo dispositivo',
    network: 'In attesa della rete',
    acceptance: 'In attesa dell’accettazione del caso',
    turn: 'In attesa del lavoro precedente di questo caso',
    paused: 'Trasmissione sospesa',
    waits: 'in attesa',
    sending: 'Invio in corso',
    unknown: 'Verifica della ricezione',
    attention: 'Richiede attenzione',
    discarded: 'Scartato',
    uploading: (percent) => `Trasmissione: ${percent}\u00a0%`,
    delivered: (when) => `Trasmesso ${when}`,
    retry: (when) => `Prossimo tentativo ${when}`,
    pacing: (time) => `Prosegue alle ${time}`,
    part: (done, total) => `${done} di ${total}`,
  },
  report: {
    draft: 'La bozza viene salvata automaticamente.',
    paused: 'Il rapporto è salvato su questo dispositivo. La trasmissione è sospesa.',
    awaits:
      'Salvato su questo dispositivo e trasmesso non appena l’assicuratore avrà accettato il caso.',
    goesOut: 'Il rapporto è salvato su questo dispositivo e trasmesso appena c’è rete.',
  },
  fetch: {
    counting: 'Scaricamento dei documenti',
    part: (done, total) => `Documenti: caso ${done} di ${total}`,
    paused: 'sospeso',
    lists: 'fine non nota, lettura degli elenchi',
  },
  forecast: {
    doneAt: (time) => `Trasmissione prevista: ${time}`,
    notKnown: 'Per ora non si sa quando tutto sarà trasmesso.',
  },
  quit: {
    stored: 'Ciò che è in attesa è salvato su questo dispositivo.',
    deleted:
      'Su questo dispositivo non è raggiungibile alcun portachiavi. Lo spazio di esercitazione viene eliminato alla chiusura.',
    goesOut: (n) => `Da trasmettere dopo il prossimo avvio: ${n}.`,
    paused: (n) => `Trasmissione sospesa: ${n}.`,
    awaits: (n) => `In attesa che l’assicuratore accetti il caso: ${n}.`,
    attention: (n) => `Richiede la sua attenzione: ${n}.`,
  },
  closing: {
    unsaved:
      'In un caso o in un rapporto c’è un’immissione non ancora conservata su questo dispositivo.',
    adding: 'Alcuni file vengono aggiunti a un rapporto o elaborati in esso.',
    temporary: 'Questo spazio di esercitazione viene eliminato alla chiusura.',
    stored: 'Il contenuto della coda è salvato su questo dispositivo.',
    nothing: 'Nulla da trasmettere. Le bozze sono salvate su questo dispositivo.',
  },
  readiness: {
    notKnown: 'Non si sa: l’elenco dei casi dell’assicuratore non si è potuto leggere per intero.',
    unchecked: 'Questi giorni non sono ancora verificati.',
    offline: (time) => `Non verificato: senza rete (dal: ${time}).`,
    none: (at) => `Nessuna ispezione in questi giorni (verifica: ${at}).`,
    missing: (n, count, total, at) =>
      one(n)
        ? `${count} caso su ${total} non è completo (verifica: ${at}).`
        : `${count} casi su ${total} non sono completi (verifica: ${at}).`,
    complete: (n, count, documents, at) =>
      one(n)
        ? `Il caso e tutti i suoi documenti (${documents}) sono su questo dispositivo (verifica: ${at}).`
        : `I ${count} casi e tutti i loro documenti (${documents}) sono su questo dispositivo (verifica: ${at}).`,
  },
};
