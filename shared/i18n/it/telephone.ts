import type { WindowTexts } from '../texts.ts';

/** The telephone as camera: the dialog in the window, and the page on the telephone. */
export const telephoneTexts: Pick<WindowTexts, 'telephone'> = {
  telephone: {
    open: 'Fotografa con il telefono',
    scan: 'Inquadri il codice con la fotocamera del telefono e apra il link. Il telefono deve essere nella stessa rete di questo dispositivo: la rete dell’ufficio, oppure questo dispositivo nell’hotspot del telefono. Internet non serve.',
    code: 'Codice QR per il telefono',
    network: 'Rete',
    unconnected: 'Nessun telefono ancora collegato.',
    connected: 'Un telefono è collegato.',
    stored: 'Arrivate: {n}',
    waiting: 'Ancora sul telefono: {n}',
    done: 'Concluso sul telefono; tutte le foto sono arrivate.',
    refused:
      'Un altro dispositivo o un codice errato è stato rifiutato ({n}). Nulla è stato ripreso né mostrato.',
    advice:
      'Il codice vale per un solo telefono e soltanto finché lei non termina il collegamento. Chi nella stessa rete può modificare i dati potrebbe mostrare al telefono un’altra pagina; nell’hotspot del telefono non c’è nessun altro.',
    end: 'Termina',
    stay: 'Lascia collegato',
    live: 'Telefono come fotocamera: {n} arrivate',
    begin: 'Mostra un nuovo codice',
    ended:
      'Il collegamento con il telefono è terminato. Le foto ancora sul telefono arriveranno con un nuovo codice.',
    addressGone:
      'Questo dispositivo non ha più l’indirizzo {address} e il telefono non può raggiungerlo. Mostri un nuovo codice.',
    otherReport:
      'Un telefono sta fotografando per un altro rapporto. Un nuovo codice qui termina quel collegamento; ciò che non è ancora arrivato resta sul telefono.',
    from: 'dal telefono',
    obstacles: {
      policy: 'La sua organizzazione non consente il telefono come fotocamera.',
      network:
        'Questo dispositivo non si trova in nessuna rete privata ammessa a tale scopo. Lo colleghi alla rete dell’ufficio o all’hotspot del telefono.',
      program: 'Questo programma è stato avviato senza la pagina per il telefono.',
    },
    page: {
      connecting: 'Collegamento in corso…',
      ready: 'Caso {claim}',
      shutter: 'Scatta una foto',
      pick: 'Seleziona foto esistenti',
      group: 'Che cosa mostra la prossima foto?',
      groupOf: 'Che cosa mostra questa foto?',
      caption: 'Didascalia',
      waiting: 'Non ancora arrivate: {n}',
      stored: 'Arrivate: {n}',
      refused: 'Non accettate: {n}',
      all: 'Tutte le foto sono arrivate.',
      before: 'Foto precedenti in attesa su questo telefono: {n}',
      addBefore: 'Aggiungi a questo rapporto',
      done: 'Finito',
      isDone: 'Finito. Può chiudere questa pagina.',
      isWaiting: 'in attesa',
      isSending: 'invio in corso, {percent}\u00a0%',
      isStored: 'arrivata',
      isRefused: 'Appraiser Desk non può leggere questa immagine.',
      isUnreadable:
        'Questo telefono non riesce più a leggere questa foto. Ricarichi la pagina o scatti di nuovo la foto.',
      save: 'Salva sul telefono',
      remove: 'Rimuovi',
      noCode: 'Scansioni il codice che Appraiser Desk mostra.',
      unreachable:
        'Appraiser Desk non è raggiungibile. Le sue foto restano su questo telefono e saranno inviate appena sarà di nuovo raggiungibile. Lasci aperta questa pagina. Se lì il collegamento è terminato, scansioni un nuovo codice.',
      ended:
        'Questo collegamento è terminato. Ciò che non è ancora arrivato resta su questo telefono: mostri un nuovo codice in Appraiser Desk e lo scansioni.',
      other:
        'Con questo codice è già collegato un altro telefono. Mostri un nuovo codice in Appraiser Desk e lo scansioni.',
      impostor:
        'Questa pagina non raggiunge il suo Appraiser Desk. Nulla è stato inviato. Mostri un nuovo codice in Appraiser Desk, preferibilmente nell’hotspot di questo telefono.',
      noStorage:
        'Questo browser non conserva le foto. Apra il link del codice in una finestra normale, non in una privata.',
      elsewhere: 'Questa pagina è aperta in un’altra scheda. Si continua lì.',
      disk_full:
        'Sul dispositivo di Appraiser Desk non c’è più spazio. Le sue foto restano su questo telefono e saranno inviate appena ci sarà spazio.',
      report_closed:
        'Questo rapporto è già stato inoltrato o eliminato. Le sue foto restano su questo telefono: mostri il codice in un altro rapporto e lo scansioni.',
      too_many:
        'Questo codice non accetta altre foto. Le altre restano su questo telefono: mostri un nuovo codice in Appraiser Desk e lo scansioni.',
      failed:
        'Appraiser Desk al momento non può salvare nulla. Le sue foto restano su questo telefono e saranno inviate di nuovo.',
      notKept:
        'Questo telefono non ha potuto conservare una foto: {name}. La memoria è piena, o questa è una finestra privata? La scatti di nuovo in seguito.',
    },
  },
};
