import type { CommandLineHints, ErrorSentences, ErrorWords, ReadRefusals } from '../texts.ts';

/**
 * Italian sentences, Swiss typography: what happened, what is safe, what to do. In brackets: what only
 * a desk that stays open can promise.
 */
export const errorSentences: ErrorSentences = {
  invalid_input:
    'Il valore di «{field}» non è valido: {rule}. Nulla è stato modificato. Lo corregga, per favore.',
  amount_not_a_number:
    '«{field}» non è un importo: {value}. Nulla è stato modificato. Scriva l’importo ad esempio così: 12’345.60.',
  amount_negative:
    '«{field}» non può essere negativo. Nulla è stato modificato. Inserisca 0 o di più.',
  amount_too_many_decimals:
    '«{field}» ha più di due cifre dopo il punto. Nulla è stato modificato. Inserisca l’importo al centesimo, con un punto davanti ai centesimi.',
  amount_too_large:
    '«{field}» è troppo alto. Nulla è stato modificato. L’importo massimo è CHF\u00a0999’999’999.99.',
  comment_too_long:
    'Il commento è troppo lungo ({length} caratteri). Nulla è stato modificato. Lo accorci a {max} caratteri al massimo.',
  reason_missing:
    'Manca il motivo. Nulla è stato modificato. Inserisca un motivo da 1 a 4000 caratteri.',
  reason_too_long:
    'Il motivo è troppo lungo ({length} caratteri). Nulla è stato modificato. Lo accorci a {max} caratteri al massimo.',
  case_ambiguous:
    '{count} casi hanno il numero {id}. Nulla è stato modificato. Scelga il caso nell’elenco, o lo indichi con il suo ID.',
  case_not_found:
    'Il caso {id} non è su questo dispositivo. Verifichi il numero o sincronizzi prima.',
  document_not_found:
    'Questo documento non è noto su questo dispositivo. Ricarichi l’elenco dei documenti o sincronizzi.',
  positions_unknown:
    'Le posizioni di «{fileName}» non sono leggibili con certezza: serve un PDF con testo o un XLSX le cui posizioni danno il totale al centesimo.',
  view_name_taken: 'Esiste già una vista «{name}». Scelga un altro nome.',
  view_not_found: 'La vista «{name}» non c’è più: un’altra finestra l’ha eliminata.',
  draft_not_found:
    'Questa bozza di rapporto non c’è: non è stata iniziata, è stata eliminata o già trasmessa. Controlli nella posta in uscita.',
  own_rule_invalid:
    'La regola per «I miei casi» non è leggibile, riga {line}: «{text}», {rule}. Nulla è stato modificato. Scriva un NPA o un intervallo per riga, per esempio 6500–6999.',
  text_block_invalid:
    'Il testo pronto «{entry}» contiene alla riga {line} un campo che non esiste: {text}. Nulla è stato modificato.',
  texts_file_invalid:
    'Il file «{fileName}» non contiene testi pronti né liste di controllo. Nulla è stato modificato.',
  texts_entry_invalid:
    'La voce {entry} del file non è leggibile: {rule}. Nulla è stato modificato.',
  sheet_unreadable:
    'La tabella «{fileName}» non è leggibile dalla riga {line}. Nulla è stato modificato. La salvi come CSV o XLSX.',
  sheet_columns:
    'Nella tabella manca il numero di sinistro o una colonna da importare. Nulla è stato modificato. Usi le intestazioni dell’elenco esportato: Numero di sinistro, Preventivo, Importo approvato, Commento.',
  sheet_not_found:
    '«{fileName}» non ha un foglio «{name}». Nulla è stato ripreso. I fogli sono: {names}.',
  sheet_cells_beyond:
    'La colonna {column} contiene «{value}» ma non ha un titolo. Forse in un testo o in un importo c’è un separatore senza virgolette. Corregga la riga o la tralasci.',
  sheet_cell_control:
    'La colonna {column} contiene caratteri di controllo o lettere perdute (�). Li corregga o salvi la tabella come CSV (UTF-8), poi la rilegga.',
  sheet_cell_quote:
    'Nella colonna {column} un testo inizia con virgolette che non vengono chiuse. Le aggiunga o le tolga (nel testo le virgolette si raddoppiano), oppure tralasci la riga.',
  sheet_line_twice:
    'Questo caso è già alla riga {line}. Nulla è stato modificato. Tenga una sola delle due righe.',
  sheet_cell_empty:
    '«{field}» è una formula senza risultato salvato. La riga non è stata ripresa. Apra la tabella in Excel e la salvi di nuovo, oppure inserisca il valore.',
  sheet_cell_failed:
    '«{field}» è una formula con un errore: {value}. La riga non è stata ripresa. Corregga la tabella.',
  template_refused:
    '«{fileName}» non può servire da modello: {rule}{thing}. Non è stato aggiunto nulla.',
  template_ambiguous:
    'Più modelli si chiamano «{name}». Nulla è stato modificato. Ne indichi uno così: {ids}.',
  template_wrong_category:
    'Il modello «{fileName}» è per casi di un’altra categoria. Non è stato compilato nulla. Scelga un modello per questo caso.',
  template_not_found:
    'Questo modello non esiste più: è stato rimosso, o la sua cartella non è raggiungibile. Ne scelga un altro.',
  template_folder_unreachable:
    'La cartella dei modelli della sua organizzazione non è raggiungibile: {folder}. I suoi modelli mancano finché non lo è di nuovo; gli altri si possono compilare.',
  template_faulty:
    'Il modello «{fileName}» ha {count} {count|errore|errori} e non può essere compilato. Le impostazioni indicano i punti; li corregga in Word.',
  pdf_program_missing:
    'Su questo dispositivo non c’è LibreOffice per creare un PDF. Il rapporto è invariato. Esporti il PDF in Word.',
  pdf_not_made:
    'Da «{fileName}» non è stato possibile creare un PDF. Il rapporto è invariato. Esporti il PDF in Word o LibreOffice.',
  pdf_incomplete:
    'Nel PDF «{fileName}» manca qualcosa: {thing}. Non è stato ripreso, e il rapporto è invariato. Esporti il PDF in Word o LibreOffice.',
  annex_not_bound:
    '«{fileName}» non può far parte del PDF unico: {rule}. Il rapporto è invariato. Deselezioni il file; sarà trasmesso come file a sé.',
  document_open:
    '«{fileName}» è ancora aperto in Word o LibreOffice. Nulla è stato modificato. Lo chiuda prima; ciò che salva in seguito diventa un altro documento della bozza.',
  queue_row_not_found: 'Nella posta in uscita non c’è la voce {id}. Verifichi il numero.',
  queue_row_state:
    'La voce {id} è nello stato «{state}», che non lo permette. Nulla è stato modificato.',
  newer_act:
    'Nel frattempo ha creato la voce {id} per questo caso, che resta valida. Nulla è stato modificato.',
  case_state: 'Il caso ha lo stato «{status}», che non lo permette. Nulla è stato modificato.',
  file_not_found:
    'Il file «{fileName}» non si trova o non si può leggere. Nulla è stato aggiunto. Verifichi il nome e la cartella.',
  file_unreadable:
    '«{fileName}» non è leggibile e non è stato aggiunto: il file è stato spostato, è aperto in un altro programma o si trova in un cloud. Lo apra una volta, lo chiuda e lo aggiunga di nuovo.',
  file_not_regular:
    '«{fileName}» non è un file normale, ma un dispositivo o una pipe. Nulla è stato letto. Salvi il contenuto in un file e scelga quello.',
  file_is_link:
    '«{fileName}» è un collegamento, che non viene seguito. Nulla ne è stato aggiunto. Metta il file stesso nella cartella.',
  file_changing: 'Il file «{fileName}» è ancora in fase di scrittura. Riprovi tra qualche secondo.',
  file_empty: 'Il file «{fileName}» è vuoto e non è stato aggiunto.',
  file_too_large:
    'Il file «{fileName}» è troppo grande ({sizeBytes}). Non è stato aggiunto. Il massimo è {maxBytes}; lo riduca o lo divida.',
  file_type_not_allowed:
    'L’assicuratore non accetta il tipo del file «{fileName}». Non è stato aggiunto. Sono ammessi PDF, JPEG, PNG, WebP, HEIC, TIFF, testo, CSV, e-mail (EML), ZIP, Word (DOCX) ed Excel (XLSX).',
  file_type_mismatch:
    'Il contenuto del file «{fileName}» non corrisponde al nome. Non è stato aggiunto. Lo apra nel programma d’origine e lo salvi di nuovo.',
  office_protected:
    'Il file «{fileName}» è protetto da una password o ha il vecchio formato di Office (DOC, XLS). Non è stato aggiunto. Lo salvi senza password come DOCX o XLSX.',
  file_name_invalid:
    'Il nome del file «{fileName}» non è ammesso: {rule}. Il file non è stato aggiunto. Lo rinomini.',
  file_kind: 'Il file «{fileName}» non è stato aggiunto: {rule}.',
  file_in_cloud:
    '«{fileName}» si trova in un cloud e non su questo dispositivo. Il file non è stato aggiunto. Lo apra una volta o renda la sua cartella disponibile offline, poi lo aggiunga di nuovo.',
  pdf_damaged:
    'Il file PDF «{fileName}» è danneggiato o incompleto e non si può aprire. Non è stato aggiunto. Lo salvi o lo scansioni di nuovo.',
  pdf_looks_damaged:
    'Alcune immagini del file PDF «{fileName}» sembrano danneggiate e senza la finestra nessuno lo vede prima dell’invio. Non è stato aggiunto. Guardi le pagine; lo scansioni di nuovo o lo aggiunga nella finestra.',
  file_damaged:
    'Il file «{fileName}» è danneggiato o incompleto: {rule}. Non è stato aggiunto. Lo copi o lo salvi di nuovo.',
  file_too_heavy:
    'Non è possibile aprire «{fileName}» fino alla fine: decompresso, il file richiede più memoria o tempo di qualsiasi documento. Non è stato aggiunto. Lo salvi di nuovo, per esempio stampandolo in PDF, oppure lo divida.',
  file_unchecked:
    'Non è stato possibile verificare «{fileName}», perché a questo dispositivo manca memoria o la verifica si è interrotta. Il file non è stato aggiunto. Chiuda altri programmi e lo aggiunga di nuovo; se non basta, riavvii Appraiser Desk.',
  mail_files_left_out:
    '«{fileName}» contiene più di 1000 file. Questi {n} non sono stati aggiunti: {names}. Apra l’e-mail nel suo programma di posta e li salvi da lì.',
  photo_changed:
    'La Sua ultima modifica di «{fileName}» non è stata salvata, perché un’altra finestra di Appraiser Desk ha modificato prima la foto. La foto è mostrata nel suo stato attuale; ripeta la modifica.',
  photo_unusable:
    'La foto «{fileName}» non è stata aggiunta al rapporto: {rule}. Il file originale resta invariato.',
  hand_over_unsure:
    'L’assegnazione non è confermata: il gateway dell’ufficio ha risposto per {done} casi su {total}. Ripeta l’operazione appena è raggiungibile; la stessa assegnazione ripetuta non cambia nulla.',
  hand_over_refused:
    'Il gateway dell’ufficio ha rifiutato l’assegnazione: la persona non c’è più, oppure questo dispositivo non può più assegnare. Casi assegnati: {done} su {total}. Si rivolga a chi gestisce il gateway.',
  hand_over_stopped:
    'Il gateway dell’ufficio non era raggiungibile o non ha eseguito l’assegnazione. Casi assegnati: {done} su {total}. Ripeta l’operazione più tardi; la stessa assegnazione ripetuta non cambia nulla.',
  draft_filled_otherwise:
    'Una bozza di questo caso contiene già un documento compilato con altri valori. Resta così com’è: la compili di nuovo o la elimini.',
  photo_unready:
    'La foto «{fileName}» non può essere trasmessa senza la finestra: il luogo, la fotocamera e altri dati nascosti non hanno potuto essere rimossi (file danneggiato o troppo grande). Apra il rapporto nella finestra; lì la foto viene preparata oppure viene indicato il motivo.',
  telephone_unavailable:
    'Al momento non è possibile collegare alcun telefono: questo dispositivo non si trova in nessuna rete privata ammessa a tale scopo. Non è stato modificato nulla. Lo colleghi alla rete dell’ufficio o all’hotspot del telefono.',
  draft_without_documents:
    'Il rapporto non ha ancora alcun file. La bozza resta salvata. Aggiunga almeno un file.',
  draft_busy:
    'I file di questo rapporto sono ancora in lavorazione. Il rapporto non è ancora inoltrato. Riprovi quando saranno pronti.',
  file_exists: 'Esiste già un file {fileName}. Non è stato sovrascritto. Scelga un altro nome.',
  file_unwritable:
    'Il file {fileName} non può essere scritto: {reason}. Scelga un’altra posizione.',
  file_not_opened:
    'Il contenuto di «{fileName}» non corrisponde al nome. Il documento non è stato passato ad altri programmi. Se le serve, salvi una copia.',
  no_program:
    'Nessun programma di questo dispositivo ha potuto aprire «{fileName}». Salvi una copia e la apra manualmente.',
  drag_let_go:
    '«{fileName}» non era ancora pronto quando ha rilasciato il pulsante. Nulla è stato depositato. Trascini di nuovo il documento tenendo premuto il pulsante più a lungo.',
  package_unreadable:
    'Non è una copia di sicurezza che l’applicazione possa leggere. Nulla è stato ripristinato.',
  package_damaged:
    'Questa copia di sicurezza è danneggiata o incompleta. Nulla è stato ripristinato. Ne prenda un altro esemplare, oppure una copia precedente.',
  package_passphrase_wrong:
    'La frase segreta non corrisponde a questa copia di sicurezza. Nulla è stato ripristinato. Riprovi.',
  package_other_connection:
    'Questa copia di sicurezza appartiene alla connessione «{name}». Nulla è stato ripristinato. Apra o configuri questa connessione, poi riprovi.',
  backup_passphrase_missing:
    'Non è possibile creare una copia di sicurezza automatica: nel portachiavi di questo dispositivo manca la frase segreta. La imposti in Impostazioni › Copia di sicurezza.',
  resubmission_unsure:
    'Questo rapporto è già stato inviato e non si trova presso l’assicuratore così com’è qui. Da allora però è stato inoltrato un rapporto per il caso; forse è questo, modificato dall’assicuratore o in una versione precedente. Il suo rapporto è ancora salvato qui. Verifichi il caso presso l’assicuratore: se il rapporto vi manca, lo inoltri comunque, altrimenti scarti la voce.',
  restored_unsure:
    'Questo lavoro proviene da una copia di sicurezza, e nel frattempo per questo caso è stato inoltrato un rapporto, forse da un altro dispositivo. Il suo rapporto resta salvato qui. Verifichi il caso presso l’assicuratore: se il suo rapporto manca, lo inoltri comunque, altrimenti scarti la voce.',
  reopening_unsure:
    'Non si sa se il caso è stato riaperto: non è arrivata alcuna risposta, e da allora il caso è stato modificato presso l’assicuratore ed è chiuso. Il suo motivo resta salvato qui. Verifichi il caso presso l’assicuratore: se va riaperto, riprovi, altrimenti scarti la voce.',
  key_unreadable:
    'Non è una chiave privata leggibile, ma {found}. Nulla è stato salvato. Scelga il file della chiave scaricato nelle impostazioni della sua organizzazione (PEM o JWK).',
  key_not_rsa:
    'La chiave non è una chiave RSA, ma {found}. Nulla è stato salvato. Scelga la chiave RSA della sua organizzazione.',
  key_too_short:
    'La chiave RSA ha solo {bits} bit. Nulla è stato salvato. L’assicuratore richiede almeno 2048 bit; crei una nuova chiave.',
  key_passphrase_needed:
    'La chiave è protetta da una password. Nulla è stato salvato. Indichi la password della chiave.',
  key_passphrase_wrong:
    'La password non corrisponde a questa chiave. Nulla è stato salvato. Riprovi.',
  keychain_unavailable:
    'Questo sistema non ha un portachiavi. Nulla è stato salvato senza cifratura. Ne installi uno o si rivolga al suo servizio informatico.',
  keychain_locked:
    'Il portachiavi di questo sistema è bloccato. Tutti i dati restano invariati e cifrati su questo dispositivo. Lo sblocchi: acceda di nuovo al sistema, oppure apra il gestore delle password del sistema. Poi riprovi.',
  keychain_unreachable:
    'Il portachiavi di questo sistema non risponde. Tutti i dati restano invariati e cifrati su questo dispositivo. Acceda di nuovo al sistema, oppure apra il gestore delle password del sistema. Poi riprovi.',
  keychain_entry_lost:
    'La chiave dei dati di questo dispositivo manca nel portachiavi. I dati sono invariati, ma non possono essere aperti. Configuri di nuovo la connessione con il file della chiave. Se non basta, si rivolga al suo servizio informatico.',
  vault_passphrase_wrong:
    'La frase segreta dell’archivio delle chiavi è errata. Nulla è stato modificato.',
  vault_passphrase_missing:
    'La frase segreta dell’archivio delle chiavi manca. Nulla è stato modificato.',
  no_connection: 'Non è ancora configurata alcuna connessione a un assicuratore.',
  connection_known:
    'La connessione «{name}» ha già questo indirizzo e questo Client ID. Nulla è stato modificato.',
  connection_holds_work:
    'Questa connessione contiene lavoro che non esiste altrove. Voci della posta in uscita: {entries}, bozze: {drafts}, inserimenti: {texts}, copie di sicurezza: {backups}. Nulla è stato rimosso. Verifichi e confermi ancora una volta.',
  practice_only:
    'Questa azione è possibile solo nello spazio di esercitazione. Lo apra nelle impostazioni sotto «Connessione».',
  credentials_invalid:
    'Nei dati di accesso «{field}» non è corretto: {rule}. Nulla è stato salvato. Verifichi il file.',
  base_url_invalid:
    '«{field}» non è un indirizzo utilizzabile: {rule}. Nulla è stato salvato. È atteso un indirizzo come https://api.example.ch.',
  offline:
    '{host} non è raggiungibile: nessuna connessione. Il suo lavoro è salvato su questo dispositivo[ e viene trasmesso automaticamente non appena è di nuovo online].',
  address_unknown:
    'Il nome {host} non è noto in internet. Il suo lavoro è salvato su questo dispositivo. Verifichi l’indirizzo di base e la connessione.',
  connection_refused:
    '{host} non accetta connessioni. Il suo lavoro è salvato su questo dispositivo[ e viene trasmesso più tardi]. Se la situazione persiste, verifichi indirizzo e porta.',
  connection_lost:
    'La connessione con {host} si è interrotta. Il suo lavoro è salvato su questo dispositivo[; l’applicazione riprova automaticamente].',
  timeout:
    '{host} non ha risposto in tempo. Il suo lavoro è salvato su questo dispositivo[; l’applicazione riprova automaticamente].',
  certificate_untrusted:
    'Il certificato di {host} non è affidabile: {reason}. Nulla è stato trasmesso; il suo lavoro è salvato. Avvisi il servizio informatico; questo controllo non si può aggirare.',
  captive_portal:
    'Al posto dell’assicuratore ha risposto un’altra pagina, probabilmente la pagina di accesso di una rete Wi-Fi. Nessun dato è stato ripreso; il suo lavoro è salvato. Acceda alla rete Wi-Fi nel browser.',
  proxy_sign_in:
    'Il proxy verso {host} chiede nome e password; Appraiser Desk accede solo con l’account del sistema. Il suo lavoro è salvato su questo dispositivo. Lo segnali al suo servizio informatico.',
  answer_foreign:
    'Al posto dell’assicuratore ha risposto una pagina web (stato {status}), per esempio quella di un firewall. Il suo lavoro è salvato qui; se la situazione persiste, dia i dettagli tecnici al servizio informatico o all’assicuratore.',
  answer_too_large:
    'La risposta dell’assicuratore supera {maxMegabytes}\u00a0MB e non è stata letta. Su questo dispositivo nulla è stato modificato. Se la situazione persiste, dia i dettagli tecnici all’assicuratore.',
  redirect_refused:
    '{host} ha tentato di reindirizzare la richiesta a un altro indirizzo; l’applicazione l’ha rifiutato. Il suo lavoro è salvato. Verifichi l’indirizzo di base.',
  clock_wrong:
    'L’assicuratore rifiuta l’ora delle richieste; l’orologio di questo dispositivo differisce dal suo di {offsetMinutes} {offsetMinutes|minuto|minuti}. Il suo lavoro è salvato. Imposti l’ora automatica; se è giusta, lo segnali all’assicuratore.',
  id_unsafe:
    'L’identificativo «{id}» contiene caratteri che un server intermedio potrebbe leggere come un altro indirizzo. Perciò non si trasmette e non si chiede nulla al riguardo. Lo segnali all’assicuratore.',
  client_id_unknown:
    'L’assicuratore non conosce il Client ID «{clientId}». Lo verifichi nei dati di accesso.',
  key_rejected:
    'L’assicuratore non conosce questa chiave per questo Client ID. Verifichi che file della chiave e Client ID corrispondano.',
  access_revoked:
    'Il gateway del suo ufficio non ammette più questo dispositivo: l’accesso è stato revocato. Il lavoro non trasmesso resta su questo dispositivo e può essere salvato in una copia di sicurezza. Chieda un nuovo codice di attivazione al servizio informatico.',
  code_refused:
    'Il gateway non accetta questo codice: è scritto male, già usato o scaduto. Nulla è stato salvato. Lo verifichi o ne chieda uno nuovo al servizio informatico.',
  gateway_missing:
    'All’indirizzo {host} non c’è alcun gateway d’ufficio. Nulla è stato salvato. Verifichi l’indirizzo.',
  audience_wrong:
    'L’indirizzo del token (audience) «{audience}» non è corretto. Lo riporti esattamente come lo indica l’assicuratore.',
  sign_in_refused:
    'L’assicuratore rifiuta l’accesso senza dirne il motivo. Molto probabilmente la chiave non appartiene al Client ID «{clientId}», oppure l’indirizzo del token (audience) «{audience}» è scritto diversamente presso l’assicuratore, oppure questi non conosce il Client ID. Verifichi i tre punti in quest’ordine.',
  path_unknown:
    'All’indirizzo {address} questa interfaccia non esiste (stato {status}). Il suo lavoro è salvato. Verifichi l’indirizzo di base e, se il suo servizio informatico ne ha impostati, i percorsi.',
  organization_kind_wrong:
    'Questi dati di accesso non appartengono a un’organizzazione di periti. Usi quelli dei periti.',
  unauthorized:
    'L’assicuratore ha rifiutato l’autenticazione. Il suo lavoro è salvato su questo dispositivo. Verifichi la connessione; se la situazione persiste, trasmetta i dettagli tecnici al servizio informatico.',
  rate_limited:
    'L’assicuratore chiede una pausa fino al {until}. Il suo lavoro è salvato[; poi la trasmissione riprende automaticamente].',
  limit_lowered:
    'L’assicuratore ammette per ora solo {perMinute} {bucket} al minuto. Nulla va perso, ma tutto dura di più; dal {until} il ritmo verrà di nuovo aumentato.',
  server_refused:
    'L’assicuratore ha rifiutato questa trasmissione: {title}. Il suo lavoro resta salvato su questo dispositivo. Consulti i dettagli e riprovi, oppure scarti la voce.',
  server_failed:
    'Presso l’assicuratore si è verificato un errore. Il suo lavoro è salvato su questo dispositivo[; l’applicazione riprova automaticamente].',
  answer_invalid:
    'La risposta dell’assicuratore non corrisponde al formato convenuto. Su questo dispositivo nulla è stato modificato. Se la situazione persiste, trasmetta i dettagli tecnici al servizio informatico.',
  list_incomplete:
    'L’elenco dei casi dell’assicuratore non si è potuto leggere per intero: {reason}. Sono stati letti {seen} casi; l’assicuratore ne conta {total}. Ciò che è stato letto è qui, ma possono mancare casi o modifiche.[ L’applicazione continua a provare.] Lo segnali all’assicuratore.',
  changes_unfiltered:
    'L’assicuratore risponde con tutti i casi, benché si chiedano solo quelli modificati ({parameter}). Perciò ogni volta viene letto l’intero elenco, automaticamente solo ogni 30 minuti. Lo segnali all’assicuratore o al suo servizio informatico.',
  records_unreadable:
    'Elementi dell’assicuratore illeggibili: {count}; il primo è {id}, nel punto «{place}». Sono conservati come sono arrivati, e tutti gli altri ci sono. Lo segnali all’assicuratore.',
  case_time_ahead:
    'Casi con una data di modifica futura presso l’assicuratore: {count}; il primo è {externalKey}. Sono salvati e visualizzati. Lo segnali all’assicuratore.',
  answer_mismatch:
    'La risposta dell’assicuratore non corrisponde a ciò che è stato trasmesso, e dalla verifica non risulta presso l’assicuratore. Resta salvato qui e non è considerato trasmesso. Riprovi, oppure chieda all’assicuratore; i dettagli tecnici indicano il punto.',
  server_has_other:
    'L’assicuratore ha confermato il suo inserimento, ma indica un altro valore: «{field}» è {found}, ed è stato trasmesso {sent}. Il suo inserimento è salvato qui e non è considerato trasmesso. Lo trasmetta di nuovo, lo modifichi, oppure lo scarti per accettare il valore dell’assicuratore.',
  reopening_without_effect:
    'L’assicuratore ha confermato la riapertura, ma presso l’assicuratore il caso è ancora chiuso. La sua riapertura è salvata qui. Riprovi, oppure chieda all’assicuratore.',
  report_still_draft:
    'L’assicuratore ha confermato che il rapporto è inoltrato, ma presso l’assicuratore è ancora una bozza. Il suo rapporto è salvato qui e non è considerato trasmesso. Riprovi, oppure chieda all’assicuratore.',
  report_not_listed:
    'L’assicuratore ha confermato che il rapporto è inoltrato, ma non lo elenca. Il suo rapporto è salvato qui con la sua prova. Chieda all’assicuratore prima di inoltrarlo ancora una volta.',
  report_cancelled:
    'L’assicuratore ha confermato che il rapporto è inoltrato, ma lo indica come annullato e senza data d’inoltro. Il suo rapporto è salvato qui e non è considerato trasmesso. Chieda all’assicuratore prima di inoltrarlo ancora una volta.',
  documents_not_there:
    'L’assicuratore ha confermato i documenti, ma non li ha tutti: {count} {count|manca|mancano}, il primo è {fileName}. Non è stato inoltrato nulla; sono salvati qui. Riprovi, oppure chieda all’assicuratore.',
  documents_not_removed:
    'L’assicuratore ha confermato di aver eliminato documenti in eccesso, ma li ha ancora: {count}, il primo è {fileName}. Non è stato inoltrato nulla; il suo rapporto è salvato qui. Riprovi, oppure chieda all’assicuratore.',
  server_draft_gone:
    'Qualcuno elimina ogni volta la bozza di questo rapporto presso l’assicuratore. Il suo rapporto e i suoi file sono salvati qui. Chiarisca chi lo fa; poi riprovi: la bozza viene rifatta con gli stessi file.',
  case_awaits:
    'Il caso ha lo stato «{status}». Il suo lavoro è salvato qui[ e sarà trasmesso automaticamente non appena il caso sarà accettato nel portale dell’assicuratore].',
  server_draft_exists:
    'Presso l’assicuratore è già aperta per questo caso una bozza di rapporto che non viene da questo dispositivo. Il suo rapporto resta salvato qui. Chiarisca di chi è l’altra bozza; poi riprovi, oppure la usi per il suo rapporto.',
  server_draft_documents:
    'Nella bozza di rapporto presso l’assicuratore ci sono documenti che non provengono da questo dispositivo: {count}. Nulla è stato inoltrato; il suo rapporto resta salvato qui. Chieda a chi li ha aggiunti di toglierli e riprovi, oppure decida qui: inoltrare il rapporto con questi documenti o eliminarli prima.',
  server_case_gone:
    'Non ha più accesso a questo caso. Il suo lavoro resta salvato su questo dispositivo. Chieda nel suo ufficio o all’assicuratore.',
  server_value_changed:
    '«{field}» è stato nel frattempo modificato, probabilmente da una persona della sua organizzazione, perché solo i periti impostano questo valore. Prima: {seen}; ora: {found}; il suo valore: {mine}. Il suo valore è salvato. Scelga quale mantenere.',
  outcome_unknown:
    'Non si sa ancora se l’assicuratore ha eseguito l’ultima trasmissione. Il suo lavoro è salvato; l’applicazione interroga l’assicuratore prima di ripetere una trasmissione.',
  home_in_use:
    'Un’altra finestra dell’applicazione usa già questa cartella di dati (processo {pid}). Nulla è stato modificato. Usi quella o la chiuda prima.',
  home_newer:
    'Questi dati provengono da una versione più recente dell’applicazione. Non sono stati modificati. Installi la versione più recente.',
  home_unknown:
    'Questi dati provengono da una versione mai pubblicata dell’applicazione, e questa versione non può leggerli. Non sono stati modificati. Ciò che non è stato trasmesso può essere trasmesso solo con quella versione. Per ricominciare, sposti la cartella di Appraiser Desk.',
  home_unwritable:
    'Non è possibile scrivere nella cartella dei dati dell’applicazione: {reason}. Verifichi i permessi.',
  settings_restored:
    'Il file delle impostazioni {fileName} mancava, era danneggiato o superato. È stato ripristinato dalle sue versioni precedenti e dalle connessioni presenti su questo dispositivo. Nessun lavoro è andato perso. Verifichi le impostazioni.',
  workspace_orphaned:
    'Su questo dispositivo si trovano dati di una connessione che le impostazioni non conoscono: {folder}. Numero: {count}; non trasmessi, voci della posta in uscita: {entries}, bozze: {drafts}, inserimenti: {texts}. Nulla è stato rimosso. Configuri di nuovo la connessione con Client ID, indirizzo e chiave; se l’avviso resta, conservi la cartella e si rivolga al servizio informatico.',
  policy_invalid:
    'Il file delle direttive {fileName} non è valido. Punto: {place}. Motivo: {detail}. Non è stato avviato nulla. Il suo servizio informatico deve correggere il file.',
  work_corrupt:
    'Il file con il suo lavoro non trasmesso è danneggiato. È stato messo da parte e non sovrascritto. Può ripristinare l’ultima copia di sicurezza verificata in Impostazioni › Copia di sicurezza.',
  work_lost:
    'Il file con il suo lavoro non trasmesso è danneggiato, e nessuna delle sue copie è intatta. È stato messo da parte e non sovrascritto; verifichi presso l’assicuratore che cosa è arrivato.',
  disk_full:
    'Il disco è pieno. Quanto era già salvato è intatto; quanto doveva essere scritto ora non lo è stato. Liberi spazio e riprovi.',
  files_exhausted:
    'Il sistema operativo non concede al programma altri file aperti. Quanto era salvato è intatto. Chiuda altri programmi e riavvii questo; se si ripete, il suo servizio informatico può alzare il limite (ulimit -n).',
  internal:
    'Nell’applicazione si è verificato un errore inatteso. Il lavoro salvato non ne è toccato. Riprovi; se non basta, comunichi al servizio informatico il riferimento {correlationId}.',
};

