import type { DispatchTexts, PolicyTexts, ShellTexts, StartTexts } from '../texts.ts';

export const shellTexts: ShellTexts = {
  engineRestarted: 'Una parte del Desk si è arrestata ed è stata riavviata. Nulla è andato perso.',
  opening: 'Il Desk si sta ancora aprendo.',
  openingDetail:
    'Forse il portachiavi del sistema chiede la password. La finestra appare appena risponde.',
  keepWaiting: 'Attendi ancora',
  tryAgain: 'Riprova',
  engineGone: 'Il Desk non riesce a restare in funzione. Lo riavvii.',
  engineGoneDetail: (logFile: string, command: string) =>
    `Ciò che era salvato è su questo portatile. Il registro si trova in ${logFile}. Questo comando crea un pacchetto diagnostico per il suo servizio informatico:\n${command}`,
  quitQuestion: 'Non tutto è ancora stato trasmesso. Uscire comunque?',
  quitDetail: (waiting) =>
    `In coda: ${String(waiting)}. Tutto è salvato su questo computer e partirà al prossimo avvio.`,
  leaveQuestion: 'Un testo digitato non è ancora salvato. Chiudere comunque?',
  leaveDetail: 'Andrebbe perso solo ciò che non è ancora salvato.',
  leave: 'Chiudi',
  quit: 'Esci',
  stay: 'Continua a lavorare',
  show: 'Mostra il Desk',
  nothingWaits: 'Tutto trasmesso',
  waiting: (count) => `In attesa di trasmissione: ${String(count)}`,
  attention: (count) => `Richiede il suo intervento: ${String(count)}`,
  offline: 'Offline',
  file: 'File',
  edit: 'Modifica',
  view: 'Vista',
  newWindow: 'Nuova finestra',
  savePdf: 'Salva la vista come PDF …',
  saveCopy: 'Salva una copia',
  windowRestarted:
    'La finestra si è arrestata ed è stata ricaricata. Manca ciò che era digitato e non salvato.',
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
  minimize: 'Contrai',
  zoom: 'Ridimensiona',
  front: 'Porta tutto in primo piano',
};

export const startTexts: StartTexts = {
  noElectron: (why) => `Electron non è disponibile (${why}); il Desk si apre nel browser.`,
  noKeychain:
    'Questo sistema non ha un portachiavi: lo spazio di esercizio resta solo finché il Desk è in funzione. Con --vault passphrase e DESK_VAULT_PASSPHRASE viene conservato.',
  runsAlready: 'Il Desk è già in funzione; viene aperto di nuovo.',
  openIt: (url) => `Non è stato possibile aprire il browser; apra lei stesso: ${url}`,
  portInUse: (port) => `La porta ${String(port)} è occupata; ne scelga un’altra con --port.`,
  notBuilt: 'Non è stato possibile costruire la finestra del Desk; i messaggi sono qui sopra.',
  wrongUsage: (argument: string) =>
    `Il Desk non si avvia così: ${argument} non è un’indicazione valida. Lo avvii senza; --help elenca quelle valide.`,
  sandboxIsAllowed:
    'Il Desk non si avvia con --no-sandbox, perché questo sistema permette la sandbox. Lo avvii senza questa indicazione.',
  noSandbox:
    '--no-sandbox: questo sistema non permette la sandbox; un documento ostile ha un ostacolo in meno.',
};

export const dispatchTexts: DispatchTexts = {
  title: 'Assegnare i casi',
  signIn: 'Accedi',
  code: 'Codice',
  codeHelp:
    'Il codice è rilasciato dall’informatica: gateway sign-in --client ID. Vale una sola volta, per 15 minuti.',
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
  responsible: 'Presso l’assicuratore',
  assigned: 'Assegnato a',
  chosen: 'Per i casi scelti:',
  assign: 'Assegna',
  remove: 'Togli',
  previous: 'Indietro',
  next: 'Avanti',
  choose: 'Scegli il caso',
};

export const policyHelp = 'Queste direttive valgono per tutte le persone su questo dispositivo.';

