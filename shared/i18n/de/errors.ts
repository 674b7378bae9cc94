import type { DeskErrorCode } from '../../desk/errors.ts';

/** German sentences, Swiss spelling: what happened, what is safe, what to do. */
export const errorSentences: Readonly<Record<DeskErrorCode, string>> = {
  invalid_input:
    'Die Angabe «{field}» ist nicht gültig: {rule}. Es wurde nichts geändert. Bitte korrigieren Sie die Angabe.',
  amount_not_a_number:
    '«{field}» ist kein Betrag: {value}. Es wurde nichts geändert. Schreiben Sie den Betrag zum Beispiel so: 12’345.60.',
  amount_negative:
    '«{field}» darf nicht negativ sein. Es wurde nichts geändert. Geben Sie 0 oder mehr ein.',
  amount_too_many_decimals:
    '«{field}» hat mehr als zwei Stellen nach dem Punkt. Es wurde nichts geändert. Geben Sie den Betrag auf den Rappen genau ein, mit einem Punkt vor den Rappen.',
  amount_too_large:
    '«{field}» ist zu gross. Es wurde nichts geändert. Möglich sind höchstens CHF 999’999’999.99.',
  comment_too_long:
    'Der Kommentar ist mit {length} Zeichen zu lang. Es wurde nichts geändert. Kürzen Sie ihn auf höchstens {max} Zeichen.',
  reason_missing:
    'Der Grund fehlt. Es wurde nichts geändert. Geben Sie einen Grund von 1 bis 4000 Zeichen ein.',
  reason_too_long:
    'Der Grund ist mit {length} Zeichen zu lang. Es wurde nichts geändert. Kürzen Sie ihn auf höchstens {max} Zeichen.',
  case_not_found:
    'Der Fall {id} ist nicht auf diesem Laptop. Prüfen Sie die Nummer, oder synchronisieren Sie zuerst.',
  document_not_found:
    'Dieses Dokument ist auf diesem Laptop nicht bekannt. Laden Sie die Dokumentliste neu, oder synchronisieren Sie.',
  view_name_taken: 'Eine Ansicht «{name}» gibt es schon. Bitte einen anderen Namen wählen.',
  view_not_found: 'Die Ansicht «{name}» gibt es nicht mehr: Ein anderes Fenster hat sie gelöscht.',
  draft_not_found:
    'Dieser Berichtsentwurf ist nicht mehr da: Er wurde verworfen oder bereits übermittelt. Sehen Sie in der Warteschlange nach.',
  own_rule_invalid:
    'Die Regel für eigene Fälle lässt sich nicht lesen, Zeile {line}: «{text}», {rule}. Es wurde nichts geändert. Schreiben Sie eine Postleitzahl oder einen Bereich pro Zeile, zum Beispiel 8000-8499.',
  text_block_invalid:
    'Der Textbaustein «{entry}» hat in Zeile {line} ein Feld, das es nicht gibt: {text}. Es wurde nichts geändert.',
  texts_file_invalid:
    'Die Datei «{fileName}» ist keine Datei mit Textbausteinen und Checklisten. Es wurde nichts geändert.',
  texts_entry_invalid:
    'Der Eintrag {entry} der Datei lässt sich nicht lesen: {rule}. Es wurde nichts geändert.',
  sheet_unreadable:
    'Die Tabelle «{fileName}» lässt sich ab Zeile {line} nicht lesen. Es wurde nichts geändert. Speichern Sie sie als CSV oder XLSX.',
  sheet_columns:
    'In der Tabelle fehlt die Schadennummer oder eine Spalte, die etwas setzt. Es wurde nichts geändert. Überschriften wie in der exportierten Fallliste: Schadennummer, Kostenvoranschlag, Freigegeben, Kommentar.',
  sheet_line_twice:
    'Dieser Fall steht schon in Zeile {line}. Es wurde nichts geändert. Lassen Sie eine der Zeilen stehen.',
  queue_row_not_found: 'In der Warteschlange gibt es keinen Eintrag {id}. Prüfen Sie die Nummer.',
  queue_row_state:
    'Eintrag {id} ist im Zustand «{state}»; darin geht das nicht. Es wurde nichts geändert.',
  case_state:
    'Der Fall hat den Status «{status}» und lässt das nicht zu. Es wurde nichts geändert.',
  file_not_found:
    'Die Datei «{fileName}» lässt sich nicht finden oder lesen. Es wurde nichts übernommen. Prüfen Sie Namen und Ordner.',
  file_not_regular:
    '«{fileName}» ist keine gewöhnliche Datei, sondern ein Gerät oder eine Pipe. Es wurde nichts gelesen. Speichern Sie den Inhalt als Datei und wählen Sie diese.',
  file_changing:
    'Die Datei «{fileName}» wird noch geschrieben. Versuchen Sie es in einigen Sekunden erneut.',
  file_empty:
    'Die Datei «{fileName}» ist leer. Sie wurde nicht übernommen. Wählen Sie die Datei mit Inhalt.',
  file_too_large:
    'Die Datei «{fileName}» ist mit {sizeBytes} zu gross. Sie wurde nicht übernommen. Erlaubt sind höchstens {maxBytes}; verkleinern oder teilen Sie sie.',
  file_type_not_allowed:
    'Die Datei «{fileName}» hat eine Art, die der Partner nicht annimmt. Sie wurde nicht übernommen. Erlaubt sind PDF, JPEG, PNG, WebP, HEIC, TIFF, Text, CSV, E-Mail (EML), ZIP, Word (DOCX) und Excel (XLSX).',
  file_type_mismatch:
    'Der Inhalt der Datei «{fileName}» passt nicht zu ihrem Namen. Sie wurde nicht übernommen. Öffnen Sie sie im ursprünglichen Programm und speichern Sie sie neu.',
  file_name_invalid:
    'Der Dateiname «{fileName}» ist nicht erlaubt: {rule}. Die Datei wurde nicht übernommen. Benennen Sie sie um.',
  photo_unusable:
    'Das Foto «{fileName}» ist nicht im Bericht: {rule}. Die Datei liegt unverändert, wo sie war. Die anderen wurden übernommen.',
  draft_without_documents:
    'Der Bericht hat noch kein Dokument. Der Entwurf bleibt gespeichert. Fügen Sie mindestens eine Datei hinzu.',
  draft_busy:
    'An den Dateien dieses Berichts wird noch gearbeitet. Er ist nicht in der Warteschlange. Versuchen Sie es wieder, wenn sie fertig sind.',
  file_exists:
    'Unter {fileName} gibt es schon eine Datei. Sie wurde nicht überschrieben. Wählen Sie einen anderen Namen.',
  file_unwritable:
    'Die Datei {fileName} lässt sich nicht schreiben: {reason}. Wählen Sie einen anderen Ort.',
  file_not_opened:
    'Der Inhalt von «{fileName}» ist nicht, was der Name sagt. Das Dokument wurde keinem anderen Programm gegeben. Wenn Sie es brauchen, speichern Sie eine Kopie.',
  no_program:
    'Für «{fileName}» liess sich auf diesem Laptop kein Programm öffnen. Speichern Sie eine Kopie und öffnen Sie sie von Hand.',
  drag_let_go:
    '«{fileName}» war noch nicht bereit, als Sie losliessen. Nichts wurde abgelegt. Ziehen Sie das Dokument noch einmal, und halten Sie die Taste länger.',
  package_unreadable:
    'Das ist kein Arbeitspaket, das der Desk lesen kann, sondern {found}. Es wurde nichts übernommen.',
  package_passphrase_wrong:
    'Die Passphrase passt nicht zu diesem Arbeitspaket. Es wurde nichts übernommen. Versuchen Sie es erneut.',
  package_other_connection:
    'Dieses Arbeitspaket gehört zur Verbindung «{name}». Es wurde nichts übernommen. Öffnen Sie diese Verbindung oder richten Sie sie ein, dann versuchen Sie es erneut.',
  backup_passphrase_missing:
    'Es kann keine automatische Sicherung entstehen: Im Schlüsselbund dieses Laptops liegt keine Passphrase dafür. Legen Sie unter Einstellungen, Sicherung eine fest.',
  restored_unsure:
    'Diese Arbeit stammt aus einem Arbeitspaket, und zum Fall ist inzwischen schon ein Bericht eingereicht worden, vielleicht von einem anderen Laptop. Ihr Bericht bleibt hier gespeichert. Schauen Sie den Fall beim Partner an: Fehlt Ihr Bericht dort, reichen Sie ihn trotzdem ein, sonst verwerfen Sie den Eintrag.',
  reopening_unsure:
    'Ob der Fall wieder geöffnet wurde, ist nicht bekannt: Es kam keine Antwort, und seither ist der Fall beim Partner geändert worden und abgeschlossen. Ihre Begründung bleibt hier gespeichert. Schauen Sie den Fall beim Partner an: Soll er wieder geöffnet werden, versuchen Sie es nochmals, sonst verwerfen Sie den Eintrag.',
  key_unreadable:
    'Das ist kein lesbarer privater Schlüssel, sondern {found}. Es wurde nichts gespeichert. Wählen Sie die Schlüsseldatei, die in den Einstellungen Ihrer Organisation heruntergeladen wurde (PEM oder JWK).',
  key_not_rsa:
    'Der Schlüssel ist kein RSA-Schlüssel, sondern {found}. Es wurde nichts gespeichert. Wählen Sie den RSA-Schlüssel Ihrer Organisation.',
  key_too_short:
    'Der RSA-Schlüssel hat nur {bits} Bit. Es wurde nichts gespeichert. Der Partner verlangt mindestens 2048 Bit; erzeugen Sie einen neuen Schlüssel.',
  key_passphrase_needed:
    'Der Schlüssel ist mit einem Passwort geschützt. Es wurde nichts gespeichert. Geben Sie das Passwort des Schlüssels an.',
  key_passphrase_wrong:
    'Das Passwort passt nicht zu diesem Schlüssel. Es wurde nichts gespeichert. Versuchen Sie es noch einmal.',
  keychain_unavailable:
    'Dieses System hat keinen Schlüsselbund. Es wurde nichts unverschlüsselt gespeichert. Installieren Sie einen, oder starten Sie mit --vault passphrase und setzen Sie DESK_VAULT_PASSPHRASE.',
  keychain_locked:
    'Der Schlüsselbund dieses Systems ist gesperrt. Alle Daten bleiben unverändert und verschlüsselt auf diesem Laptop. Entsperren Sie ihn: Melden Sie sich neu am System an, oder öffnen Sie die Passwortverwaltung des Systems. Versuchen Sie es dann noch einmal.',
  keychain_unreachable:
    'Der Schlüsselbund dieses Systems antwortet nicht. Alle Daten bleiben unverändert und verschlüsselt auf diesem Laptop. Melden Sie sich neu am System an, oder öffnen Sie die Passwortverwaltung des Systems. Versuchen Sie es dann noch einmal.',
  keychain_entry_lost:
    'Der Schlüssel zu den Daten auf diesem Laptop fehlt im Schlüsselbund. Die Daten bleiben unverändert liegen. Richten Sie die Verbindung mit ihrer Schlüsseldatei neu ein. Genügt das nicht, stellen Sie den Schlüsselbund wieder her oder beginnen Sie mit --set-aside von vorn: Die alten Daten werden dann beiseitegelegt, nicht gelöscht, und ein Arbeitspaket bringt nicht übermittelte Arbeit zurück.',
  vault_passphrase_wrong:
    'Das Passwort des Schlüsselspeichers stimmt nicht. Es wurde nichts verändert. Prüfen Sie DESK_VAULT_PASSPHRASE.',
  no_connection:
    'Es ist noch keine Verbindung zum Partner eingerichtet. Richten Sie eine ein, zum Beispiel mit «{command} connect».',
  connection_known:
    'Diese Adresse und Client-ID hat schon die Verbindung «{name}». Es wurde nichts geändert.',
  connection_holds_work:
    'Diese Verbindung hält Arbeit, die nirgends sonst ist: Einträge der Warteschlange {entries}, Entwürfe {drafts}, getippte Texte {texts}, Sicherungen {backups}. Es wurde nichts entfernt. Schauen Sie sie an und bestätigen Sie es noch einmal (Befehlszeile: --with-work).',
  practice_only:
    'Das geht nur im Übungsplatz. Öffnen Sie ihn in den Einstellungen unter «Verbindung».',
  credentials_invalid:
    'In den Zugangsdaten stimmt «{field}» nicht: {rule}. Es wurde nichts gespeichert. Prüfen Sie die Datei.',
  base_url_invalid:
    '«{field}» ist keine brauchbare Adresse: {rule}. Es wurde nichts gespeichert. Erwartet wird eine Adresse wie https://api.example.ch.',
  offline:
    '{host} ist nicht erreichbar: kein Netz. Ihre Arbeit ist auf diesem Laptop gespeichert und wird von selbst übermittelt, sobald das Netz zurück ist.',
  address_unknown:
    'Der Name {host} ist im Netz nicht bekannt. Ihre Arbeit ist auf diesem Laptop gespeichert. Prüfen Sie die Basisadresse und die Netzverbindung.',
  connection_refused:
    '{host} nimmt keine Verbindung an. Ihre Arbeit ist auf diesem Laptop gespeichert und wird später übermittelt. Prüfen Sie Adresse und Port, wenn es so bleibt.',
  connection_lost:
    'Die Verbindung zu {host} ist abgebrochen. Ihre Arbeit ist auf diesem Laptop gespeichert; der Desk versucht es von selbst wieder.',
  timeout:
    '{host} hat nicht rechtzeitig geantwortet. Ihre Arbeit ist auf diesem Laptop gespeichert; der Desk versucht es von selbst wieder.',
  certificate_untrusted:
    'Dem Zertifikat von {host} ist nicht zu trauen: {reason}. Es wurde nichts gesendet, Ihre Arbeit ist gespeichert. Melden Sie es Ihrer IT; umgehen lässt sich diese Prüfung nicht.',
  captive_portal:
    'Statt des Partners hat eine andere Seite geantwortet, wohl die Anmeldeseite eines WLANs. Es wurde nichts übernommen, Ihre Arbeit ist gespeichert. Melden Sie sich im Browser beim WLAN an.',
  proxy_sign_in:
    'Der Proxy auf dem Weg zu {host} verlangt Name und Passwort; der Desk meldet sich nur mit dem Konto des Systems an. Ihre Arbeit ist auf diesem Laptop gespeichert. Melden Sie es Ihrer IT.',
  answer_foreign:
    'Beim Partner hat auf diese Anfrage statt der Daten eine Seite geantwortet (Status {status}), etwa die seiner Firewall. Am Netz liegt es nicht. Ihre Arbeit ist hier gespeichert; bleibt es so, geben Sie dem Partner die technischen Angaben.',
  answer_too_large:
    'Die Antwort des Partners ist grösser als {maxMegabytes} MB und wurde nicht gelesen. Auf diesem Laptop wurde nichts geändert. Bleibt es so, geben Sie dem Partner die technischen Angaben.',
  redirect_refused:
    '{host} wollte die Anfrage an eine andere Adresse umleiten; das hat der Desk abgelehnt. Ihre Arbeit ist gespeichert. Prüfen Sie die Basisadresse.',
  clock_wrong:
    'Die Uhr dieses Laptops geht um {offsetMinutes} {offsetMinutes|Minute|Minuten} falsch, darum lehnt der Partner ab. Ihre Arbeit ist gespeichert. Stellen Sie die Uhr auf automatische Zeit.',
  client_id_unknown:
    'Der Partner kennt die Client-ID «{clientId}» nicht. Prüfen Sie die Client-ID in den Zugangsdaten.',
  key_rejected:
    'Der Partner kennt diesen Schlüssel nicht für diese Client-ID. Prüfen Sie, ob Schlüsseldatei und Client-ID zusammengehören.',
  access_revoked:
    'Das Gateway Ihres Büros lässt diesen Laptop nicht mehr zu: Sein Zugang wurde beendet. Unzugestellte Arbeit bleibt auf diesem Laptop und lässt sich sichern. Bitten Sie Ihre IT um einen neuen Anmeldecode.',
  code_refused:
    'Das Gateway nimmt diesen Code nicht an: Er ist vertippt, gebraucht oder abgelaufen. Es wurde nichts gespeichert. Prüfen Sie ihn, oder verlangen Sie bei Ihrer IT einen neuen.',
  gateway_missing:
    'Unter {host} ist kein Gateway eines Büros. Es wurde nichts gespeichert. Prüfen Sie die Adresse.',
  audience_wrong:
    'Die Token-Adresse (Audience) «{audience}» stimmt nicht. Übernehmen Sie sie genau so, wie der Partner sie nennt.',
  sign_in_refused:
    'Der Partner lehnt die Anmeldung ab und nennt keinen Grund. Am wahrscheinlichsten gehört der Schlüssel nicht zur Client-ID «{clientId}», oder die Tokenadresse (Audience) «{audience}» ist anders geschrieben als beim Partner, oder er kennt die Client-ID nicht. Prüfen Sie die drei in dieser Reihenfolge.',
  path_unknown:
    'Unter {address} gibt es diese Schnittstelle nicht (Status {status}). Ihre Arbeit ist gespeichert. Prüfen Sie die Basisadresse und, falls Ihre IT Pfade gesetzt hat, diese.',
  organization_kind_wrong:
    'Diese Zugangsdaten gehören nicht einer Expertenorganisation. Verwenden Sie die Zugangsdaten der Experten.',
  unauthorized:
    'Der Partner hat die Anmeldung abgelehnt. Ihre Arbeit ist auf diesem Laptop gespeichert. Prüfen Sie die Verbindung; bleibt es so, geben Sie Ihrer IT die technischen Angaben.',
  rate_limited:
    'Der Partner bittet um eine Pause bis {until}. Ihre Arbeit ist gespeichert; danach geht es von selbst weiter.',
  limit_lowered:
    'Der Partner lässt zurzeit nur {perMinute} {bucket} pro Minute zu. Es geht nichts verloren, aber alles dauert länger; ab {until} versucht der Desk wieder mehr.',
  server_refused:
    'Der Partner hat das nicht angenommen: {title}. Ihre Arbeit bleibt auf diesem Laptop gespeichert. Sehen Sie sich die Angaben an und versuchen Sie es erneut, oder verwerfen Sie den Eintrag.',
  server_failed:
    'Beim Partner ist ein Fehler aufgetreten. Ihre Arbeit ist auf diesem Laptop gespeichert; der Desk versucht es von selbst wieder.',
  answer_invalid:
    'Die Antwort des Partners entspricht nicht der Vereinbarung. Auf diesem Laptop wurde nichts geändert. Bleibt es so, geben Sie Ihrer IT die technischen Angaben.',
  records_unreadable:
    '{count} Einträge des Partners lassen sich nicht lesen; der erste ist {id}, an der Stelle «{place}». Sie sind aufbewahrt, wie sie kamen, und alle anderen sind da. Melden Sie es dem Partner.',
  case_time_ahead:
    '{count} {count|Fall trägt|Fälle tragen} beim Partner ein Änderungsdatum in der Zukunft; der erste ist {externalKey}. Sie sind gespeichert und werden angezeigt. Melden Sie es dem Partner.',
  answer_mismatch:
    'Die Antwort des Partners passt nicht zu dem, was gesendet wurde, und beim Nachsehen war es beim Partner nicht zu finden. Es bleibt hier gespeichert und gilt nicht als geliefert. Versuchen Sie es erneut, oder fragen Sie beim Partner nach; die technischen Angaben nennen die Stelle.',
  server_kept_other:
    'Der Partner hat Ihre Eingabe bestätigt, hat aber etwas anderes: «{field}» ist dort {found}, gesendet wurde {sent}. Ihre Eingabe ist hier gespeichert und gilt nicht als geliefert. Senden Sie sie erneut, ändern Sie sie, oder verwerfen Sie sie, um den Wert des Partners zu übernehmen.',
  reopening_without_effect:
    'Der Partner hat die Wiedereröffnung bestätigt, der Fall ist dort aber weiterhin geschlossen. Ihre Wiedereröffnung ist hier gespeichert. Versuchen Sie es erneut, oder fragen Sie beim Partner nach.',
  report_still_draft:
    'Der Partner hat bestätigt, dass der Bericht eingereicht ist, führt ihn aber weiterhin als Entwurf. Ihr Bericht ist hier gespeichert und gilt nicht als geliefert. Versuchen Sie es erneut, oder fragen Sie beim Partner nach.',
  report_not_listed:
    'Der Partner hat bestätigt, dass der Bericht eingereicht ist, führt ihn aber nicht auf. Ihr Bericht ist hier mit seinem Nachweis gespeichert. Fragen Sie beim Partner nach, bevor Sie ihn nochmals einreichen.',
  documents_not_there:
    'Der Partner hat die Dokumente bestätigt, hat sie aber nicht alle: {count} {count|fehlt|fehlen}, zuerst {fileName}. Es wurde nichts eingereicht; sie sind hier gespeichert. Versuchen Sie es erneut, oder fragen Sie beim Partner nach.',
  server_draft_gone:
    'Jemand löscht den Entwurf dieses Berichts beim Partner jedes Mal. Ihr Bericht und seine Dateien sind hier gespeichert. Klären Sie, wer das tut; dann versuchen Sie es erneut: der Entwurf wird mit denselben Dateien neu angelegt.',
  case_awaits:
    'Der Fall hat den Status «{status}». Ihre Arbeit ist hier gespeichert und geht von selbst hinaus, sobald der Fall im Portal des Versicherers angenommen ist.',
  server_draft_exists:
    'Beim Partner ist zu diesem Fall schon ein Berichtsentwurf offen, der nicht von diesem Laptop stammt. Ihr Bericht bleibt hier gespeichert. Klären Sie, wem der andere Entwurf gehört; dann versuchen Sie es erneut oder verwenden Sie ihn für Ihren Bericht.',
  server_draft_documents:
    'Im Berichtsentwurf beim Partner liegen Dokumente, die nicht von diesem Laptop sind: {count}. Es wurde nichts eingereicht; Ihr Bericht bleibt hier gespeichert. Lassen Sie sie dort entfernen und versuchen Sie es dann erneut, oder entscheiden Sie hier: mit ihnen einreichen oder sie zuerst entfernen.',
  server_case_gone:
    'Dieser Fall ist beim Partner für Ihre Organisation nicht mehr zugänglich. Ihre Arbeit bleibt auf diesem Laptop gespeichert. Fragen Sie beim Versicherer nach.',
  server_value_changed:
    '«{field}» wurde inzwischen geändert, vermutlich von jemandem Ihrer Organisation, denn nur Experten setzen diesen Wert: von {seen} auf {found}; Ihr Wert ist {mine}. Ihr Wert ist gespeichert. Wählen Sie, welcher gelten soll.',
  outcome_unknown:
    'Ob der Partner die letzte Übermittlung ausgeführt hat, ist noch nicht bekannt. Ihre Arbeit ist gespeichert; der Desk fragt beim Partner nach, bevor er etwas wiederholt.',
  home_in_use:
    'Ein anderer Desk hat diesen Ordner schon geöffnet (Prozess {pid}). Es wurde nichts geändert. Verwenden Sie jenen, oder schliessen Sie ihn zuerst.',
  home_newer:
    'Diese Daten stammen von einer neueren Version des Desks. Sie wurden nicht angetastet. Installieren Sie die neuere Version.',
  home_trial:
    'Diese Daten stammen von einer Probeversion des Desks, die diese Version nicht lesen kann. Sie wurden nicht angetastet. Starten Sie mit einem anderen Ordner (--home), oder verschieben Sie diesen.',
  home_unwritable:
    'Der Ordner des Desks lässt sich nicht beschreiben: {reason}. Prüfen Sie seine Rechte, oder wählen Sie mit --home einen anderen.',
  settings_invalid:
    'Die Einstellungsdatei {fileName} ist beschädigt. Sie wurde so gelassen, und nichts anderes wurde geändert. Holen Sie sie aus einer Sicherung zurück, oder zeigen Sie sie Ihrer IT.',
  policy_invalid:
    'Die Richtliniendatei {fileName} ist nicht gültig. Stelle: {place}. Grund: {detail}. Es wurde nichts gestartet. Ihre IT muss die Datei berichtigen.',
  work_corrupt:
    'Die Datei mit Ihrer nicht übermittelten Arbeit ist beschädigt. Sie wurde beiseitegelegt und nicht überschrieben; die letzte geprüfte Sicherung können Sie zurückholen, in den Einstellungen oder mit «{command} restore --backup».',
  work_lost:
    'Die Datei mit Ihrer nicht übermittelten Arbeit ist beschädigt, und keine ihrer Sicherungen ist unversehrt. Sie wurde beiseitegelegt und nicht überschrieben; prüfen Sie beim Versicherer, was angekommen ist.',
  disk_full:
    'Der Datenträger ist voll. Was schon gespeichert war, ist unversehrt; das Letzte wurde nicht übernommen. Schaffen Sie Platz und versuchen Sie es erneut.',
  internal:
    'Im Desk ist ein unerwarteter Fehler aufgetreten. Gespeicherte Arbeit ist davon nicht betroffen. Versuchen Sie es erneut und nennen Sie Ihrer IT die Kennung {correlationId}.',
};

