import type { ErrorSentences, ErrorWords } from '../texts.ts';

/** Italian sentences, Swiss typography: what happened, what is safe, what to do. */
export const errorSentences: ErrorSentences = {
  invalid_input:
    'L’indicazione «{field}» non è valida: {rule}. Nulla è stato modificato. La corregga, per favore.',
  amount_not_a_number:
    '«{field}» non è un importo: {value}. Nulla è stato modificato. Scriva l’importo ad esempio così: 12’345.60.',
  amount_negative:
    '«{field}» non può essere negativo. Nulla è stato modificato. Inserisca 0 o di più.',
  amount_too_many_decimals:
    '«{field}» ha più di due cifre dopo il punto. Nulla è stato modificato. Inserisca l’importo al centesimo, con un punto davanti ai centesimi.',
  amount_too_large:
    '«{field}» è troppo alto. Nulla è stato modificato. L’importo massimo è CHF 999’999’999.99.',
  comment_too_long:
    'Il commento è troppo lungo ({length} caratteri). Nulla è stato modificato. Lo accorci a {max} caratteri al massimo.',
  reason_missing:
    'Manca il motivo. Nulla è stato modificato. Inserisca un motivo da 1 a 4000 caratteri.',
  reason_too_long:
    'Il motivo è troppo lungo ({length} caratteri). Nulla è stato modificato. Lo accorci a {max} caratteri al massimo.',
  case_not_found: 'Il caso {id} non è su questo computer. Verifichi il numero o sincronizzi prima.',
  document_not_found:
    'Questo documento non è noto su questo computer. Ricarichi l’elenco dei documenti o sincronizzi.',
  view_name_taken: 'Esiste già una vista «{name}». Scelga un altro nome.',
  view_not_found: 'La vista «{name}» non c’è più: un’altra finestra l’ha eliminata.',
  draft_not_found:
    'Questa bozza di rapporto non c’è più: è stata eliminata o già trasmessa. Guardi nella coda.',
  own_rule_invalid:
    'La regola dei casi propri non è leggibile, riga {line}: «{text}», {rule}. Non è stato cambiato nulla. Scriva un codice postale o un intervallo per riga, per esempio 6500-6999.',
  text_block_invalid:
    'Il testo pronto «{entry}» contiene alla riga {line} un campo che non esiste: {text}. Non è stato modificato nulla.',
  texts_file_invalid:
    'Il file «{fileName}» non contiene testi pronti né liste di controllo. Non è stato modificato nulla.',
  texts_entry_invalid:
    'La voce {entry} del file non è leggibile: {rule}. Non è stato modificato nulla.',
  sheet_unreadable:
    'La tabella «{fileName}» non è leggibile dalla riga {line}. Non è stato cambiato nulla. La salvi come CSV o XLSX.',
  sheet_columns:
    'Nella tabella manca il numero di sinistro o una colonna da riprendere. Non è stato cambiato nulla. Usi le intestazioni dell’elenco esportato.',
  sheet_line_twice:
    'Questo caso è già alla riga {line}. Non è stato cambiato nulla. Tenga una sola delle due righe.',
  queue_row_not_found: 'Nella coda non c’è la voce {id}. Verifichi il numero.',
  queue_row_state:
    'La voce {id} è nello stato «{state}», che non lo permette. Nulla è stato modificato.',
  case_state: 'Il caso ha lo stato «{status}», che non lo permette. Nulla è stato modificato.',
  file_not_found:
    'Il file «{fileName}» non si trova o non si può leggere. Nulla è stato aggiunto. Verifichi il nome e la cartella.',
  file_not_regular:
    '«{fileName}» non è un file normale, ma un dispositivo o una pipe. Nulla è stato letto. Salvi il contenuto in un file e scelga quello.',
  file_changing: 'Il file «{fileName}» è ancora in fase di scrittura. Riprovi tra qualche secondo.',
  file_empty:
    'Il file «{fileName}» è vuoto. Non è stato aggiunto. Scelga il file con il contenuto.',
  file_too_large:
    'Il file «{fileName}» è troppo grande ({sizeBytes}). Non è stato aggiunto. Il massimo è {maxBytes}; lo riduca o lo divida.',
  file_type_not_allowed:
    'Il partner non accetta il tipo del file «{fileName}». Non è stato aggiunto. Sono ammessi PDF, JPEG, PNG, WebP, HEIC, TIFF, testo, CSV, e-mail (EML), ZIP, Word (DOCX) ed Excel (XLSX).',
  file_type_mismatch:
    'Il contenuto del file «{fileName}» non corrisponde al nome. Non è stato aggiunto. Lo apra nel programma d’origine e lo salvi di nuovo.',
  file_name_invalid:
    'Il nome del file «{fileName}» non è ammesso: {rule}. Il file non è stato aggiunto. Lo rinomini.',
  photo_unusable:
    'La foto «{fileName}» non è nel rapporto: {rule}. Il file resta invariato dov’era. Gli altri sono stati ripresi.',
  draft_without_documents:
    'Il rapporto non ha ancora documenti. La bozza resta salvata. Aggiunga almeno un file.',
  draft_busy:
    'I file di questo rapporto sono ancora in lavorazione. Non è nella coda. Riprovi quando saranno pronti.',
  file_exists: 'Esiste già un file {fileName}. Non è stato sovrascritto. Scelga un altro nome.',
  file_unwritable:
    'Il file {fileName} non può essere scritto: {reason}. Scelga un’altra posizione.',
  file_not_opened:
    'Il contenuto di «{fileName}» non è ciò che dice il nome. Il documento non è stato passato ad altri programmi. Se le serve, salvi una copia.',
  no_program:
    'Nessun programma di questo computer ha potuto aprire «{fileName}». Salvi una copia e la apra a mano.',
  drag_let_go:
    '«{fileName}» non era ancora pronto quando ha lasciato il pulsante. Non è stato depositato nulla. Trascini di nuovo il documento tenendo premuto più a lungo.',
  package_unreadable:
    'Questo non è un pacchetto di lavoro che il Desk possa leggere, ma {found}. Non è stato ripreso nulla.',
  package_passphrase_wrong:
    'La passphrase non corrisponde a questo pacchetto di lavoro. Non è stato ripreso nulla. Riprovi.',
  package_other_connection:
    'Questo pacchetto di lavoro appartiene alla connessione «{name}». Non è stato ripreso nulla. Apra o configuri questa connessione, poi riprovi.',
  backup_passphrase_missing:
    'Nessun salvataggio automatico è possibile: nel portachiavi di questo computer manca la frase segreta. La imposti in Impostazioni, Salvataggio.',
  restored_unsure:
    'Questo lavoro era in un pacchetto, e da allora per questo caso è stato inviato un rapporto, forse da un altro computer. Il suo rapporto resta salvato qui. Guardi il caso presso il partner: se il suo rapporto vi manca, lo invii comunque, altrimenti scarti la voce.',
  reopening_unsure:
    'Non si sa se il caso è stato riaperto: non è arrivata alcuna risposta, e da allora il caso è cambiato presso il partner ed è chiuso. La sua motivazione resta salvata qui. Guardi il caso presso il partner: se va riaperto, riprovi, altrimenti scarti la voce.',
  key_unreadable:
    'Non è una chiave privata leggibile, ma {found}. Nulla è stato salvato. Scelga il file della chiave scaricato nelle impostazioni della sua organizzazione (PEM o JWK).',
  key_not_rsa:
    'La chiave non è una chiave RSA, ma {found}. Nulla è stato salvato. Scelga la chiave RSA della sua organizzazione.',
  key_too_short:
    'La chiave RSA ha solo {bits} bit. Nulla è stato salvato. Il partner richiede almeno 2048 bit; crei una nuova chiave.',
  key_passphrase_needed:
    'La chiave è protetta da una password. Nulla è stato salvato. Indichi la password della chiave.',
  key_passphrase_wrong:
    'La password non corrisponde a questa chiave. Nulla è stato salvato. Riprovi.',
  keychain_unavailable:
    'Questo sistema non ha un portachiavi. Nulla è stato salvato senza cifratura. Ne installi uno, oppure avvii con --vault passphrase e imposti DESK_VAULT_PASSPHRASE.',
  keychain_locked:
    'Il portachiavi di questo sistema è bloccato. Tutti i dati restano invariati e cifrati su questo computer. Lo sblocchi: acceda di nuovo al sistema, oppure apra il gestore delle password del sistema. Poi riprovi.',
  keychain_unreachable:
    'Il portachiavi di questo sistema non risponde. Tutti i dati restano invariati e cifrati su questo computer. Acceda di nuovo al sistema, oppure apra il gestore delle password del sistema. Poi riprovi.',
  keychain_entry_lost:
    'La chiave dei dati di questo computer manca nel portachiavi. I dati restano come sono. Configuri di nuovo la connessione con il suo file della chiave. Se non basta, ripristini il portachiavi o ricominci con --set-aside: i vecchi dati vengono allora messi da parte, non eliminati, e un pacchetto di lavoro riporta il lavoro non trasmesso.',
  vault_passphrase_wrong:
    'La password dell’archivio delle chiavi è errata. Nulla è stato modificato. Verifichi DESK_VAULT_PASSPHRASE.',
  no_connection:
    'Non è ancora configurata alcuna connessione al partner. Ne configuri una, ad esempio con «{command} connect».',
  connection_known:
    'La connessione «{name}» ha già questo indirizzo e questo ID del client. Nulla è stato modificato.',
  connection_holds_work:
    'Questa connessione contiene lavoro che non esiste altrove: voci della coda {entries}, bozze {drafts}, testi digitati {texts}, copie {backups}. Non è stato rimosso nulla. Lo guardi e confermi ancora una volta (riga di comando: --with-work).',
  practice_only:
    'Funziona solo nello spazio di esercizio. Lo apra nelle impostazioni sotto «Connessione».',
  credentials_invalid:
    'Nei dati di accesso «{field}» non è corretto: {rule}. Nulla è stato salvato. Verifichi il file.',
  base_url_invalid:
    '«{field}» non è un indirizzo utilizzabile: {rule}. Nulla è stato salvato. È atteso un indirizzo come https://api.example.ch.',
  offline:
    '{host} non è raggiungibile: nessuna rete. Il suo lavoro è salvato su questo computer e viene trasmesso da sé non appena la rete ritorna.',
  address_unknown:
    'Il nome {host} non è noto in rete. Il suo lavoro è salvato su questo computer. Verifichi l’indirizzo di base e la connessione di rete.',
  connection_refused:
    '{host} non accetta connessioni. Il suo lavoro è salvato su questo computer e viene trasmesso più tardi. Se la situazione persiste, verifichi indirizzo e porta.',
  connection_lost:
    'La connessione con {host} si è interrotta. Il suo lavoro è salvato su questo computer; il Desk riprova da sé.',
  timeout:
    '{host} non ha risposto in tempo. Il suo lavoro è salvato su questo computer; il Desk riprova da sé.',
  certificate_untrusted:
    'Il certificato di {host} non è affidabile: {reason}. Nulla è stato inviato, il suo lavoro è salvato. Avvisi il servizio informatico; questo controllo non si può aggirare.',
  captive_portal:
    'Al posto del partner ha risposto un’altra pagina, probabilmente la pagina di accesso di una rete Wi-Fi. Nulla è stato ripreso, il suo lavoro è salvato. Acceda al Wi-Fi nel browser.',
  proxy_sign_in:
    'Il proxy sulla via per {host} chiede nome e password; il Desk si annuncia solo con il conto del sistema. Il suo lavoro è salvato su questo portatile. Lo segnali al suo reparto informatico.',
  answer_foreign:
    'Dalla parte del partner, a questa richiesta ha risposto una pagina invece dei dati (stato {status}), per esempio quella del suo firewall. La rete non c’entra. Il suo lavoro è salvato qui; se la situazione persiste, dia i dettagli tecnici al partner.',
  answer_too_large:
    'La risposta del partner supera {maxMegabytes} MB e non è stata letta. Su questo computer nulla è stato modificato. Se la situazione persiste, dia i dettagli tecnici al partner.',
  redirect_refused:
    '{host} voleva rinviare la richiesta a un altro indirizzo; il Desk l’ha rifiutato. Il suo lavoro è salvato. Verifichi l’indirizzo di base.',
  clock_wrong:
    'L’orologio di questo computer è sfasato di {offsetMinutes} {offsetMinutes|minuto|minuti}, perciò il partner rifiuta. Il suo lavoro è salvato. Imposti l’ora automatica.',
  client_id_unknown:
    'Il partner non conosce l’ID client «{clientId}». Verifichi l’ID client nei dati di accesso.',
  key_rejected:
    'Il partner non conosce questa chiave per questo ID client. Verifichi che chiave e ID client vadano insieme.',
  access_revoked:
    'Il gateway del suo ufficio non ammette più questo computer: l’accesso è stato revocato. Il lavoro non consegnato resta su questo computer e si può salvare in una copia. Chieda un nuovo codice d’iscrizione al suo servizio informatico.',
  code_refused:
    'Il gateway non accetta questo codice: è digitato male, già usato o scaduto. Nulla è stato salvato. Lo verifichi o ne chieda uno nuovo al suo servizio informatico.',
  gateway_missing:
    'All’indirizzo {host} non c’è alcun gateway d’ufficio. Nulla è stato salvato. Verifichi l’indirizzo.',
  audience_wrong:
    'L’indirizzo del token (audience) «{audience}» non è corretto. Lo riporti esattamente come lo indica il partner.',
  sign_in_refused:
    'Il partner rifiuta l’accesso senza dirne il motivo. Più probabilmente la chiave non appartiene all’ID client «{clientId}», oppure l’indirizzo dei token (audience) «{audience}» è scritto diversamente presso il partner, oppure questi non conosce l’ID client. Verifichi i tre punti in quest’ordine.',
  path_unknown:
    'All’indirizzo {address} questa interfaccia non esiste (stato {status}). Il Suo lavoro è salvato. Verifichi l’indirizzo di base e, se il Suo reparto IT ne ha impostati, i percorsi.',
  organization_kind_wrong:
    'Questi dati di accesso non appartengono a un’organizzazione di periti. Usi quelli dei periti.',
  unauthorized:
    'Il partner ha rifiutato l’autenticazione. Il suo lavoro è salvato su questo computer. Verifichi la connessione; se la situazione persiste, dia i dettagli tecnici al servizio informatico.',
  rate_limited:
    'Il partner chiede una pausa fino a {until}. Il suo lavoro è salvato; poi si prosegue da sé.',
  limit_lowered:
    'Il partner ammette per ora solo {perMinute} {bucket} al minuto. Nulla va perso, ma tutto dura di più; da {until} il Desk ne prova di nuovo di più.',
  server_refused:
    'Il partner non l’ha accettato: {title}. Il suo lavoro resta salvato su questo computer. Guardi i dettagli e riprovi, oppure elimini la voce.',
  server_failed:
    'Presso il partner si è verificato un errore. Il suo lavoro è salvato su questo computer; il Desk riprova da sé.',
  answer_invalid:
    'La risposta del partner non corrisponde a quanto convenuto. Su questo computer nulla è stato modificato. Se la situazione persiste, dia i dettagli tecnici al servizio informatico.',
  records_unreadable:
    '{count} elementi del partner non si possono leggere; il primo è {id}, nel punto «{place}». Sono conservati come sono arrivati, e tutti gli altri ci sono. Lo segnali al partner.',
  case_time_ahead:
    '{count} {count|caso ha|casi hanno} presso il partner una data di modifica nel futuro; il primo è {externalKey}. Sono salvati e mostrati. Lo segnali al partner.',
  answer_mismatch:
    'La risposta del partner non corrisponde a ciò che è stato inviato, e verificando non risultava presso il partner. Resta salvato qui e non conta come consegnato. Riprovi, oppure chieda al partner; i dettagli tecnici indicano il punto.',
  server_kept_other:
    'Il partner ha confermato il suo inserimento, ma ha qualcos’altro: «{field}» là è {found}, ed è stato inviato {sent}. Il suo inserimento è salvato qui e non conta come consegnato. Lo invii di nuovo, lo modifichi, oppure lo scarti per accettare il valore del partner.',
  reopening_without_effect:
    'Il partner ha confermato la riapertura, ma il caso là è ancora chiuso. La sua riapertura è salvata qui. Riprovi, oppure chieda al partner.',
  report_still_draft:
    'Il partner ha confermato che il rapporto è inoltrato, ma là è ancora una bozza. Il suo rapporto è salvato qui e non conta come consegnato. Riprovi, oppure chieda al partner.',
  report_not_listed:
    'Il partner ha confermato che il rapporto è inoltrato, ma non lo elenca. Il suo rapporto è salvato qui con la sua prova. Chieda al partner prima di inoltrarlo ancora una volta.',
  documents_not_there:
    'Il partner ha confermato i documenti, ma non li ha tutti: {count} {count|manca|mancano}, il primo è {fileName}. Non è stato inoltrato nulla; sono salvati qui. Riprovi, oppure chieda al partner.',
  server_draft_gone:
    'Qualcuno elimina ogni volta la bozza di questo rapporto presso il partner. Il suo rapporto e i suoi file sono salvati qui. Chiarisca chi lo fa; poi riprovi: la bozza viene rifatta con gli stessi file.',
  case_awaits:
    'Il caso ha lo stato «{status}». Il suo lavoro è salvato qui e parte da solo non appena il caso è accettato, nel portale dell’assicuratore.',
  server_draft_exists:
    'Presso il partner è già aperta per questo caso una bozza di rapporto che non viene da questo computer. Il suo rapporto resta salvato qui. Chiarisca di chi è l’altra bozza; poi riprovi, oppure la usi per il suo rapporto.',
  server_draft_documents:
    'Nella bozza di rapporto presso il partner ci sono documenti che non provengono da questo computer: {count}. Non è stato inviato nulla; il suo rapporto resta salvato qui. Li faccia togliere là e riprovi, oppure decida qui: inviare con essi o toglierli prima.',
  server_case_gone:
    'La sua organizzazione non ha più accesso a questo caso presso il partner. Il suo lavoro resta salvato su questo computer. Chieda all’assicuratore.',
  server_value_changed:
    '«{field}» è stato nel frattempo modificato, probabilmente da qualcuno della sua organizzazione, perché solo i periti impostano questo valore: da {seen} a {found}; il suo valore è {mine}. Il suo valore è salvato. Scelga quale deve valere.',
  outcome_unknown:
    'Non si sa ancora se il partner ha eseguito l’ultima trasmissione. Il suo lavoro è salvato; il Desk chiede al partner prima di ripetere qualcosa.',
  home_in_use:
    'Un altro Desk ha già aperto questa cartella (processo {pid}). Nulla è stato modificato. Usi quello o lo chiuda prima.',
  home_newer:
    'Questi dati provengono da una versione più recente del Desk. Non sono stati toccati. Installi la versione più recente.',
  home_trial:
    'Questi dati provengono da una versione di prova del Desk, che questa versione non può leggere. Non sono stati toccati. Avvii con un’altra cartella (--home), o sposti questa.',
  home_unwritable:
    'Non si può scrivere nella cartella del Desk: {reason}. Verifichi i permessi o ne scelga un’altra con --home.',
  settings_invalid:
    'Il file delle impostazioni {fileName} è danneggiato. È stato lasciato com’è e non è stato cambiato nient’altro. Lo ripristini da un backup o lo mostri alla sua informatica.',
  policy_invalid:
    'Il file dei criteri {fileName} non è valido. Punto: {place}. Motivo: {detail}. Non è stato avviato nulla. Il suo servizio IT deve correggere il file.',
  work_corrupt:
    'Il file con il suo lavoro non trasmesso è danneggiato. È stato messo da parte e non sovrascritto; può riprendere l’ultima copia verificata, nelle impostazioni o con «{command} restore --backup».',
  work_lost:
    'Il file con il suo lavoro non trasmesso è danneggiato, e nessuna delle sue copie è intatta. È stato messo da parte e non sovrascritto; verifichi presso l’assicuratore che cosa è arrivato.',
  disk_full:
    'Il disco è pieno. Quanto era salvato è intatto; l’ultima immissione non è stata presa. Faccia spazio e riprovi.',
  internal:
    'Nel Desk si è verificato un errore inatteso. Il lavoro salvato non ne è toccato. Riprovi e comunichi al servizio informatico il riferimento {correlationId}.',
};

