import type { DispatchTexts, PolicyTexts, ShellTexts, StartTexts } from '../texts.ts';

export const shellTexts: ShellTexts = {
  engineRestarted:
    'Una parte di Appraiser Desk si è arrestata ed è stata riavviata. Ciò che era salvato è intatto.',
  opening: 'Appraiser Desk si sta aprendo.',
  openingDetail:
    'Sta durando più del solito. La finestra appare automaticamente. Se il sistema chiede una password, la inserisca.',
  keepWaiting: 'Attendi ancora',
  tryAgain: 'Riprova',
  engineGone: 'Appraiser Desk non funziona più. Lo riavvii.',
  engineGoneDetail: (logFile: string, command: string) =>
    `Ciò che era salvato è su questo dispositivo.\n\nIl registro si trova in ${logFile}.\n\nQuesto comando crea un file di diagnosi per il suo servizio informatico:\n${command}`,
  quitQuestion: 'Non tutto è ancora stato trasmesso. Uscire comunque?',
  leaveQuestion: 'Alcuni dati o file non sono ancora salvati. Chiudere comunque?',
  leaveDetail: 'Andrebbe perso solo ciò che non è ancora salvato.',
  leave: 'Chiudi',
  quit: 'Esci',
  closeOfDay: 'Chiusura della giornata',
  stay: 'Continua a lavorare',
  show: 'Mostra Appraiser Desk',
  offline: 'Offline',
  file: 'File',
  edit: 'Modifica',
  view: 'Vista',
  newWindow: 'Nuova finestra',
  savePdf: 'Salva la vista come PDF…',
  saveCopy: 'Salva una copia',
  windowRestarted:
    'La finestra si è arrestata ed è stata ricaricata. I dati inseriti e non ancora salvati sono andati persi.',
  windowDied: 'La finestra si è bloccata due volte di seguito.',
  windowDiedDetail:
    'Ciò che è salvato è su questo dispositivo; il testo inserito c’è come è stato salvato l’ultima volta. Ricarichi la finestra. Se si blocca di nuovo, dia i dati tecnici al suo servizio informatico.',
  reload: 'Ricarica',
  copyReport: 'Copia i dati tecnici',
  updateReady: (version: string) =>
    `La versione ${version} di Appraiser Desk è pronta. La finestra le chiede quando installarla.`,
  installUpdate: (version: string) => `Installa la versione ${version} e riavvia`,
  undo: 'Annulla',
  redo: 'Ripristina',
  cut: 'Taglia',
  copy: 'Copia',
  paste: 'Incolla',
  selectAll: 'Seleziona tutto',
  resetZoom: 'Dimensioni reali',
  zoomIn: 'Ingrandisci',
  zoomOut: 'Riduci',
  fullscreen: 'Schermo intero',
  window: 'Finestra',
  about: 'Informazioni su Appraiser Desk',
  services: 'Servizi',
  hide: 'Nascondi Appraiser Desk',
  hideOthers: 'Nascondi altre',
  showAll: 'Mostra tutte',
  minimize: 'Riduci a icona',
  zoom: 'Ridimensiona',
  front: 'Porta tutto in primo piano',
};

export const startTexts: StartTexts = {
  noElectron: (why) => `Electron non è disponibile (${why}); l’applicazione si apre nel browser.`,
  noKeychain:
    'Questo sistema non ha un portachiavi: lo spazio di esercitazione resta solo finché l’applicazione è aperta. Con --vault passphrase e DESK_VAULT_PASSPHRASE viene conservato.',
  runsAlready: 'Appraiser Desk è già in funzione; si apre una nuova finestra.',
  openIt: (url) =>
    `Non è stato possibile aprire il browser; apra questo indirizzo manualmente: ${url}`,
  portInUse: (port) => `La porta ${String(port)} è occupata; ne scelga un’altra con --port.`,
  notBuilt: 'Non è stato possibile generare la finestra; i messaggi sono qui sopra.',
  wrongUsage: (argument: string) =>
    `L’applicazione non può essere avviata: ${argument} non è un’opzione valida. Avvii senza; --help elenca quelle valide.`,
  sandboxIsAllowed:
    'Appraiser Desk non si avvia con --no-sandbox, perché questo sistema permette la sandbox. Avvii senza questa opzione.',
  noSandbox:
    '--no-sandbox: questo sistema non permette la sandbox; un documento ostile ha un ostacolo in meno.',
};

