import type { DeskErrorCode } from '../../desk/contract/errors.ts';

/**
 * German sentences, Swiss spelling: what happened, what is safe, what to do. In brackets: what only
 * a desk that stays open can promise.
 */
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
    '«{field}» ist zu gross. Es wurde nichts geändert. Möglich sind höchstens CHF\u00a0999’999’999.99.',
  comment_too_long:
    'Der Kommentar ist mit {length} Zeichen zu lang. Es wurde nichts geändert. Kürzen Sie ihn auf höchstens {max} Zeichen.',
  reason_missing:
    'Die Begründung fehlt. Es wurde nichts geändert. Bitte 1 bis 4000 Zeichen eingeben.',
  reason_too_long:
    'Die Begründung ist mit {length} Zeichen zu lang. Es wurde nichts geändert. Kürzen Sie sie auf höchstens {max} Zeichen.',
  case_ambiguous:
    '{count} Fälle haben die Nummer {id}. Es wurde nichts geändert. Wählen Sie den Fall in der Liste aus, oder nennen Sie ihn mit seiner ID.',
  case_not_found:
    'Der Fall {id} ist nicht auf diesem Gerät. Prüfen Sie die Nummer, oder synchronisieren Sie zuerst.',
  document_not_found:
    'Dieses Dokument ist auf diesem Gerät nicht bekannt. Laden Sie die Dokumentliste neu, oder synchronisieren Sie.',
  positions_unknown:
    'Die Positionen von «{fileName}» sind nicht sicher lesbar: Nötig ist ein PDF mit Text oder ein XLSX, dessen Positionen das Total auf den Rappen ergeben.',
  view_name_taken: 'Eine Ansicht «{name}» gibt es schon. Bitte einen anderen Namen wählen.',
  view_not_found: 'Die Ansicht «{name}» gibt es nicht mehr: Ein anderes Fenster hat sie gelöscht.',
  draft_not_found:
    'Diesen Entwurf gibt es nicht: Er wurde nicht begonnen, gelöscht oder bereits gesendet. Sehen Sie im Postausgang nach.',
  own_rule_invalid:
    'Zeile {line} der Regel ist ungültig: «{text}», {rule}. Es wurde nichts geändert. Eine Postleitzahl oder ein Bereich pro Zeile, zum Beispiel 8000–8499.',
  text_block_invalid:
    'Der Textbaustein «{entry}» hat in Zeile {line} ein Feld, das es nicht gibt: {text}. Es wurde nichts geändert.',
  texts_file_invalid:
    '«{fileName}» enthält keine Textbausteine oder Checklisten. Es wurde nichts geändert.',
  texts_entry_invalid:
    'Der Eintrag {entry} der Datei lässt sich nicht lesen: {rule}. Es wurde nichts geändert.',
  sheet_unreadable:
    'Die Tabelle «{fileName}» lässt sich ab Zeile {line} nicht lesen. Es wurde nichts geändert. Speichern Sie sie als CSV oder XLSX.',
  sheet_columns:
    'In der Tabelle fehlt die Spalte «Schadennummer» oder eine Spalte mit Werten. Es wurde nichts geändert. Verwenden Sie die Überschriften der exportierten Fallliste: Schadennummer, Kostenvoranschlag, Anerkannter Betrag, Kommentar.',
  sheet_not_found:
    '«{fileName}» hat kein Blatt «{name}». Es wurde nichts übernommen. Vorhanden sind: {names}.',
  sheet_cells_beyond:
    'In Spalte {column} steht «{value}», sie hat aber keine Überschrift. Vielleicht steht ein Trennzeichen ohne Anführungszeichen in einem Text oder Betrag. Korrigieren Sie die Zeile oder lassen Sie sie weg.',
  sheet_cell_control:
    'Spalte {column} enthält Steuerzeichen oder verlorene Buchstaben (�). Korrigieren Sie diese oder speichern Sie die Tabelle als CSV (UTF-8), und lesen Sie sie erneut ein.',
  sheet_cell_quote:
    'In Spalte {column} beginnt ein Text mit einem Anführungszeichen, das nicht geschlossen wird. Ergänzen oder entfernen Sie es (ein Anführungszeichen im Text wird verdoppelt), oder lassen Sie die Zeile weg.',
  sheet_line_twice:
    'Dieser Fall steht schon in Zeile {line}. Es wurde nichts geändert. Lassen Sie eine der Zeilen stehen.',
  sheet_cell_empty:
    '«{field}» ist eine Formel ohne gespeichertes Ergebnis. Die Zeile wurde nicht übernommen. Öffnen Sie die Tabelle in Excel und speichern Sie sie neu, oder schreiben Sie den Wert.',
  sheet_cell_failed:
    '«{field}» ist eine Formel mit Fehler: {value}. Die Zeile wurde nicht übernommen. Berichtigen Sie die Tabelle.',
  template_refused:
    '«{fileName}» lässt sich nicht als Vorlage verwenden: {rule}{thing}. Es wurde nichts übernommen.',
  template_ambiguous:
    'Mehrere Vorlagen heissen «{name}». Es wurde nichts geändert. Nennen Sie eine davon so: {ids}.',
  template_wrong_category:
    'Die Vorlage «{fileName}» ist für Fälle einer anderen Kategorie. Es wurde nichts ausgefüllt. Wählen Sie eine Vorlage für diesen Fall.',
  template_not_found:
    'Diese Vorlage gibt es nicht mehr: Sie wurde entfernt, oder ihr Ordner ist nicht erreichbar. Wählen Sie eine andere.',
  template_folder_unreachable:
    'Der Vorlagenordner Ihrer Organisation ist nicht erreichbar: {folder}. Seine Vorlagen fehlen, bis er es wieder ist; die übrigen lassen sich ausfüllen.',
  template_faulty:
    'Die Vorlage «{fileName}» hat {count} {count|Fehler|Fehler} und lässt sich nicht ausfüllen. Die Einstellungen nennen die Stellen; berichtigen Sie sie in Word.',
  pdf_program_missing:
    'Auf diesem Gerät ist kein LibreOffice, das ein PDF herstellen kann. Der Bericht ist unverändert. Exportieren Sie das PDF in Word.',
  pdf_not_made:
    'Aus «{fileName}» liess sich kein PDF herstellen. Der Bericht ist unverändert. Exportieren Sie das PDF in Word oder LibreOffice.',
  pdf_incomplete:
    'Im PDF «{fileName}» fehlt etwas: {thing}. Es wurde nicht übernommen, und der Bericht ist unverändert. Exportieren Sie das PDF in Word oder LibreOffice.',
  annex_not_bound:
    '«{fileName}» kann nicht Teil des einen PDF werden: {rule}. Der Bericht ist unverändert. Wählen Sie die Datei ab; sie wird dann als eigene Datei gesendet.',
  document_open:
    '«{fileName}» ist in Word oder LibreOffice noch geöffnet. Es wurde nichts geändert. Schliessen Sie es dort zuerst; was Sie danach noch speichern, kommt als weiteres Dokument in den Entwurf.',
  queue_row_not_found: 'Im Postausgang gibt es keinen Eintrag {id}. Prüfen Sie die Nummer.',
  queue_row_state:
    'Eintrag {id} ist im Zustand «{state}»; darin geht das nicht. Es wurde nichts geändert.',
  newer_act:
    'Sie haben für diesen Fall seither Eintrag {id} gemacht, und dieser gilt. Es wurde nichts geändert.',
  case_state:
    'Der Fall hat den Status «{status}» und lässt das nicht zu. Es wurde nichts geändert.',
  file_not_found:
    'Die Datei «{fileName}» lässt sich nicht finden oder lesen. Es wurde nichts übernommen. Prüfen Sie Namen und Ordner.',
  file_unreadable:
    '«{fileName}» lässt sich nicht lesen und wurde nicht hinzugefügt: Die Datei wurde verschoben, ist in einem anderen Programm geöffnet oder liegt in einer Cloud. Öffnen Sie sie einmal, schliessen Sie sie, und fügen Sie sie erneut hinzu.',
  file_not_regular:
    '«{fileName}» ist keine gewöhnliche Datei, sondern ein Gerät oder eine Pipe. Es wurde nichts gelesen. Speichern Sie den Inhalt als Datei und wählen Sie diese.',
  file_is_link:
    '«{fileName}» ist eine Verknüpfung; Verknüpfungen werden nicht übernommen. Legen Sie die Datei selbst in den Ordner.',
  file_changing:
    'Die Datei «{fileName}» wird noch geschrieben. Versuchen Sie es in einigen Sekunden erneut.',
  file_empty: 'Die Datei «{fileName}» ist leer und wurde nicht übernommen.',
  file_too_large:
    'Die Datei «{fileName}» ist mit {sizeBytes} zu gross. Sie wurde nicht übernommen. Erlaubt sind höchstens {maxBytes}; verkleinern oder teilen Sie sie.',
  file_type_not_allowed:
    'Der Dateityp von «{fileName}» ist nicht erlaubt. Die Datei wurde nicht übernommen. Erlaubt sind PDF, JPEG, PNG, WebP, HEIC, TIFF, Text, CSV, E-Mail (EML), ZIP, Word (DOCX) und Excel (XLSX).',
  file_type_mismatch:
    'Der Inhalt der Datei «{fileName}» passt nicht zu ihrem Namen. Sie wurde nicht übernommen. Öffnen Sie sie im ursprünglichen Programm und speichern Sie sie neu.',
  office_protected:
    'Die Datei «{fileName}» ist mit einem Passwort geschützt oder hat das alte Format von Office (DOC, XLS). Sie wurde nicht übernommen. Speichern Sie sie ohne Passwort als DOCX oder XLSX.',
  file_name_invalid:
    'Der Dateiname «{fileName}» ist nicht erlaubt: {rule}. Die Datei wurde nicht übernommen. Benennen Sie sie um.',
  file_kind: 'Die Datei «{fileName}» wurde nicht hinzugefügt: {rule}.',
  file_in_cloud:
    '«{fileName}» liegt in einer Cloud und nicht auf diesem Gerät. Die Datei wurde nicht hinzugefügt. Öffnen Sie sie einmal oder machen Sie ihren Ordner offline verfügbar, und fügen Sie sie dann erneut hinzu.',
  pdf_damaged:
    'Die PDF-Datei «{fileName}» ist beschädigt oder unvollständig und lässt sich nicht öffnen. Sie wurde nicht übernommen. Speichern oder scannen Sie sie neu.',
  pdf_looks_damaged:
    'Bilder in der PDF-Datei «{fileName}» sehen beschädigt aus, und ohne Fenster sieht das vor dem Senden niemand. Sie wurde nicht übernommen. Sehen Sie die Seiten an; scannen Sie sie neu, oder fügen Sie die Datei im Fenster hinzu.',
  file_damaged:
    'Die Datei «{fileName}» ist beschädigt oder unvollständig: {rule}. Sie wurde nicht hinzugefügt. Kopieren oder speichern Sie sie erneut.',
  file_too_heavy:
    '«{fileName}» lässt sich nicht bis zum Ende öffnen: Entpackt braucht die Datei mehr Speicher oder Zeit als irgendein Dokument. Sie wurde nicht hinzugefügt. Speichern Sie sie neu, zum Beispiel über den Drucker als PDF, oder teilen Sie sie auf.',
  file_unchecked:
    '«{fileName}» konnte nicht geprüft werden, weil diesem Gerät Arbeitsspeicher fehlt oder die Prüfung abbrach. Die Datei wurde nicht hinzugefügt. Schliessen Sie andere Programme und fügen Sie sie erneut hinzu; hilft das nicht, starten Sie Appraiser Desk neu.',
  mail_files_left_out:
    '«{fileName}» enthält mehr als 1000 Dateien. Diese {n} wurden nicht übernommen: {names}. Öffnen Sie die E-Mail in Ihrem Mailprogramm und speichern Sie sie von dort.',
  photo_changed:
    'Ihre letzte Änderung an «{fileName}» ist nicht gespeichert, weil ein anderes Fenster von Appraiser Desk das Foto vorher geändert hat. Das Foto wird so gezeigt, wie es jetzt ist; nehmen Sie die Änderung noch einmal vor.',
  photo_unusable:
    'Das Foto «{fileName}» wurde nicht übernommen: {rule}. Die Datei ist unverändert an ihrem Ort.',
  hand_over_unsure:
    'Die Zuteilung ist nicht bestätigt: Für {done} von {total} Fällen hat das Büro-Gateway geantwortet. Teilen Sie noch einmal zu, sobald es erreichbar ist; eine Wiederholung ändert nichts.',
  hand_over_refused:
    'Das Büro-Gateway hat die Zuteilung abgelehnt: Diese Person gibt es dort nicht mehr, oder dieses Gerät darf nicht mehr zuteilen. Zugeteilt sind {done} von {total} Fällen. Wenden Sie sich an die Stelle, die das Gateway betreut.',
  hand_over_stopped:
    'Das Büro-Gateway war nicht erreichbar oder hat die Zuteilung nicht ausgeführt. Zugeteilt sind {done} von {total} Fällen. Teilen Sie später noch einmal zu; eine Wiederholung ändert nichts.',
  draft_filled_otherwise:
    'Ein Entwurf dieses Falls enthält schon ein ausgefülltes Dokument mit anderen Werten. Er bleibt, wie er ist: Füllen Sie ihn neu aus, oder löschen Sie ihn.',
  photo_unready:
    'Das Foto «{fileName}» lässt sich ohne Fenster nicht senden: Ort, Gerät und andere verborgene Angaben liessen sich nicht entfernen (beschädigt oder zu gross). Öffnen Sie den Bericht im Fenster; dort wird das Foto aufbereitet oder der Grund genannt.',
  telephone_unavailable:
    'Im Moment kann kein Telefon verbunden werden: Dieses Gerät ist in keinem privaten Netz, das dafür erlaubt ist. Es wurde nichts geändert. Verbinden Sie es mit dem Büronetz oder mit dem Hotspot des Telefons.',
  draft_without_documents:
    'Der Bericht enthält noch keine Datei. Der Entwurf bleibt gespeichert. Fügen Sie mindestens eine Datei hinzu.',
  draft_busy:
    'Die Dateien dieses Berichts werden noch verarbeitet; er ist noch nicht eingereicht. Bitte gleich nochmals versuchen.',
  file_exists:
    'Unter {fileName} gibt es schon eine Datei. Sie wurde nicht überschrieben. Wählen Sie einen anderen Namen.',
  file_unwritable:
    'Die Datei {fileName} lässt sich nicht schreiben: {reason}. Wählen Sie einen anderen Ort.',
  file_not_opened:
    'Der Inhalt von «{fileName}» entspricht nicht der Dateiendung. Das Dokument wurde deshalb nicht in einem anderen Programm geöffnet. Bei Bedarf speichern Sie eine Kopie.',
  no_program:
    'Für «{fileName}» gibt es auf diesem Gerät kein passendes Programm. Speichern Sie eine Kopie und öffnen Sie sie selbst.',
  drag_let_go:
    '«{fileName}» wurde noch vorbereitet, es wurde nichts abgelegt. Bitte nochmals ziehen und etwas länger halten.',
  package_unreadable:
    'Diese Datei ist keine Sicherung von Appraiser Desk. Es wurde nichts wiederhergestellt.',
  package_damaged:
    'Diese Sicherung ist beschädigt oder unvollständig. Es wurde nichts wiederhergestellt. Nehmen Sie eine andere Kopie davon oder eine frühere Sicherung.',
  package_passphrase_wrong:
    'Die Passphrase passt nicht zu dieser Sicherung. Es wurde nichts wiederhergestellt. Bitte versuchen Sie es erneut.',
  package_other_connection:
    'Diese Sicherung gehört zur Verbindung «{name}». Es wurde nichts wiederhergestellt. Öffnen Sie diese Verbindung (oder richten Sie sie ein) und versuchen Sie es erneut.',
  backup_passphrase_missing:
    'Die automatische Sicherung ist nicht möglich: Im Schlüsselbund dieses Geräts fehlt die Passphrase. Legen Sie unter Einstellungen › Sicherung eine fest.',
  resubmission_unsure:
    'Dieser Bericht wurde schon einmal gesendet und ist beim Versicherer nicht so zu finden, wie er hier ist. Seither wurde für den Fall aber ein Bericht eingereicht; vielleicht ist es dieser, vom Versicherer geändert oder in einer früheren Fassung. Ihr Bericht ist hier noch gespeichert. Prüfen Sie den Fall beim Versicherer: Fehlt Ihr Bericht dort, reichen Sie ihn trotzdem ein, sonst verwerfen Sie den Eintrag.',
  restored_unsure:
    'Dieser Bericht stammt aus einer Sicherung. Inzwischen wurde zum selben Fall schon ein Bericht eingereicht, vielleicht von einem anderen Gerät. Ihr Bericht bleibt gespeichert. Prüfen Sie den Fall beim Versicherer: Fehlt Ihr Bericht dort, reichen Sie ihn trotzdem ein; sonst verwerfen Sie den Eintrag.',
  reopening_unsure:
    'Ob der Fall wieder geöffnet wurde, ist nicht bekannt: Es kam keine Antwort, und der Fall ist beim Versicherer inzwischen geändert und abgeschlossen. Ihre Begründung bleibt gespeichert. Prüfen Sie den Fall beim Versicherer und versuchen Sie es erneut, oder verwerfen Sie den Eintrag.',
  key_unreadable:
    'Das ist kein lesbarer privater Schlüssel, sondern {found}. Es wurde nichts gespeichert. Wählen Sie die Schlüsseldatei, die in den Einstellungen Ihrer Organisation heruntergeladen wurde (PEM oder JWK).',
  key_not_rsa:
    'Der Schlüssel ist kein RSA-Schlüssel, sondern {found}. Es wurde nichts gespeichert. Wählen Sie den RSA-Schlüssel Ihrer Organisation.',
  key_too_short:
    'Der RSA-Schlüssel hat nur {bits}\u00a0Bit. Es wurde nichts gespeichert. Der Versicherer verlangt mindestens 2048\u00a0Bit; erzeugen Sie einen neuen Schlüssel.',
  key_passphrase_needed:
    'Der Schlüssel ist mit einem Passwort geschützt. Es wurde nichts gespeichert. Geben Sie das Passwort des Schlüssels ein.',
  key_passphrase_wrong:
    'Das Passwort passt nicht zu diesem Schlüssel. Es wurde nichts gespeichert. Bitte versuchen Sie es erneut.',
  keychain_unavailable:
    'Dieses System hat keinen Schlüsselbund. Es wurde nichts unverschlüsselt gespeichert. Installieren Sie einen, oder wenden Sie sich an Ihre IT.',
  keychain_locked:
    'Der Schlüsselbund dieses Systems ist gesperrt. Alle Daten bleiben unverändert und verschlüsselt auf diesem Gerät. Entsperren Sie ihn: Melden Sie sich neu am System an, oder öffnen Sie die Passwortverwaltung des Systems. Versuchen Sie es dann noch einmal.',
  keychain_unreachable:
    'Der Schlüsselbund dieses Systems antwortet nicht. Alle Daten bleiben unverändert und verschlüsselt auf diesem Gerät. Melden Sie sich neu am System an, oder öffnen Sie die Passwortverwaltung des Systems. Versuchen Sie es dann noch einmal.',
  keychain_entry_lost:
    'Der Schlüssel zu den Daten auf diesem Gerät fehlt im Schlüsselbund. Die Daten sind unverändert, lassen sich aber nicht öffnen. Richten Sie die Verbindung mit ihrer Schlüsseldatei neu ein. Hilft das nicht, wenden Sie sich an Ihre IT.',
  vault_passphrase_wrong:
    'Die Passphrase des Schlüsselspeichers stimmt nicht. Es wurde nichts geändert.',
  vault_passphrase_missing:
    'Die Passphrase des Schlüsselspeichers fehlt. Es wurde nichts geändert.',
  no_connection: 'Es ist noch keine Verbindung zu einem Versicherer eingerichtet.',
  connection_known:
    'Diese Adresse und Client-ID verwendet bereits die Verbindung «{name}». Es wurde nichts geändert.',
  connection_holds_work:
    'Diese Verbindung enthält Daten, die es nirgends sonst gibt. Einträge im Postausgang: {entries}, Entwürfe: {drafts}, Eingaben: {texts}, Sicherungen: {backups}. Es wurde nichts entfernt. Prüfen Sie sie und bestätigen Sie erneut.',
  practice_only:
    'Das geht nur in der Übungsumgebung. Öffnen Sie sie unter Einstellungen › Verbindung.',
  credentials_invalid:
    'In den Zugangsdaten stimmt «{field}» nicht: {rule}. Es wurde nichts gespeichert. Prüfen Sie die Datei.',
  base_url_invalid:
    '«{field}» ist keine brauchbare Adresse: {rule}. Es wurde nichts gespeichert. Erwartet wird eine Adresse wie https://api.example.ch.',
  offline:
    '{host} ist nicht erreichbar: keine Verbindung. Ihre Eingaben sind auf diesem Gerät gespeichert[ und werden automatisch gesendet, sobald Sie wieder online sind].',
  address_unknown:
    '{host} ist im Internet nicht bekannt. Ihre Eingaben sind auf diesem Gerät gespeichert. Prüfen Sie die Basisadresse und Ihre Verbindung.',
  connection_refused:
    '{host} nimmt keine Verbindung an. Ihre Eingaben sind auf diesem Gerät gespeichert[ und werden später gesendet]. Bleibt es dabei, prüfen Sie Adresse und Port.',
  connection_lost:
    'Die Verbindung zu {host} ist abgebrochen. Ihre Eingaben sind auf diesem Gerät gespeichert[; es wird automatisch erneut versucht].',
  timeout:
    '{host} hat nicht rechtzeitig geantwortet. Ihre Eingaben sind auf diesem Gerät gespeichert[; es wird automatisch erneut versucht].',
  certificate_untrusted:
    'Das Zertifikat von {host} ist nicht vertrauenswürdig: {reason}. Es wurde nichts gesendet; Ihre Eingaben sind gespeichert. Melden Sie es Ihrer IT. Diese Prüfung lässt sich nicht umgehen.',
  captive_portal:
    'Statt des Versicherers hat eine andere Seite geantwortet, vermutlich die Anmeldeseite eines WLANs. Ihre Eingaben sind gespeichert. Melden Sie sich im Browser beim WLAN an.',
  proxy_sign_in:
    'Der Proxy auf dem Weg zu {host} verlangt Name und Passwort; Appraiser Desk meldet sich nur mit dem Konto des Systems an. Ihre Eingaben sind auf diesem Gerät gespeichert. Melden Sie es Ihrer IT.',
  answer_foreign:
    'Statt des Versicherers hat eine Webseite geantwortet (Status {status}), etwa die einer Firewall. Ihre Eingaben sind hier gespeichert. Bleibt es so, geben Sie Ihrer IT oder dem Versicherer die technischen Angaben.',
  answer_too_large:
    'Die Antwort des Versicherers ist grösser als {maxMegabytes}\u00a0MB und wurde nicht gelesen. Auf diesem Gerät wurde nichts geändert. Bleibt es so, geben Sie dem Versicherer die technischen Angaben.',
  redirect_refused:
    '{host} wollte die Anfrage an eine andere Adresse umleiten; das wurde verhindert. Ihre Eingaben sind gespeichert. Prüfen Sie die Basisadresse.',
  clock_wrong:
    'Der Versicherer weist die Zeit der Anfragen zurück; die Uhr dieses Geräts weicht um {offsetMinutes} {offsetMinutes|Minute|Minuten} von seiner Zeit ab. Ihre Eingaben sind gespeichert. Bitte stellen Sie die Uhr auf «automatisch»; geht sie richtig, melden Sie es dem Versicherer.',
  id_unsafe:
    'Die Kennung «{id}» hat Zeichen, die ein Server unterwegs als Teil einer anderen Adresse lesen könnte. Darum wird dazu nichts gesendet und nichts abgefragt. Melden Sie das dem Versicherer.',
  client_id_unknown:
    'Der Versicherer kennt die Client-ID «{clientId}» nicht. Prüfen Sie die Client-ID in den Zugangsdaten.',
  key_rejected:
    'Der Versicherer kennt diesen Schlüssel nicht für diese Client-ID. Prüfen Sie, ob Schlüsseldatei und Client-ID zusammengehören.',
  access_revoked:
    'Dieses Gerät ist am Gateway Ihres Büros nicht mehr zugelassen. Nicht gesendete Eingaben bleiben auf diesem Gerät und lassen sich sichern. Bitten Sie Ihre IT um einen neuen Registrierungscode.',
  code_refused:
    'Dieser Code wird nicht angenommen: Er ist falsch, bereits verwendet oder abgelaufen. Es wurde nichts gespeichert. Prüfen Sie ihn oder verlangen Sie bei Ihrer IT einen neuen.',
  gateway_missing:
    'Unter {host} ist kein Gateway eines Büros. Es wurde nichts gespeichert. Prüfen Sie die Adresse.',
  audience_wrong:
    'Die Token-Adresse (Audience) «{audience}» stimmt nicht. Übernehmen Sie sie genau so, wie der Versicherer sie nennt.',
  sign_in_refused:
    'Der Versicherer lehnt die Anmeldung ab und nennt keinen Grund. Am wahrscheinlichsten gehört der Schlüssel nicht zur Client-ID «{clientId}», oder die Token-Adresse (Audience) «{audience}» ist anders geschrieben als beim Versicherer, oder er kennt die Client-ID nicht. Prüfen Sie diese drei Punkte in dieser Reihenfolge.',
  path_unknown:
    'Unter {address} gibt es diese Schnittstelle nicht (Status {status}). Ihre Eingaben sind gespeichert. Prüfen Sie die Basisadresse und, falls Ihre IT Pfade gesetzt hat, diese.',
  organization_kind_wrong:
    'Diese Zugangsdaten gehören nicht zu einer Expertenorganisation. Verwenden Sie jene Ihrer Expertenorganisation.',
  unauthorized:
    'Die Anmeldung wurde abgelehnt. Ihre Eingaben sind auf diesem Gerät gespeichert. Prüfen Sie die Verbindung; bleibt es dabei, geben Sie Ihrer IT die technischen Angaben.',
  rate_limited:
    'Der Versicherer nimmt bis {until} keine weiteren Anfragen an. Ihre Eingaben sind gespeichert[; danach geht es automatisch weiter].',
  limit_lowered:
    'Der Versicherer hat die Limite gesenkt (pro Minute: {perMinute} {bucket}). Es geht nichts verloren, dauert aber länger. Ab {until} wird wieder mehr versucht.',
  server_refused:
    'Der Versicherer hat das nicht angenommen: {title}. Ihre Eingaben bleiben auf diesem Gerät gespeichert. Prüfen Sie sie und versuchen Sie es erneut, oder verwerfen Sie den Eintrag.',
  server_failed:
    'Beim Versicherer ist ein Fehler aufgetreten. Ihre Eingaben sind auf diesem Gerät gespeichert[; es wird automatisch erneut versucht].',
  answer_invalid:
    'Die Antwort des Versicherers hat nicht das vereinbarte Format. Es wurde nichts geändert. Bleibt es dabei, geben Sie Ihrer IT die technischen Angaben.',
  list_incomplete:
    'Die Fallliste des Versicherers liess sich nicht vollständig lesen: {reason}. Gelesen wurden {seen} Fälle; der Versicherer zählt {total}. Was gelesen wurde, ist hier, aber Fälle oder Änderungen können fehlen.[ Appraiser Desk versucht es weiter.] Melden Sie es dem Versicherer.',
  changes_unfiltered:
    'Der Versicherer antwortet mit allen Fällen, obwohl nur nach den geänderten gefragt wird ({parameter}). Deshalb wird jedes Mal die ganze Liste gelesen, automatisch nur alle 30 Minuten. Melden Sie es dem Versicherer oder Ihrer IT.',
  records_unreadable:
    'Nicht lesbare Datensätze vom Versicherer: {count}. Der erste ist {id} (Feld «{place}»). Sie sind unverändert aufbewahrt; alle anderen sind geladen. Bitte melden Sie es dem Versicherer.',
  case_time_ahead:
    'Fälle mit einem Änderungsdatum in der Zukunft: {count}. Der erste ist {externalKey}. Sie sind gespeichert und werden angezeigt. Bitte melden Sie es dem Versicherer.',
  answer_mismatch:
    'Die Antwort des Versicherers passt nicht zu dem, was gesendet wurde, und auch die Nachfrage war ohne Ergebnis. Ihre Eingabe ist hier gespeichert und gilt nicht als zugestellt. Bitte versuchen Sie es erneut oder fragen Sie beim Versicherer nach (siehe technische Angaben).',
  server_has_other:
    'Der Versicherer hat Ihre Eingabe bestätigt, führt aber einen anderen Wert: «{field}» ist dort {found}, gesendet wurde {sent}. Ihre Eingabe ist hier gespeichert und gilt nicht als zugestellt. Senden Sie sie erneut, ändern Sie sie, oder verwerfen Sie sie, um den Wert des Versicherers zu übernehmen.',
  reopening_without_effect:
    'Der Versicherer hat die Wiedereröffnung bestätigt, der Fall ist dort aber weiterhin abgeschlossen. Ihre Wiedereröffnung ist hier gespeichert. Versuchen Sie es erneut, oder fragen Sie beim Versicherer nach.',
  report_still_draft:
    'Der Versicherer hat bestätigt, dass der Bericht eingereicht ist, führt ihn aber weiterhin als Entwurf. Ihr Bericht ist hier gespeichert und gilt nicht als zugestellt. Versuchen Sie es erneut, oder fragen Sie beim Versicherer nach.',
  report_not_listed:
    'Der Versicherer hat bestätigt, dass der Bericht eingereicht ist, führt ihn aber nicht auf. Ihr Bericht ist hier mit seinem Nachweis gespeichert. Fragen Sie beim Versicherer nach, bevor Sie ihn nochmals einreichen.',
  report_cancelled:
    'Der Versicherer hat bestätigt, dass der Bericht eingereicht ist, führt ihn aber als annulliert und ohne Datum der Einreichung. Ihr Bericht ist hier gespeichert und gilt nicht als zugestellt. Fragen Sie beim Versicherer nach, bevor Sie ihn nochmals einreichen.',
  documents_not_there:
    'Der Versicherer hat die Dokumente bestätigt, hat sie aber nicht alle: {count} {count|fehlt|fehlen}, zuerst {fileName}. Es wurde nichts eingereicht; sie sind hier gespeichert. Versuchen Sie es erneut, oder fragen Sie beim Versicherer nach.',
  documents_not_removed:
    'Der Versicherer hat bestätigt, dass überzählige Dokumente gelöscht sind, hat sie aber noch: {count}, zuerst {fileName}. Es wurde nichts eingereicht; Ihr Bericht ist hier gespeichert. Versuchen Sie es erneut, oder fragen Sie beim Versicherer nach.',
  server_draft_gone:
    'Beim Versicherer löscht jemand jedes Mal den Entwurf dieses Berichts. Ihr Bericht und seine Dateien sind hier gespeichert. Klären Sie, wer das tut, und versuchen Sie es dann erneut: Der Entwurf wird mit denselben Dateien neu angelegt.',
  case_awaits:
    'Der Fall hat den Status «{status}». Ihre Eingaben sind gespeichert[ und werden automatisch gesendet, sobald der Fall im Portal des Versicherers angenommen ist].',
  server_draft_exists:
    'Zu diesem Fall gibt es beim Versicherer bereits einen Berichtsentwurf, der nicht von diesem Gerät stammt. Ihr Bericht bleibt gespeichert. Klären Sie, von wem der Entwurf ist. Danach versuchen Sie es erneut oder verwenden ihn für Ihren Bericht.',
  server_draft_documents:
    'Im Berichtsentwurf beim Versicherer liegen Dokumente, die nicht von diesem Gerät stammen: {count}. Es wurde nichts eingereicht; Ihr Bericht bleibt gespeichert. Entscheiden Sie: mit diesen Dokumenten einreichen oder sie zuerst entfernen.',
  server_case_gone:
    'Sie haben keinen Zugriff mehr auf diesen Fall. Ihre Eingaben bleiben auf diesem Gerät gespeichert. Fragen Sie in Ihrem Büro oder beim Versicherer nach.',
  server_value_changed:
    '«{field}» wurde inzwischen geändert, vermutlich in Ihrer Organisation: von {seen} auf {found}. Ihr Wert: {mine} (gespeichert). Wählen Sie, welcher gelten soll.',
  outcome_unknown:
    'Ob die letzte Sendung angekommen ist, wird geprüft. Ihre Eingaben sind gespeichert; es wird nichts wiederholt, bevor das klar ist.',
  home_in_use:
    'Appraiser Desk hat diesen Ordner bereits geöffnet (Prozess {pid}). Es wurde nichts geändert. Verwenden Sie das offene Fenster oder schliessen Sie es zuerst.',
  home_newer:
    'Diese Daten stammen von einer neueren Version von Appraiser Desk. Sie sind unverändert. Installieren Sie die neuere Version.',
  home_unknown:
    'Diese Daten stammen von einer nie veröffentlichten Version von Appraiser Desk, und diese Version kann sie nicht lesen. Sie sind unverändert. Was nicht gesendet ist, kann nur jene Version senden. Für einen Neubeginn verschieben Sie den Ordner von Appraiser Desk.',
  home_unwritable:
    'Der Ordner von Appraiser Desk lässt sich nicht beschreiben: {reason}. Prüfen Sie seine Rechte.',
  settings_restored:
    'Die Einstellungsdatei {fileName} fehlte, war beschädigt oder veraltet. Sie wurde aus früheren Fassungen und aus den Verbindungen auf diesem Gerät wiederhergestellt. Keine Eingabe ist verloren. Prüfen Sie die Einstellungen.',
  workspace_orphaned:
    'Auf diesem Gerät liegen Daten einer Verbindung, die die Einstellungen nicht kennen: {folder}. Anzahl: {count}; nicht gesendet, Einträge im Postausgang: {entries}, Entwürfe: {drafts}, Eingaben: {texts}. Es wurde nichts entfernt. Richten Sie die Verbindung mit Client-ID, Adresse und Schlüssel erneut ein; bleibt der Hinweis, behalten Sie den Ordner und wenden Sie sich an Ihre IT.',
  policy_invalid:
    'Die Vorgabendatei {fileName} ist nicht gültig. Stelle: {place}. Grund: {detail}. Es wurde nichts gestartet. Ihre IT muss die Datei berichtigen.',
  work_corrupt:
    'Die Datei mit Ihren noch nicht gesendeten Eingaben ist beschädigt. Sie wurde beiseitegelegt und nicht überschrieben. Die letzte geprüfte Sicherung können Sie unter Einstellungen › Sicherung wiederherstellen.',
  work_lost:
    'Die Datei mit Ihren noch nicht gesendeten Eingaben ist beschädigt, und es gibt keine unversehrte Sicherung. Sie wurde beiseitegelegt und nicht überschrieben. Prüfen Sie beim Versicherer, was zugestellt ist.',
  disk_full:
    'Der Datenträger ist voll. Gespeichertes ist unversehrt; was eben geschrieben werden sollte, wurde nicht gespeichert. Schaffen Sie Platz und versuchen Sie es erneut.',
  files_exhausted:
    'Das Betriebssystem erlaubt dem Programm keine weiteren offenen Dateien. Gespeichertes ist unversehrt. Schliessen Sie andere Programme und starten Sie dieses neu; kommt es wieder vor, soll Ihre IT die Grenze erhöhen (ulimit -n).',
  internal:
    'Unerwarteter Fehler. Gespeicherte Eingaben sind nicht betroffen. Versuchen Sie es erneut; hilft das nicht, nennen Sie Ihrer IT die Kennung {correlationId}.',
};

