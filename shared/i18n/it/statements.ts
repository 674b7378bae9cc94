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
    noTime: 'offline, l’ora di fine non è nota',
    notYet: 'ora di fine non ancora nota',
    soon: 'quasi finito',
    paused: 'trasmissione sospesa',
    awaits: (n) =>
      one(n)
        ? `${String(n)} voce attende che il caso sia accettato.`
        : `${String(n)} voci attendono che il caso sia accettato.`,
    nothing: 'Nulla da trasmettere.',
  },
  counts: {
    waiting: (n) => `${String(n)} da trasmettere`,
    attention: (n) =>
      one(n) ? `${String(n)} richiede attenzione` : `${String(n)} richiedono attenzione`,
    begun: (n: number) => `${String(n)} ${one(n) ? 'iniziato' : 'iniziati'}`,
    nothing: 'Nulla da trasmettere',
  },
  entry: {
    saved: 'Salvato su questo dispositivo',
    network: 'In attesa di una connessione',
    acceptance: 'In attesa dell’accettazione del caso',
    turn: 'In attesa del lavoro precedente di questo caso',
    paused: 'Trasmissione sospesa',
    waits: 'in attesa',
    sending: 'Trasmissione in corso',
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
    awaits: 'Salvato su questo dispositivo e trasmesso non appena il caso sarà accettato.',
    goesOut: 'Il rapporto è salvato su questo dispositivo e trasmesso appena è online.',
  },
  day: {
    open: (n: number) =>
      one(n)
        ? `${String(n)} elemento è ancora aperto.`
        : `${String(n)} elementi sono ancora aperti.`,
    postponed: (n: number) => `Spostato a domani: ${String(n)}.`,
    earlier: (n: number) => `Ispezioni precedenti senza importi o senza rapporto: ${String(n)}.`,
    unseen: (n: number) =>
      one(n)
        ? `${String(n)} invio è trasmesso, ma non ancora verificato presso l’assicuratore.`
        : `${String(n)} invii sono trasmessi, ma non ancora verificati presso l’assicuratore.`,
    all: 'Tutto è trasmesso ed è stato visto presso l’assicuratore.',
    others: 'Tutto il resto è trasmesso ed è stato visto presso l’assicuratore.',
  },
  turn: {
    values:
      'Modificato presso l’assicuratore, probabilmente da una persona della sua organizzazione. Quale valore vale?',
    returned: (n: string) => `Rapporto ${n}restituito`,
    reasonUnknown: 'motivo non noto',
    typed: 'Inserito, non salvato',
    draft: 'Rapporto iniziato, non inoltrato',
    visit: (when: string) => `Ispezione ${when}`,
    missing: {
      amounts: 'importi mancanti',
      report: 'rapporto mancante',
      both: 'importi e rapporto mancanti',
    },
  },
  clock: {
    behind: (by: string) =>
      `L’orologio di questo dispositivo è indietro di ${by}; vale l’ora dell’assicuratore finché non imposta l’orologio su automatico.`,
    ahead: (by: string) =>
      `L’orologio di questo dispositivo è avanti di ${by}; vale l’ora dell’assicuratore finché non imposta l’orologio su automatico.`,
    wasBehind: (by: string) =>
      `L’orologio di questo dispositivo era indietro di ${by} all’ultima risposta dell’assicuratore; questa differenza vale fino alla prossima sincronizzazione: controlli l’orologio.`,
    wasAhead: (by: string) =>
      `L’orologio di questo dispositivo era avanti di ${by} all’ultima risposta dell’assicuratore; questa differenza vale fino alla prossima sincronizzazione: controlli l’orologio.`,
    leastBehind: (by: string) =>
      `L’orologio di questo dispositivo è indietro di almeno ${by}; fino alla prossima sincronizzazione vale l’ora dell’ultima risposta dell’assicuratore: imposti l’orologio su automatico.`,
    minutes: (n: number) => (one(n) ? `${String(n)} minuto` : `${String(n)} minuti`),
    hours: (n: number) => (one(n) ? `${String(n)} ora` : `${String(n)} ore`),
    days: (n: number) => (one(n) ? `${String(n)} giorno` : `${String(n)} giorni`),
  },
  fetch: {
    counting: 'Scaricamento dei documenti',
    cases: (done, total) => `Documenti: caso ${done} di ${total}`,
    paused: 'sospeso',
    noEnd: 'fine non ancora nota',
    lists: (done, total) => `Elenchi dei documenti: ${done} di ${total}`,
    about: (time) => `fine prevista verso ${time}`,
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
    awaits: (n) => `In attesa dell’accettazione del caso: ${n}.`,
    attention: (n) => `Richiede la sua attenzione: ${n}.`,
    begun: (n: string) => `Iniziato, non ancora inoltrato o salvato: ${n}.`,
  },
  closing: {
    unsaved:
      'In un caso o in un rapporto c’è un inserimento non ancora salvato su questo dispositivo.',
    adding: 'Alcuni file vengono aggiunti a un rapporto o elaborati in esso.',
    temporary: 'Questo spazio di esercitazione viene eliminato alla chiusura.',
    stored: 'Il contenuto della posta in uscita è salvato su questo dispositivo.',
    begun: 'Ciò che è iniziato resta su questo dispositivo. Inoltrarlo o salvarlo spetta a lei.',
    nothing: 'Nulla da trasmettere. Le bozze sono salvate su questo dispositivo.',
  },
  readiness: {
    notKnown: 'Non si sa: l’elenco dei casi dell’assicuratore non si è potuto leggere per intero.',
    unchecked: 'Questi giorni non sono ancora verificati.',
    offline: (time) => `Non verificato: offline dalle ${time}.`,
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
  visit: {
    subject: (key: string) => `Perizia del sinistro ${key}`,
    greeting: 'Buongiorno,',
    text: (day: string, time: string, place: string) =>
      `Sarò da lei${day === '' ? '' : ` ${day}`} alle ${time} per la perizia${place === '' ? '' : ` (${place})`}.`,
    closing: 'Cordiali saluti',
  },
};
