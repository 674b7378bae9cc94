import type { TextsLike } from './messages.ts';
import type { deWork } from './de-work.ts';

export const itWork: TextsLike<typeof deWork> = {
  hints: {
    title: 'Da verificare',
    codes: {
      approvedAboveEstimate: 'L’importo approvato supera il preventivo dell’officina.',
      estimateFarAboveClaim:
        'Il preventivo ({estimate}) supera di molto la stima dell’assicuratore ({claim}).',
      deductibleCoversClaim:
        'La franchigia ({deductible}) copre la stima dell’assicuratore ({claim}).',
      currencyForeign:
        'La stima dell’assicuratore è in {currency}, gli importi del caso sono in CHF.',
      inspectionPast: 'L’ispezione era il {date}; il rapporto manca ancora.',
      inspectionBeforeIncident:
        'L’ispezione ({inspection}) precede la data del sinistro ({incident}).',
      registrationAfterIncident:
        'La 1ª messa in circolazione ({date}) è successiva al sinistro ({incident}).',
      dateImpossible: 'Una data non può essere giusta: {value}.',
      plateMissing: 'Nessuna targa indicata.',
      phoneMissing: 'Nessun numero di telefono indicato.',
      driversSeveral: 'Dalla stessa parte più persone risultano alla guida.',
    },
  },
  print: {
    case: 'Stampare il caso o salvarlo come PDF',
    printed: 'Stampato {when}',
  },
  viewing: {
    search: 'Cercare nel documento',
    hits: '{at} di {total}',
    noHits: 'Nessun risultato',
    searching: 'Ricerca …',
    previousHit: 'Risultato precedente',
    nextHit: 'Risultato successivo',
    fitWindow: 'Immagine intera',
    lies: 'Indicato come {named}, ma il contenuto è {found}. Si mostra il contenuto.',
    notHere: 'Questo documento non è ancora su questo computer',
    empty: 'Questo file è vuoto.',
    tooLarge: 'Questa immagine è troppo grande per essere mostrata qui',
    tooLargeText:
      'Ha {width} × {height} pixel. Salvate una copia e apritela in un altro programma.',
    pageBroken: 'Questa pagina non si può disegnare.',
    morePages: 'Sono mostrate le prime {shown} pagine di {total}.',
  },
};