/** Of a request that reads and is refused: of the list of cases, and of anything else. */
export const readRefusals: ReadRefusals = {
  list: 'L’assicuratore rifiuta l’elenco dei casi (stato {status}): {title}. Quanto è stato letto prima e il suo lavoro restano salvati su questo dispositivo. Chieda nel suo ufficio o all’assicuratore.',
  other:
    'L’assicuratore non lo fornisce (stato {status}): {title}. Quanto è stato letto prima e il suo lavoro restano salvati su questo dispositivo. Chieda nel suo ufficio o all’assicuratore.',
};

/** What a command that ends adds to a sentence with a promise of the window. */
export const retryHint = 'Riprovi più tardi; {command} sync trasmette ciò che attende.';

export const commandLineHints: CommandLineHints = {
  keychain_unavailable: 'Senza portachiavi: --vault passphrase, con DESK_VAULT_PASSPHRASE.',
  keychain_entry_lost: 'Per ricominciare e mettere da parte i vecchi dati: --set-aside.',
  vault_passphrase_wrong: 'Verifichi DESK_VAULT_PASSPHRASE.',
  vault_passphrase_missing: 'Imposti DESK_VAULT_PASSPHRASE.',
  no_connection: 'Per configurarne una: {command} connect.',
  connection_holds_work: 'Per confermare: --with-work.',
  home_unknown: 'Per un’altra cartella: --home.',
  home_unwritable: 'Per un’altra cartella: --home.',
  work_corrupt: 'Per ripristinare: {command} restore --backup.',
};

