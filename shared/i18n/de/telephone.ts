/** The telephone as camera: the dialog in the window, and the page on the telephone. */
export const telephoneTexts = {
  telephone: {
    open: 'Mit dem Telefon fotografieren',
    scan: 'Richten Sie die Kamera des Telefons auf den Code und öffnen Sie den Link. Das Telefon muss im selben Netz sein wie dieses Gerät: im Büronetz, oder dieses Gerät im Hotspot des Telefons. Es braucht kein Internet.',
    code: 'QR-Code für das Telefon',
    network: 'Netz',
    unconnected: 'Noch kein Telefon verbunden.',
    connected: 'Ein Telefon ist verbunden.',
    stored: 'Angekommen: {n}',
    waiting: 'Noch auf dem Telefon: {n}',
    done: 'Auf dem Telefon abgeschlossen; alle Fotos sind angekommen.',
    refused:
      'Ein anderes Gerät oder ein falscher Code wurde abgewiesen ({n}). Es wurde nichts übernommen und nichts gezeigt.',
    advice:
      'Der Code gilt für ein Telefon und nur, bis Sie beenden. Wer im selben Netz die Daten verändern kann, könnte dem Telefon eine andere Seite zeigen; im Hotspot des Telefons ist sonst niemand.',
    end: 'Beenden',
    stay: 'Verbunden lassen',
    live: 'Telefon als Kamera: {n} angekommen',
    begin: 'Neuen Code zeigen',
    ended:
      'Die Verbindung zum Telefon ist beendet. Fotos, die noch auf dem Telefon sind, kommen mit einem neuen Code an.',
    addressGone:
      'Dieses Gerät hat die Adresse {address} nicht mehr, das Telefon erreicht es nicht. Zeigen Sie einen neuen Code.',
    otherReport:
      'Ein Telefon fotografiert gerade für einen anderen Bericht. Ein neuer Code hier beendet jene Verbindung; was dort noch nicht angekommen ist, bleibt auf dem Telefon.',
    from: 'vom Telefon',
    obstacles: {
      policy: 'Ihre Organisation erlaubt das Telefon als Kamera nicht.',
      network:
        'Dieses Gerät ist in keinem privaten Netz, das dafür erlaubt ist. Verbinden Sie es mit dem Büronetz oder mit dem Hotspot des Telefons.',
      program: 'Dieses Programm wurde ohne die Seite für das Telefon gestartet.',
    },
    page: {
      connecting: 'Verbindung wird aufgebaut …',
      ready: 'Fall {claim}',
      shutter: 'Foto aufnehmen',
      pick: 'Vorhandene Fotos wählen',
      group: 'Was zeigt das nächste Foto?',
      groupOf: 'Was zeigt dieses Foto?',
      caption: 'Legende',
      waiting: 'Noch nicht angekommen: {n}',
      stored: 'Angekommen: {n}',
      refused: 'Nicht angenommen: {n}',
      all: 'Alle Fotos sind angekommen.',
      before: 'Fotos von vorher, die auf diesem Telefon warten: {n}',
      addBefore: 'Zu diesem Bericht hinzufügen',
      done: 'Fertig',
      isDone: 'Fertig. Sie können diese Seite schliessen.',
      isWaiting: 'wartet',
      isSending: 'wird gesendet, {percent}\u00a0%',
      isStored: 'angekommen',
      isRefused: 'Appraiser Desk kann dieses Bild nicht lesen.',
      isUnreadable:
        'Dieses Telefon kann dieses Foto nicht mehr lesen. Laden Sie die Seite neu, oder nehmen Sie es noch einmal auf.',
      save: 'Auf dem Telefon sichern',
      remove: 'Entfernen',
      noCode: 'Scannen Sie den Code, den Appraiser Desk zeigt.',
      unreachable:
        'Appraiser Desk ist nicht erreichbar. Ihre Fotos bleiben auf diesem Telefon und werden gesendet, sobald es wieder erreichbar ist. Lassen Sie diese Seite offen. Ist die Verbindung dort beendet, scannen Sie einen neuen Code.',
      ended:
        'Diese Verbindung ist beendet. Was noch nicht angekommen ist, bleibt auf diesem Telefon: Zeigen Sie in Appraiser Desk einen neuen Code, und scannen Sie ihn.',
      other:
        'Mit diesem Code ist schon ein anderes Telefon verbunden. Zeigen Sie in Appraiser Desk einen neuen Code, und scannen Sie ihn.',
      impostor:
        'Diese Seite erreicht nicht Ihr Appraiser Desk. Es wurde nichts gesendet. Zeigen Sie in Appraiser Desk einen neuen Code, am besten im Hotspot dieses Telefons.',
      noStorage:
        'Dieser Browser bewahrt keine Fotos auf. Öffnen Sie den Link des Codes in einem gewöhnlichen Fenster, nicht in einem privaten.',
      elsewhere: 'Diese Seite ist in einem anderen Tab offen. Dort geht es weiter.',
      disk_full:
        'Das Gerät mit Appraiser Desk hat keinen Platz mehr. Ihre Fotos bleiben auf diesem Telefon und werden gesendet, sobald Platz ist.',
      report_closed:
        'Dieser Bericht ist schon eingereicht oder gelöscht. Ihre Fotos bleiben auf diesem Telefon: Zeigen Sie den Code in einem anderen Bericht, und scannen Sie ihn.',
      too_many:
        'Dieser Code nimmt keine weiteren Fotos. Die übrigen bleiben auf diesem Telefon: Zeigen Sie in Appraiser Desk einen neuen Code, und scannen Sie ihn.',
      failed:
        'Appraiser Desk kann im Moment nichts speichern. Ihre Fotos bleiben auf diesem Telefon und werden wieder gesendet.',
      notKept:
        'Dieses Telefon konnte ein Foto nicht aufbewahren: {name}. Ist der Speicher voll, oder ist dies ein privates Fenster? Nehmen Sie es danach noch einmal auf.',
    },
  },
};