export const errorWords: ErrorWords = {
  notEntered: 'non inserito',
  unknown: 'sconosciuto',
  fields: {
    connection: 'Connessione',
    sheet: 'Tabella',
    folder: 'Cartella',
    costEstimateRappen: 'Stima dei costi',
    approvedRappen: 'Importo approvato',
    expertComment: 'Commento',
    comment: 'Commento',
    text: 'Testo',
    reason: 'Motivo',
    baseUrl: 'Indirizzo di base',
    audience: 'Indirizzo del token (audience)',
    clientId: 'ID client',
    privateKey: 'Chiave privata',
    privateKeyPem: 'Chiave privata',
    keyPassphrase: 'Password della chiave',
    scope: 'Scope',
    name: 'Nome',
    fileName: 'Nome del file',
    status: 'Stato',
    category: 'Categoria',
    file: 'File',
    passphrase: 'Passphrase',
    id: 'Numero',
  },
  rules: {
    not_deletable: 'l’applicazione non potrebbe eliminarlo dopo averlo ripreso',
    gateway_alone:
      'con un gateway non servono indirizzo di base, audience o client ID: li comunica da sé',
    no_certificate: 'non contiene un certificato (PEM)',
    absolute: 'serve un percorso completo',
    not_a_picture: 'il contenuto non è un’immagine',
    cut_off: 'manca la fine del file',
    too_large: 'ha più di 100 milioni di pixel',
    too_many_pages: 'ha più di 100 pagine',
    unreadable: 'non è leggibile',
    required: 'manca l’indicazione',
    url: 'indirizzo non valido',
    scheme: 'l’indirizzo deve iniziare con https://',
    'no-credentials': 'l’indirizzo non deve contenere né nome utente né password',
    json: 'JSON non valido',
    empty: 'vuoto',
    too_long: 'troppo lungo',
    separator: 'contiene una barra',
    control: 'contiene caratteri di controllo',
    too_small: 'troppo piccolo o troppo corto',
    too_big: 'troppo grande o troppo lungo',
    invalid_type: 'l’indicazione non ha la forma giusta',
    invalid_format: 'l’indicazione non ha la forma giusta',
    invalid_union: 'l’indicazione non ha la forma giusta',
    invalid_value: 'valore sconosciuto',
    every_attachment_once: 'ogni file deve figurare esattamente una volta',
    not_a_code: 'non è un codice postale di quattro cifre né un intervallo di due',
    backwards: 'l’intervallo finisce prima del suo inizio',
    says_nothing: 'non indica codici postali, categorie o persone',
    policy: 'la sua organizzazione l’ha fissata',
    unknown: 'sconosciuto',
  },
  found: {
    empty: 'un file vuoto',
    'public-key': 'una chiave pubblica',
    certificate: 'un certificato',
    'certificate-request': 'una richiesta di certificato',
    'ec-key': 'una chiave EC',
    'ed-key': 'una chiave Ed25519 o Ed448',
    'dsa-key': 'una chiave DSA',
    'dh-key': 'una chiave Diffie-Hellman',
    'rsa-pss-key': 'una chiave solo per RSA-PSS',
    'symmetric-key': 'una chiave simmetrica',
    'openssh-key': 'una chiave OpenSSH',
    'putty-key': 'una chiave PuTTY',
    'pgp-key': 'una chiave PGP',
    'key-set': 'un elenco di chiavi (JWKS)',
    json: 'un file JSON senza chiave',
    pdf: 'un PDF',
    binary: 'un file binario',
    text: 'testo semplice',
    'unknown-pem': 'un file PEM di altro genere',
    'unsupported-encryption': 'una chiave con una cifratura non supportata',
    'damaged-key': 'una chiave danneggiata',
    'no-package': 'un altro file',
    'damaged-package': 'un pacchetto di lavoro danneggiato o incompleto',
  },
  reasons: {
    DEPTH_ZERO_SELF_SIGNED_CERT: 'è autofirmato',
    SELF_SIGNED_CERT_IN_CHAIN: 'il suo emittente è sconosciuto',
    UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'il suo emittente è sconosciuto',
    UNABLE_TO_GET_ISSUER_CERT: 'il suo emittente è sconosciuto',
    UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'il suo emittente è sconosciuto',
    CERT_UNTRUSTED: 'il suo emittente è sconosciuto',
    CERT_HAS_EXPIRED: 'è scaduto',
    CERT_NOT_YET_VALID: 'non è ancora valido',
    ERR_TLS_CERT_ALTNAME_INVALID: 'vale per un altro nome',
    HOSTNAME_MISMATCH: 'vale per un altro nome',
    CERT_REVOKED: 'è stato revocato',
    'vault-unreadable': 'l’archivio delle chiavi è danneggiato',
    ENOENT: 'la cartella non esiste',
    EISDIR: 'è una cartella',
    EACCES: 'mancano i permessi',
    EPERM: 'mancano i permessi',
    EROFS: 'il supporto è protetto da scrittura',
    ENOTDIR: 'una parte del percorso non è una cartella',
  },
  titles: {
    forbidden: 'la sua organizzazione non ha accesso a questo caso',
    not_found: 'il partner non conosce il caso o il documento',
    org_without_members: 'la sua organizzazione non ha membri presso il partner',
    invalid_org_context: 'i dati di accesso appartengono a un altro tipo di organizzazione',
    invalid_state: 'lo stato del caso non lo permette',
    invalid_document: 'un documento non è valido',
    missing_documents: 'al rapporto mancano documenti',
    unsupported_content_type: 'un tipo di file non è ammesso',
    size_limit_exceeded: 'un file è troppo grande',
    invalid_request: 'un’indicazione non è valida',
    invalid_payload: 'i dati del caso non sono validi',
  },
  buckets: {
    standard: 'richieste',
    documents: 'richieste di documenti',
  },
};