/** Of a request that reads and is refused: of the list of cases, and of anything else. */
export const readRefusals = {
  list: 'Der Versicherer verweigert die Fallliste (Status {status}): {title}. Was früher gelesen wurde, und Ihre Eingaben bleiben auf diesem Gerät gespeichert. Fragen Sie in Ihrem Büro oder beim Versicherer nach.',
  other:
    'Der Versicherer gibt das nicht heraus (Status {status}): {title}. Was früher gelesen wurde, und Ihre Eingaben bleiben auf diesem Gerät gespeichert. Fragen Sie in Ihrem Büro oder beim Versicherer nach.',
};

/** What a command that ends adds to a sentence with a promise of the window. */
export const retryHint = 'Versuchen Sie es später erneut; {command} sync sendet, was wartet.';

/** What the command line adds to a sentence: how it is done there. */
export const commandLineHints: Readonly<Partial<Record<DeskErrorCode, string>>> = {
  keychain_unavailable: 'Ohne Schlüsselbund: --vault passphrase und DESK_VAULT_PASSPHRASE setzen.',
  keychain_entry_lost: 'Neu beginnen und die alten Daten beiseitelegen: --set-aside.',
  vault_passphrase_wrong: 'Prüfen Sie DESK_VAULT_PASSPHRASE.',
  vault_passphrase_missing: 'Setzen Sie DESK_VAULT_PASSPHRASE.',
  no_connection: 'Einrichten: {command} connect.',
  connection_holds_work: 'Bestätigen: --with-work.',
  home_unknown: 'Ein anderer Ordner: --home.',
  home_unwritable: 'Ein anderer Ordner: --home.',
  work_corrupt: 'Wiederherstellen: {command} restore --backup.',
};