export const errorWords: ErrorWords = {
  notEntered: 'non inserito',
  unknown: 'sconosciuto',
  fields: {
    connection: 'Connessione',
    sheet: 'Tabella',
    folder: 'Cartella',
    costEstimateRappen: 'Preventivo',
    approvedRappen: 'Importo approvato',
    expertComment: 'Commento',
    comment: 'Commento',
    text: 'Testo',
    reason: 'Motivo',
    baseUrl: 'Indirizzo di base',
    audience: 'Indirizzo del token (audience)',
    clientId: 'Client ID',
    privateKey: 'Chiave privata',
    privateKeyPem: 'Chiave privata',
    keyPassphrase: 'Password della chiave',
    scope: 'Scope',
    name: 'Nome',
    fileName: 'Nome del file',
    status: 'Stato',
    category: 'Categoria',
    file: 'File',
    passphrase: 'Frase segreta',
    id: 'Numero',
  },
  rules: {
    kind_text_document: 'l’assicuratore non accetta questo formato; lo salvi come PDF o come DOCX',
    kind_sheet: 'l’assicuratore non accetta questo formato; lo salvi come PDF o come XLSX',
    kind_outlook: 'solo Outlook può leggere questo file; salvi l’e-mail come EML o come PDF',
    kind_mail_program:
      'solo un programma di posta può leggere questo file; salvi l’e-mail come EML o come PDF',
    kind_video: 'l’assicuratore non accetta video; ne aggiunga singole immagini',
    kind_shortcut: 'è un collegamento; aggiunga il file a cui conduce',
    kind_cloud:
      'rappresenta un file in un cloud; lo apra una volta o lo renda disponibile offline, poi aggiunga il file stesso',
    kind_download:
      'il suo download non è terminato; lo scarichi di nuovo e aggiunga il file intero',
    kind_ending:
      'il suo contenuto sarebbe accettato, ma non con questo nome; gli dia l’estensione del contenuto, per esempio .pdf per un PDF',
    kind_archive:
      'tra gli archivi l’assicuratore accetta solo ZIP; lo decomprima e aggiunga i file',
    kind_mailbox:
      'contiene più e-mail, di cui i programmi mostrano solo la prima; le salvi in file separati',
    kind_packing:
      'alcuni file al suo interno sono compressi in un modo che molti programmi non sanno aprire; li comprima di nuovo in un normale ZIP',
    pdf_pages: 'manca una pagina o un’immagine',
    archive_directory: 'manca l’elenco dei file contenuti',
    archive_member: 'un file contenuto non si può decomprimere',
    office_main_part: 'il testo manca o si interrompe',
    office_content: 'il contenuto non è il documento Word o Excel che indica la sua estensione',
    office_sheet: 'manca un foglio o il suo testo',
    mail_end: 'manca la fine',
    text_end: 'manca la fine',
    text_control: 'contiene caratteri che non sono testo',
    template_damaged: 'non è un documento Word leggibile (.docx)',
    template_macros: 'il documento contiene macro; lo salvi come .docx',
    template_active:
      'il documento carica o avvia qualcos’altro (collegamento, controllo, oggetto incorporato)',
    template_too_large: 'il documento è troppo grande, o contiene più di quanto serve a un modello',
    template_other_format:
      'il documento non è salvato come documento Word (.docx), ma per esempio come .dotx, .doc, .odt o «Strict Open XML»; lo salvi in Word con «Salva con nome» come documento Word (.docx)',
    template_unverified: 'il documento compilato non sarebbe corretto',
    annex_unreadable: 'non si apre, o solo con una password',
    annex_signed: 'è firmato digitalmente, e la firma andrebbe persa',
    annex_form: 'il suo modulo non si può convertire in testo',
    annex_unready: 'apra prima l’immagine in «Modifica le foto»',
    annex_kind: 'possono solo PDF e immagini',
    not_deletable: 'l’applicazione non potrebbe eliminarlo dopo averlo importato',
    gateway_alone:
      'con un gateway non servono indirizzo di base, audience o Client ID: li comunica il gateway',
    no_certificate: 'non contiene un certificato (PEM)',
    broken_certificate: 'un certificato che contiene è danneggiato (PEM)',
    private_network: 'non è una rete privata come 192.168.10.0/24',
    absolute: 'serve un percorso completo',
    not_a_picture: 'il contenuto non è un’immagine',
    cut_off: 'manca la fine del file',
    too_large: 'ha più di 100 milioni di pixel',
    too_many_pages: 'ha più di 100 pagine',
    unsupported: 'questo tipo di TIFF non è supportato; lo salvi come JPEG o PDF',
    too_slow: 'il file richiede troppo tempo; probabilmente è danneggiato',
    broke_off:
      'la preparazione si è interrotta, probabilmente perché a questo dispositivo manca memoria; chiuda altri programmi e aggiunga di nuovo la foto',
    unreadable: 'non è leggibile',
    required: 'manca il valore',
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
    invalid_type: 'il valore non ha la forma giusta',
    invalid_format: 'il valore non ha la forma giusta',
    invalid_union: 'il valore non ha la forma giusta',
    invalid_value: 'valore sconosciuto',
    every_attachment_once: 'ogni file deve figurare esattamente una volta',
    not_a_code: 'non è un NPA di quattro cifre né un intervallo di due NPA',
    backwards: 'l’intervallo finisce prima del suo inizio',
    says_nothing: 'non indica NPA, categorie o persone',
    policy: 'è stabilito dalla sua organizzazione',
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
  },
  reasons: {
    repeats: 'torna sempre la stessa pagina',
    endless: 'non ha fine',
    missing: 'mancano casi che sono contati',
    changing: 'è cambiato a ogni lettura',
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
    ENOENT: 'la cartella non esiste',
    EISDIR: 'è una cartella',
    EACCES: 'mancano i permessi',
    EPERM: 'mancano i permessi',
    EROFS: 'il supporto è protetto da scrittura',
    ENOTDIR: 'una parte del percorso non è una cartella',
  },
  titles: {
    forbidden: 'non ha accesso',
    not_found: 'l’assicuratore non conosce il caso o il documento',
    org_without_members: 'la sua organizzazione non ha membri presso l’assicuratore',
    invalid_org_context: 'i dati di accesso appartengono a un altro tipo di organizzazione',
    invalid_state: 'lo stato del caso non lo permette',
    invalid_document: 'un documento non è valido',
    missing_documents: 'al rapporto mancano documenti',
    unsupported_content_type: 'un tipo di file non è ammesso',
    size_limit_exceeded: 'un file è troppo grande',
    invalid_request: 'un valore non è valido',
    invalid_payload: 'i dati del caso non sono validi',
  },
  buckets: {
    standard: 'richieste',
    documents: 'richieste di documenti',
  },
};
