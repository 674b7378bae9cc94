import type { TextsLike } from '../texts.ts';
import type { deHelp } from '../de/help.ts';

export const itHelp: TextsLike<typeof deHelp> = {
  connections: {
    more: 'Altro su «{name}»',
    rename: 'Rinominare',
    access: 'Modificare indirizzo e accesso',
    key: 'Sostituire la chiave',
    remove: 'Rimuovere',
    localName: 'Nome su questo computer',
    accessText: 'Con lo stesso ID del client, casi, documenti e lavoro restano come sono.',
    keyText:
      'La nuova chiave prende il posto della vecchia nel portachiavi. Casi, documenti e lavoro restano.',
    otherClient:
      'Un altro ID del client è un’altra organizzazione. Inizia vuota, e i dati di «{name}» vengono rimossi da questo computer.',
    replace: 'Sostituire e rimuovere',
    removeTitle: 'Rimuovere «{name}»',
    removeAct: 'Rimuovere con i dati',
    removeText:
      'La chiave, i casi, i documenti, le viste, i testi pronti e le note di questa connessione vengono rimossi da questo computer. Presso il partner non cambia nulla. Non si può annullare.',
    holds: 'Questo lavoro è solo su questo computer e andrà perso:',
    entries: '{n} voce della coda, non consegnata | {n} voci della coda, non consegnate',
    drafts: '{n} rapporto non inviato | {n} rapporti non inviati',
    texts: '{n} immissione in un caso, non inviata | {n} immissioni in casi, non inviate',
    backups: '{n} copia di lavoro danneggiato | {n} copie di lavoro danneggiato',
    holdsNothing: 'Qui non attende alcun lavoro.',
    holdsUnknown:
      'Non si sa se qui attende del lavoro: manca la sua chiave, o il file è danneggiato.',
    backUp: 'Fare prima una copia',
    confirm: 'Questo lavoro può andare perso.',
  },
  start: {
    madeUp: 'Questi casi sono inventati; nulla parte verso un assicuratore.',
    connect: 'Collegarsi al partner',
    search: 'Cercare o agire',
    help: 'Aiuto',
  },
  guide: {
    title: 'Guida',
    sections: {
      start: {
        title: 'Per cominciare',
        text: 'Lo spazio di esercizio contiene casi inventati: si guardi intorno, componga rapporti, li invii. Alla pagina «Esercizio» fa anche la parte dell’assicuratore. Per lavorare davvero le servono dal partner l’indirizzo, un ID del client e un file di chiave, oppure dal suo servizio IT un codice di iscrizione; «Collegarsi al partner» li chiede.',
      },
      safe: {
        title: 'Che cosa è al sicuro',
        text: 'Ciò che digita o allega è cifrato su questo computer entro un secondo. La barra di stato in basso dice se c’è rete, quando è stata l’ultima sincronizzazione, che cosa attende e se può chiudere. Ciò che attende parte al prossimo avvio, ogni cosa esattamente una volta.',
      },
      today: {
        title: 'Oggi',
        text: 'Prima viene ciò che richiede la sua attenzione, poi i rapporti rinviati, ciò che non è inviato, le nuove assegnazioni e le ispezioni. L’orologio accanto a un’ispezione tiene un’ora e una nota. «Pronti a partire» sincronizza, carica tutti i documenti dei giorni scelti ed è verde solo per ciò che ha verificato.',
      },
      cases: {
        title: 'Trovare casi',
        text: 'Digiti un nome, una targa, una polizza, un luogo o una parola di un documento. I filtri sono accanto; una ricerca si salva come vista. La barra spaziatrice sceglie casi, per caricarne i documenti o esportarli. Quali casi sono i suoi si stabilisce nelle impostazioni.',
      },
      case: {
        title: 'In un caso',
        text: 'Un documento si apre accanto agli importi e al commento; F6 passa dall’uno all’altro, Esc lo chiude. Importi e commento partono appena c’è rete. Se nel frattempo qualcuno ha cambiato la stessa cosa, non viene inviato nulla e si vedono entrambi i valori. Un caso solo assegnato accetta già tutto; parte appena il caso è accettato. Ctrl+B in un commento inserisce un testo pronto; la lista di controllo si spunta sul posto. Note, testi e spunte non vengono mai inviati.',
      },
      report: {
        title: 'Un rapporto',
        text: '«Nuovo rapporto» nel caso: trascini file o una cartella, li ordini, li rinomini con un modello, contrassegni i recuperi. Accanto ai file sta ciò che ancora manca. Ctrl+Invio invia il rapporto, come il pulsante. Fino ad allora è una bozza che si salva da sé.',
      },
      photos: {
        title: 'Le foto',
        text: 'Le foto arrivano diritte e nell’ordine di scatto. «Elabora le foto» le gira, le ordina, le descrive, scarta quelle mosse, mette frecce e rende irriconoscibili volti e targhe. L’originale resta cifrato su questo computer.',
      },
      returned: {
        title: 'Un rapporto rinviato',
        text: 'Il caso elenca ogni rapporto inviato. «Ciò che è stato inviato» apre i suoi file; «Inizia una revisione da questo rapporto» li riprende in una nuova bozza, in cui ne sostituisce alcuni. L’interfaccia non dice sempre il motivo; allora c’è scritto a chi chiederlo.',
      },
      queue: {
        title: 'La coda',
        text: 'Qui sta ciò che è in viaggio, che cosa attende e quando tutto sarà consegnato. Ciò che non è partito si può cambiare o riprendere. Ciò che è consegnato ha una prova con ora, identificativi e somme di controllo, in PDF o in tabella.',
      },
      batch: {
        title: 'I lotti',
        text: 'Trascini una cartella piena di rapporti. Vengono abbinati per numero di sinistro, polizza o targa; i problemi stanno in cima. Una tabella (CSV o XLSX) aggiunge importi e commenti.',
      },
      backup: {
        title: 'Copia e altro computer',
        text: 'Impostazioni, Salvataggio: ciò che non è inviato va in un file cifrato, che si rilegge su un altro computer. Un rapporto presente su due computer è inviato una sola volta.',
      },
      wrong: {
        title: 'Se qualcosa non va',
        text: 'Senza rete non c’è nulla da fare: la consegna riprende da sé. Se la connessione non funziona, Impostazioni, Connessione, «Verificare ora» nomina il primo passo che fallisce. Per l’assistenza, Impostazioni, Salvataggio scrive un pacchetto senza dati personali.',
      },
    },
  },
};