/**
 * Words that fill the sentences in place of raw parameter values. A value that is not listed is
 * shown unchanged.
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
    approvedRappen: 'Anerkannter Betrag',
    expertComment: 'Kommentar',
    comment: 'Kommentar',
    text: 'Text',
    reason: 'Begründung',
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
    kind_text_document:
      'dieses Format nimmt der Versicherer nicht an; speichern Sie die Datei als PDF oder als DOCX',
    kind_sheet:
      'dieses Format nimmt der Versicherer nicht an; speichern Sie die Datei als PDF oder als XLSX',
    kind_outlook:
      'nur Outlook kann diese Datei lesen; speichern Sie die E-Mail als EML oder als PDF',
    kind_mail_program:
      'nur ein E-Mail-Programm kann diese Datei lesen; speichern Sie die E-Mail als EML oder als PDF',
    kind_video: 'der Versicherer nimmt keine Videos an; fügen Sie einzelne Bilder daraus hinzu',
    kind_shortcut: 'es ist eine Verknüpfung; fügen Sie die Datei hinzu, auf die sie zeigt',
    kind_cloud:
      'sie steht für eine Datei in einer Cloud; öffnen Sie diese einmal oder machen Sie sie offline verfügbar, und fügen Sie die Datei selbst hinzu',
    kind_download:
      'ihr Download ist nicht abgeschlossen; laden Sie sie neu herunter und fügen Sie die ganze Datei hinzu',
    kind_ending:
      'ihr Inhalt würde angenommen, aber nicht unter diesem Namen; geben Sie ihm die Endung des Inhalts, zum Beispiel .pdf für ein PDF',
    kind_archive:
      'von Archiven nimmt der Versicherer nur ZIP an; entpacken Sie es und fügen Sie die Dateien hinzu',
    kind_mailbox:
      'sie enthält mehrere E-Mails, von denen Programme nur die erste zeigen; speichern Sie jede einzeln',
    kind_packing:
      'Dateien darin sind so gepackt, dass viele Programme sie nicht öffnen können; packen Sie sie neu als gewöhnliches ZIP',
    pdf_pages: 'eine Seite oder ein Bild fehlt',
    archive_directory: 'das Verzeichnis der enthaltenen Dateien fehlt',
    archive_member: 'eine enthaltene Datei lässt sich nicht entpacken',
    office_main_part: 'der Text fehlt oder bricht ab',
    office_content: 'der Inhalt ist kein Word- oder Excel-Dokument, wie die Endung sagt',
    office_sheet: 'ein Tabellenblatt oder sein Text fehlt',
    mail_end: 'das Ende fehlt',
    text_end: 'das Ende fehlt',
    text_control: 'sie enthält Zeichen, die kein Text sind',
    template_damaged: 'es ist kein lesbares Word-Dokument (.docx)',
    template_macros: 'das Dokument enthält Makros; speichern Sie es als .docx',
    template_active:
      'das Dokument lädt oder startet etwas anderes (Verknüpfung, Steuerelement, eingebettetes Objekt)',
    template_too_large:
      'das Dokument ist zu gross oder entpackt sich zu mehr, als eine Vorlage braucht',
    template_other_format:
      'es ist nicht als Word-Dokument (.docx) gespeichert, sondern zum Beispiel als .dotx, .doc, .odt oder «Strict Open XML»; speichern Sie es in Word mit «Speichern unter» als Word-Dokument (.docx)',
    template_unverified: 'das ausgefüllte Dokument wäre nicht einwandfrei',
    annex_unreadable: 'sie lässt sich nicht öffnen, oder nur mit einem Passwort',
    annex_signed: 'sie ist digital signiert, und die Signatur ginge verloren',
    annex_form: 'ihr Formular lässt sich nicht in Text umwandeln',
    annex_unready: 'öffnen Sie das Bild zuerst in «Fotos bearbeiten»',
    annex_kind: 'nur PDF und Bilder können es',
    not_deletable: 'die Datei könnte nach der Übernahme nicht gelöscht werden',
    gateway_alone: 'mit einem Gateway werden Basisadresse, Audience und Client-ID nicht angegeben',
    no_certificate: 'darin ist kein Zertifikat (PEM)',
    broken_certificate: 'ein Zertifikat darin ist beschädigt (PEM)',
    private_network: 'kein privates Netz wie 192.168.10.0/24',
    absolute: 'es muss ein vollständiger Pfad sein',
    not_a_picture: 'der Inhalt ist kein Bild',
    cut_off: 'das Ende der Datei fehlt',
    too_large: 'es hat mehr als 100 Millionen Pixel',
    too_many_pages: 'es hat mehr als 100 Seiten',
    unsupported: 'diese Art von TIFF wird nicht unterstützt; bitte als JPEG oder PDF speichern',
    too_slow: 'die Datei braucht zu lange; sie ist vermutlich beschädigt',
    broke_off:
      'die Aufbereitung brach ab, vermutlich weil diesem Gerät Arbeitsspeicher fehlt; schliessen Sie andere Programme und fügen Sie das Foto erneut hinzu',
    unreadable: 'nicht lesbar',
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
    not_a_code: 'keine vierstellige Postleitzahl und kein Bereich aus zweien',
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
  },
  reasons: {
    repeats: 'dieselbe Seite kommt immer wieder',
    endless: 'sie hat kein Ende',
    missing: 'gezählte Fälle fehlen darin',
    changing: 'sie änderte sich bei jedem Lesen',
    DEPTH_ZERO_SELF_SIGNED_CERT: 'es ist selbst signiert',
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
    ENOENT: 'den Ordner gibt es nicht',
    EISDIR: 'dieser Name gehört einem Ordner',
    EACCES: 'die Rechte fehlen',
    EPERM: 'die Rechte fehlen',
    EROFS: 'der Datenträger ist schreibgeschützt',
    ENOTDIR: 'ein Teil des Pfades ist kein Ordner',
  },
  /** Of problem documents. */
  titles: {
    forbidden: 'Sie haben keinen Zugriff',
    not_found: 'der Versicherer kennt den Fall oder das Dokument nicht',
    org_without_members: 'Ihre Organisation hat beim Versicherer keine Mitglieder',
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