export const policyTexts: PolicyTexts = {
  'connection.gateway': {
    title: 'Indirizzo del gateway dell’ufficio',
    text: 'Indirizzo del gateway nell’ufficio della sua organizzazione. Si inserisce allora solo un codice d’iscrizione; indirizzo, audience e ID client vengono dal gateway.',
  },
  'connection.baseUrl': {
    title: 'Indirizzo del servizio partner',
    text: 'Indirizzo di base dell’API partner, con https. Prevale su quanto inserisce una persona.',
  },
  'connection.audience': {
    title: 'Indirizzo del token (audience)',
    text: 'L’indirizzo del token come il partner lo vuole indicato nell’accesso.',
  },
  'connection.clientId': {
    title: 'ID client',
    text: 'L’ID client che il partner ha dato alla sua organizzazione. Vale quando si configura un collegamento.',
  },
  'connection.scope': {
    title: 'Scope',
    text: 'Lo scope da chiedere con il token, se il partner ne vuole uno.',
  },
  'connection.htuWithoutQuery': {
    title: 'Firmare gli indirizzi senza la query',
    text: 'Solo per un partner che segue alla lettera la RFC 9449 e rifiuta gli indirizzi firmati con la loro query.',
  },
  provisioningFile: {
    title: 'File di connessione monouso',
    text: 'Un file JSON con clientId e privateKey, o con il codice di un gateway, che l’applicazione riprende al prossimo avvio e poi elimina. Un percorso relativo parte dalla cartella dei dati della persona.',
  },
  paths: {
    title: 'Percorsi delle operazioni',
    text: 'Un altro percorso per singole operazioni dell’API partner, per identificativo, ad esempio X1 = /v2/experts/cases.',
  },
  'limits.standard.capacity': {
    title: 'Limite generale: richieste di seguito',
    text: 'Quante richieste di seguito ammette il partner. Da impostare insieme alle richieste al minuto.',
  },
  'limits.standard.refillPerMinute': {
    title: 'Limite generale: richieste al minuto',
    text: 'Quante richieste al minuto ammette il partner nel tempo.',
  },
  'limits.documents.capacity': {
    title: 'Limite dei documenti: richieste di seguito',
    text: 'Quante richieste di documenti di seguito ammette il partner. Da impostare insieme alle richieste al minuto.',
  },
  'limits.documents.refillPerMinute': {
    title: 'Limite dei documenti: richieste al minuto',
    text: 'Quante richieste di documenti al minuto ammette il partner nel tempo.',
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
    text: 'Disattivato: il Desk non cerca mai aggiornamenti; li porta la sua distribuzione software.',
  },
  'updates.feed': {
    title: 'Indirizzo degli aggiornamenti',
    text: 'Una cartella sul suo server web (https) da cui il Desk prende gli aggiornamenti.',
  },
  language: {
    title: 'Lingua',
    text: 'La lingua del Desk; una persona non può allora sceglierne un’altra.',
  },
  practice: {
    title: 'Spazio di esercizio',
    text: 'Disattivato: non c’è uno spazio di esercizio con casi inventati.',
  },
  'ownCases.postalCodes': {
    title: 'Casi propri: codici postali',
    text: 'Quali casi sono quelli della persona: codici postali o intervalli come 6500-6999. Oggi, Pronti a partire e il caricamento dei documenti riguardano allora solo questi.',
  },
  'ownCases.categories': {
    title: 'Casi propri: categorie',
    text: 'Categorie dei casi propri: vehicle, appraiser, fraud, special.',
  },
  'ownCases.responsibles': {
    title: 'Casi propri: responsabili',
    text: 'Nomi dei responsabili presso l’assicuratore i cui casi sono quelli della persona.',
  },
  documentRetentionDays: {
    title: 'Documenti dei casi chiusi, giorni',
    text: 'I documenti di un caso chiuso restano sul computer per questo numero di giorni dopo l’ultima modifica. Il lavoro non trasmesso resta sempre.',
  },
  caseRetentionDays: {
    title: 'Casi chiusi, giorni',
    text: 'Un caso chiuso resta sul computer per tanti giorni dopo l’ultima modifica, con documenti, note e file dei rapporti inviati. Le prove di consegna restano. Il lavoro non consegnato resta sempre.',
  },
  textRecognition: {
    title: 'Riconoscere il testo delle scansioni',
    text: 'Se il testo delle pagine scansionate e delle foto viene riconosciuto sul computer, affinché la ricerca lo trovi. Nulla viene inviato. No lo vieta, anche su richiesta di una persona; con sì nessuno può disattivarlo.',
  },
  watchedFolder: {
    title: 'Cartella della fotocamera',
    text: 'Una cartella (percorso completo), per esempio la scheda della fotocamera o la cartella in cui un telefono sincronizza. Le nuove foto sono proposte nel rapporto aperto. Nella cartella non viene modificato né eliminato nulla.',
  },
  backupFolder: {
    title: 'Cartella dei salvataggi automatici',
    text: 'Una cartella (percorso completo) in cui ogni desk scrive una volta al giorno il lavoro non consegnato, cifrato con una frase segreta scelta dalla persona.',
  },
  logLevel: {
    title: 'Livello del registro',
    text: 'Quanto viene registrato. Il livello info aggiunge una riga per ogni richiesta al partner; nessun livello registra contenuti o segreti.',
  },
};