/**
 * Words that fill the sentences in place of raw parameter values. A value that is not listed is
 * shown as it came.
 */
export const errorWords = {
  /** In the place of a value that nobody entered. */
  notEntered: 'nicht erfasst',
  /** Stands for a missing parameter. */
  unknown: 'unbekannt',
  fields: {
    connection: 'Verbindung',
    sheet: 'Tabelle',
    folder: 'Ordner',
    costEstimateRappen: 'Kostenvoranschlag',
    approvedRappen: 'Freigegebener Betrag',
    expertComment: 'Kommentar',
    comment: 'Kommentar',
    text: 'Text',
    reason: 'Grund',
    baseUrl: 'Basisadresse',
    audience: 'Token-Adresse (Audience)',
    clientId: 'Client-ID',
    privateKey: 'Privater Schlüssel',
    privateKeyPem: 'Privater Schlüssel',
    keyPassphrase: 'Passwort des Schlüssels',
    scope: 'Scope',
    name: 'Name',
    fileName: 'Dateiname',
    status: 'Status',
    category: 'Kategorie',
    file: 'Datei',
    passphrase: 'Passphrase',
    id: 'Nummer',
  },
  rules: {
    not_deletable: 'der Desk könnte sie nach der Übernahme nicht löschen',
    gateway_alone:
      'mit einem Gateway gibt es weder Basisadresse noch Audience noch Client-ID: es nennt sie selbst',
    no_certificate: 'darin ist kein Zertifikat (PEM)',
    absolute: 'es muss ein vollständiger Pfad sein',
    not_a_picture: 'der Inhalt ist kein Bild',
    cut_off: 'das Ende der Datei fehlt',
    too_large: 'es hat mehr als 100 Millionen Pixel',
    too_many_pages: 'es hat mehr als 100 Seiten',
    unreadable: 'es lässt sich nicht lesen',
    required: 'die Angabe fehlt',
    url: 'keine gültige Adresse',
    scheme: 'die Adresse muss mit https:// beginnen',
    'no-credentials': 'die Adresse darf keinen Benutzernamen und kein Passwort enthalten',
    json: 'kein gültiges JSON',
    empty: 'leer',
    too_long: 'zu lang',
    separator: 'er enthält einen Schrägstrich',
    control: 'er enthält Steuerzeichen',
    too_small: 'zu klein oder zu kurz',
    too_big: 'zu gross oder zu lang',
    invalid_type: 'die Angabe hat die falsche Form',
    invalid_format: 'die Angabe hat die falsche Form',
    invalid_union: 'die Angabe hat die falsche Form',
    invalid_value: 'unbekannter Wert',
    every_attachment_once: 'jede Datei muss genau einmal vorkommen',
    not_a_code: 'das ist keine Postleitzahl mit vier Ziffern und kein Bereich von zweien',
    backwards: 'der Bereich endet vor seinem Anfang',
    says_nothing: 'sie nennt weder Postleitzahlen noch Kategorien noch Personen',
    policy: 'Ihre Organisation hat sie festgelegt',
    unknown: 'unbekannt',
  },
  /** What a key file or an answer turned out to be. */
  found: {
    empty: 'eine leere Datei',
    'public-key': 'ein öffentlicher Schlüssel',
    certificate: 'ein Zertifikat',
    'certificate-request': 'eine Zertifikatsanfrage',
    'ec-key': 'ein EC-Schlüssel',
    'ed-key': 'ein Ed25519- oder Ed448-Schlüssel',
    'dsa-key': 'ein DSA-Schlüssel',
    'dh-key': 'ein Diffie-Hellman-Schlüssel',
    'rsa-pss-key': 'ein Schlüssel nur für RSA-PSS',
    'symmetric-key': 'ein symmetrischer Schlüssel',
    'openssh-key': 'ein OpenSSH-Schlüssel',
    'putty-key': 'ein PuTTY-Schlüssel',
    'pgp-key': 'ein PGP-Schlüssel',
    'key-set': 'eine Liste von Schlüsseln (JWKS)',
    json: 'eine JSON-Datei ohne Schlüssel',
    pdf: 'ein PDF',
    binary: 'eine Binärdatei',
    text: 'gewöhnlicher Text',
    'unknown-pem': 'eine PEM-Datei anderer Art',
    'unsupported-encryption': 'ein Schlüssel mit einer Verschlüsselung, die nicht unterstützt wird',
    'damaged-key': 'ein beschädigter Schlüssel',
    'no-package': 'eine andere Datei',
    'damaged-package': 'ein beschädigtes oder unvollständiges Arbeitspaket',
  },
  reasons: {
    DEPTH_ZERO_SELF_SIGNED_CERT: 'es ist selbst ausgestellt',
    SELF_SIGNED_CERT_IN_CHAIN: 'sein Aussteller ist unbekannt',
    UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'sein Aussteller ist unbekannt',
    UNABLE_TO_GET_ISSUER_CERT: 'sein Aussteller ist unbekannt',
    UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'sein Aussteller ist unbekannt',
    CERT_UNTRUSTED: 'sein Aussteller ist unbekannt',
    CERT_HAS_EXPIRED: 'es ist abgelaufen',
    CERT_NOT_YET_VALID: 'es gilt noch nicht',
    ERR_TLS_CERT_ALTNAME_INVALID: 'es gilt für einen anderen Namen',
    HOSTNAME_MISMATCH: 'es gilt für einen anderen Namen',
    CERT_REVOKED: 'es wurde widerrufen',
    'vault-unreadable': 'der Schlüsselspeicher ist beschädigt',
    ENOENT: 'den Ordner gibt es nicht',
    EISDIR: 'dort ist ein Ordner',
    EACCES: 'die Rechte fehlen',
    EPERM: 'die Rechte fehlen',
    EROFS: 'der Datenträger ist schreibgeschützt',
    ENOTDIR: 'ein Teil des Pfades ist kein Ordner',
  },
  /** Of problem documents. */
  titles: {
    forbidden: 'Ihre Organisation hat keinen Zugriff auf diesen Fall',
    not_found: 'der Partner kennt den Fall oder das Dokument nicht',
    org_without_members: 'Ihre Organisation hat beim Partner keine Mitglieder',
    invalid_org_context: 'die Zugangsdaten gehören zu einer anderen Art von Organisation',
    invalid_state: 'der Stand des Falles lässt es nicht zu',
    invalid_document: 'ein Dokument ist nicht gültig',
    missing_documents: 'dem Bericht fehlen Dokumente',
    unsupported_content_type: 'eine Dateiart ist nicht erlaubt',
    size_limit_exceeded: 'eine Datei ist zu gross',
    invalid_request: 'eine Angabe ist nicht gültig',
    invalid_payload: 'die Falldaten sind nicht gültig',
  },
  /** Of the partner's limits. */
  buckets: {
    standard: 'Anfragen',
    documents: 'Anfragen nach Dokumenten',
  },
};