export const dispatchTexts: DispatchTexts = {
  title: 'Assegnare i casi',
  signIn: 'Accedi',
  code: 'Codice',
  codeHelp: 'Il codice lo rilascia il servizio informatico. Vale una sola volta, per 15 minuti.',
  codeWrong: 'Questo codice non è valido o non lo è più.',
  signOut: 'Esci',
  search: 'Ricerca',
  status: 'Stato',
  person: 'Persona',
  anyStatus: 'tutti',
  anyone: 'tutte',
  nobody: 'nessuno',
  show: 'Mostra',
  found: 'Casi',
  none: 'Nessun caso corrisponde.',
  case: 'Caso',
  category: 'Categoria',
  postalCode: 'NPA',
  responsible: 'Gestore del sinistro',
  assigned: 'Assegnato a',
  chosen: 'Per i casi selezionati:',
  assign: 'Assegna',
  remove: 'Revoca',
  previous: 'Pagina precedente',
  next: 'Pagina successiva',
  choose: 'Seleziona il caso',
};

export const policyHelp =
  'Queste direttive si applicano a tutte le persone che usano questo dispositivo.';

export const policyTexts: PolicyTexts = {
  'connection.gateway': {
    title: 'Indirizzo del gateway dell’ufficio',
    text: 'Indirizzo del gateway della sua organizzazione. Si inserisce allora solo un codice di attivazione; indirizzo, audience e Client ID vengono dal gateway.',
  },
  'connection.baseUrl': {
    title: 'Indirizzo del servizio partner',
    text: 'Indirizzo di base dell’API partner, con https. Prevale su quanto inserisce una persona.',
  },
  'connection.audience': {
    title: 'Indirizzo del token (audience)',
    text: 'L’indirizzo del token come l’assicuratore lo vuole indicato nell’accesso.',
  },
  'connection.clientId': {
    title: 'Client ID',
    text: 'Il Client ID che l’assicuratore ha dato alla sua organizzazione. Si applica quando si configura una connessione.',
  },
  'connection.scope': {
    title: 'Scope',
    text: 'Lo scope da chiedere con il token, se l’assicuratore ne vuole uno.',
  },
  'connection.htuWithoutQuery': {
    title: 'Firmare gli indirizzi senza la query',
    text: 'Solo per un assicuratore che segue alla lettera la RFC 9449 e rifiuta gli indirizzi firmati con la loro query.',
  },
  'connection.changedSinceParameter': {
    title: 'Parametro delle modifiche',
    text: 'Come l’assicuratore chiama il parametro «lastChangedSince» dell’elenco dei casi, ad esempio updatedSince. Senza direttiva: lastChangedSince.',
  },
  provisioningFile: {
    title: 'File di connessione monouso',
    text: 'Un file JSON con clientId e privateKey, o con il codice di un gateway, che l’applicazione importa al prossimo avvio e poi elimina. Un percorso relativo parte dalla cartella dei dati della persona.',
  },
  paths: {
    title: 'Percorsi delle operazioni',
    text: 'Un altro percorso per singole operazioni dell’API partner, per identificativo, ad esempio X1 = /v2/experts/cases.',
  },
  'limits.standard.capacity': {
    title: 'Limite generale: richieste di seguito',
    text: 'Quante richieste di seguito ammette l’assicuratore. Da impostare insieme alle richieste al minuto.',
  },
  'limits.standard.refillPerMinute': {
    title: 'Limite generale: richieste al minuto',
    text: 'Quante richieste al minuto ammette l’assicuratore nel tempo.',
  },
  'limits.documents.capacity': {
    title: 'Limite dei documenti: richieste di seguito',
    text: 'Quante richieste di documenti di seguito ammette l’assicuratore. Da impostare insieme alle richieste al minuto.',
  },
  'limits.documents.refillPerMinute': {
    title: 'Limite dei documenti: richieste al minuto',
    text: 'Quante richieste di documenti al minuto ammette l’assicuratore nel tempo.',
  },
  'proxy.url': {
    title: 'Proxy',
    text: 'Indirizzo del proxy HTTP per il servizio partner, ad esempio http://proxy.example:8080. Senza nome utente e password.',
  },
  'proxy.bypass': {
    title: 'Proxy: eccezioni',
    text: 'Host raggiunti senza il proxy; un punto iniziale comprende tutti i nomi sottostanti.',
  },
  certificateFiles: {
    title: 'Autorità di certificazione aggiuntive',
    text: 'Percorsi di file PEM le cui autorità di certificazione sono ammesse oltre a quelle abituali.',
  },
  'updates.enabled': {
    title: 'Aggiornamenti automatici',
    text: 'Disattivato: l’applicazione non cerca mai aggiornamenti; li fornisce la sua distribuzione software.',
  },
  'updates.feed': {
    title: 'Indirizzo degli aggiornamenti',
    text: 'Una cartella sul suo server web (https) da cui l’applicazione scarica gli aggiornamenti.',
  },
  'updates.install': {
    title: 'Chi installa gli aggiornamenti',
    text: '«user»: la persona sceglie nella finestra, subito o al prossimo avvio. «start»: il prossimo avvio. «it»: l’applicazione indica soltanto la nuova versione; la installa la sua distribuzione software. Senza indicazione: «user». Un pacchetto deb o rpm è sempre installato dalla gestione dei pacchetti.',
  },
  language: {
    title: 'Lingua',
    text: 'La lingua dell’applicazione; non può allora essere cambiata.',
  },
  practice: {
    title: 'Spazio di esercitazione',
    text: 'Disattivato: non c’è uno spazio di esercitazione con casi inventati.',
  },
  'ownCases.postalCodes': {
    title: 'Casi propri: NPA',
    text: 'Quali casi sono quelli della persona: NPA o intervalli come 6500–6999. «Oggi», «Pronto a partire» e lo scaricamento dei documenti riguardano solo questi.',
  },
  'ownCases.categories': {
    title: 'Casi propri: categorie',
    text: 'Categorie dei casi propri: vehicle, appraiser, fraud, special.',
  },
  'ownCases.responsibles': {
    title: 'Casi propri: gestori del sinistro',
    text: 'Nomi dei gestori presso l’assicuratore i cui casi sono quelli della persona.',
  },
  documentRetentionDays: {
    title: 'Documenti dei casi chiusi, giorni',
    text: 'I documenti di un caso chiuso restano sul dispositivo per questo numero di giorni dopo l’ultima modifica. Il lavoro non trasmesso resta sempre.',
  },
  caseRetentionDays: {
    title: 'Casi chiusi, giorni',
    text: 'Numero di giorni durante i quali un caso chiuso resta sul dispositivo dopo l’ultima modifica, con documenti, note e file dei rapporti trasmessi. Le prove di trasmissione restano. Il lavoro non trasmesso resta sempre.',
  },
  textRecognition: {
    title: 'Riconoscere il testo delle scansioni',
    text: 'Indica se il testo delle pagine scansionate e delle foto viene riconosciuto sul dispositivo, affinché la ricerca lo trovi. Nulla viene trasmesso. «No» lo vieta, anche su richiesta di una persona; con «Sì» nessuno può disattivarlo.',
  },
  watchedFolder: {
    title: 'Cartella della fotocamera',
    text: 'Una cartella (percorso completo), per esempio la scheda della fotocamera o la cartella in cui un telefono sincronizza le foto. Le nuove foto sono proposte nel rapporto aperto. Nella cartella non viene modificato né eliminato nulla.',
  },
  'visitMessage.de': {
    title: 'Annuncio di una visita, tedesco',
    text: 'Il testo che annuncia una visita, per ogni lingua del messaggio (de, fr, it, en). Campi: {day}, {time}, {place}, {key}, {party}, {sender}. Una lingua senza testo ha quello di Appraiser Desk.',
  },
  'visitMessage.fr': {
    title: 'Annuncio di una visita, francese',
    text: 'Il testo che annuncia una visita, per ogni lingua del messaggio (de, fr, it, en). Campi: {day}, {time}, {place}, {key}, {party}, {sender}. Una lingua senza testo ha quello di Appraiser Desk.',
  },
  'visitMessage.it': {
    title: 'Annuncio di una visita, italiano',
    text: 'Il testo che annuncia una visita, per ogni lingua del messaggio (de, fr, it, en). Campi: {day}, {time}, {place}, {key}, {party}, {sender}. Una lingua senza testo ha quello di Appraiser Desk.',
  },
  'visitMessage.en': {
    title: 'Annuncio di una visita, inglese',
    text: 'Il testo che annuncia una visita, per ogni lingua del messaggio (de, fr, it, en). Campi: {day}, {time}, {place}, {key}, {party}, {sender}. Una lingua senza testo ha quello di Appraiser Desk.',
  },
  'telephone.enabled': {
    title: 'Telefono come fotocamera',
    text: 'Se un telefono nella stessa rete privata può scattare foto per un rapporto. Il dispositivo è allora in ascolto su un solo indirizzo di questa rete e soltanto finché il codice è mostrato. «No»: non è mai in ascolto.',
  },
  'telephone.networks': {
    title: 'Reti per il telefono',
    text: 'Solo in queste reti private, per esempio 192.168.10.0/24; senza indicazione, in ogni rete privata. L’hotspot di un iPhone è 172.20.10.0/28.',
  },
  templateFolder: {
    title: 'Cartella dei modelli di rapporto',
    text: 'Una cartella (percorso completo) con i modelli Word (.docx) dell’ufficio, proposti quando si scrive un rapporto. Lingua e categoria stanno alla fine del nome del file, per esempio Perizia.vehicle.it.docx. Nella cartella non viene modificato né eliminato nulla.',
  },
  backupFolder: {
    title: 'Cartella delle copie di sicurezza automatiche',
    text: 'Una cartella (percorso completo) in cui ogni dispositivo scrive una volta al giorno il lavoro non trasmesso, cifrato con una frase segreta scelta dalla persona.',
  },
  logLevel: {
    title: 'Livello del registro',
    text: 'Quanto viene registrato. Il livello info aggiunge una riga per ogni richiesta all’assicuratore; nessun livello registra contenuti o segreti.',
  },
};
