import type { TextsLike } from '../texts.ts';
import type { deWork, deSafety } from '../de/work.ts';

export const frWork: TextsLike<typeof deWork> = {
  hints: {
    title: 'À vérifier',
    codes: {
      approvedAboveEstimate: 'Le montant approuvé dépasse le devis du garage.',
      estimateFarAboveClaim:
        'Le devis ({estimate}) dépasse largement l’estimation de l’assureur ({claim}).',
      deductibleCoversClaim:
        'La franchise ({deductible}) couvre l’estimation de l’assureur ({claim}).',
      currencyForeign:
        'L’estimation de l’assureur est en {currency}, les montants du dossier sont en CHF.',
      inspectionPast: 'L’inspection a eu lieu le {date}; le rapport manque encore.',
      inspectionBeforeIncident:
        'L’inspection ({inspection}) précède la date du sinistre ({incident}).',
      registrationAfterIncident:
        'La 1re mise en circulation ({date}) est postérieure au sinistre ({incident}).',
      dateImpossible: 'Une date ne peut pas être juste: {value}.',
      plateMissing: 'Aucun numéro de plaque n’est indiqué.',
      phoneMissing: 'Aucun numéro de téléphone n’est indiqué.',
      driversSeveral: 'Plusieurs personnes du même côté sont indiquées au volant.',
    },
  },
  print: {
    case: 'Imprimer le dossier ou l’enregistrer en PDF',
    printed: 'Imprimé {when}',
  },
  viewing: {
    search: 'Chercher dans le document',
    hits: '{at} sur {total}',
    noHits: 'Aucun résultat',
    searching: 'Recherche …',
    previousHit: 'Résultat précédent',
    nextHit: 'Résultat suivant',
    fitWindow: 'Image entière',
    lies: 'Désigné comme {named}, mais le contenu est {found}. C’est le contenu qui est affiché.',
    notHere: 'Ce document n’est pas encore sur cet ordinateur',
    empty: 'Ce fichier est vide.',
    tooLarge: 'Cette image est trop grande pour être affichée ici',
    tooLargeText:
      'Elle a {width} × {height} pixels. Enregistrez une copie et ouvrez-la dans un autre programme.',
    pageBroken: 'Cette page ne peut pas être dessinée.',
    morePages: 'Les {shown} premières pages sur {total} sont affichées.',
  },
  reportTools: {
    duplicateOf: 'Même contenu que le fichier {position}',
    duplicates:
      '{n} fichier a le même contenu qu’un précédent. | {n} fichiers ont le même contenu que des précédents.',
    up: 'Vers le haut',
    down: 'Vers le bas',
    look: 'Voir',
    remove: 'Retirer',
    pending: 'encore {n} fichier | encore {n} fichiers',
    refused: '{n} fichier n’a pas été pris. | {n} fichiers n’ont pas été pris.',
    dismissAll: 'Tout masquer',
    rename: 'Renommer selon un modèle',
    renameDo: 'Renommer',
    template: 'Modèle',
    preview: 'Aperçu des noms',
    before: 'Actuel',
    after: 'Nouveau',
    longEdge: 'Côté le plus long',
    edge: 'au plus {pixels} pixels',
    edgeKept: 'comme prise, seulement redressée',
    working: '{done} photos sur {total} traitées',
    failed:
      '{n} photo n’a pas pu être lue et reste telle quelle: | {n} photos n’ont pas pu être lues et restent telles quelles:',
    sheet: 'Planche de photos',
    sheetTitle: 'Planche de photos en PDF',
    sheetHeading: 'Titre',
    sheetDefault: 'Photos du dossier {key}',
    sheetFile: 'Planche de photos {key}.pdf',
    sheetPhotos: 'Photos de la planche',
    sheetTake: 'Sur la planche: {name}',
    sheetChosen: '{n} photo | {n} photos',
    sheetDo: 'Créer la planche',
    perPage: 'Photos par page',
    caption: 'Légende {position}',
  },
  queueWork: {
    pause: 'Suspendre l’envoi',
    resume: 'Reprendre l’envoi',
    paused:
      'L’envoi est suspendu. Tout reste enregistré sur cet ordinateur jusqu’à ce que vous le repreniez.',
    edit: 'Modifier',
    takeBack: 'Reprendre le rapport',
    takeBackHint: 'Le rapport redevient un brouillon et peut être modifié.',
    save: 'Enregistrer',
    proofs: 'Preuves d’envoi',
    proofLocal: 'Heure (Zurich)',
    proofUtc: 'Heure (UTC)',
    proofValue: 'Valeur envoyée',
    proofPdf: 'Preuve en PDF',
    proofNote:
      'Établi le {time}. Heures d’Europe/Zurich, avec l’UTC, selon les réponses du partenaire.',
    saveProofs: 'Enregistrer les preuves',
    case: 'Cas',
    what: 'Opération',
    bytes: 'Octets',
    tooLate: {
      sending:
        'Trop tard: la transmission est en cours. Rien n’a été modifié. Attendez de voir ici si elle est arrivée.',
      delivered:
        'Trop tard: c’est déjà arrivé chez l’assureur. Rien n’a été modifié. Si ce n’est pas juste, saisissez-le à nouveau dans le dossier.',
      discarded: 'C’est déjà retiré de la file d’attente. Rien n’a été modifié.',
    },
  },
  sentReports: {
    open: 'Ce qui a été envoyé',
    close: 'Masquer',
    fetch: 'Récupérer auprès de l’assureur',
    fetching: '{done} fichiers récupérés sur {total}',
    revise: 'Commencer une révision à partir de ce rapport',
    approved: 'approuvé {when}',
    returned: 'retourné {when}',
    cancelled: 'annulé {when}',
    replaced: 'remplacé par le rapport {n}, {when}',
    reason: 'Motif de l’assureur: {reason}',
    reasonUnknown: 'L’assureur ne communique pas le motif par cette connexion.',
    askAt: 'Renseignements auprès de {name}.',
    missing:
      'Absent, car l’assureur n’en fournit pas le contenu. Ajoutez ce fichier vous-même: {names} | Absents, car l’assureur n’en fournit pas le contenu. Ajoutez ces fichiers vous-même: {names}',
    replace: 'Remplacer par un autre fichier: {name}',
    replaceShort: 'Remplacer',
    replacedFile: '{name} est remplacé.',
  },
  queueProgress: {
    nextAt: 'Suite à {time}',
    partNextAt: '{done} sur {total}, suite à {time}',
    partDoneAt: '{done} sur {total}, suite à {time}, fini à {doneAt}',
    part: '{done} sur {total} transmis',
    next: 'suite à {time}',
    done: 'fini à {time}',
    noTime: 'sans réseau, l’heure de fin n’est pas connue',
    repeated: '{n} répétition | {n} répétitions',
  },
};

export const frSafety: TextsLike<typeof deSafety> = {
  undo: {
    draft: 'Projet supprimé.',
    act: 'Retiré de la file d’attente.',
    text: 'Texte saisi supprimé.',
    batch: '{n} fichier retiré du tableau. | {n} fichiers retirés du tableau.',
    view: 'Vue «{name}» supprimée.',
    file: 'Retiré: {name}',
    rename: 'Renommé: {name}',
  },
  foreign: {
    title: 'Dans le projet chez le partenaire, mais pas de cet ordinateur:',
    salvage: 'épave',
    submit: 'Soumettre quand même',
    submitWith: 'Soumettre avec ces documents',
    remove: 'Les supprimer d’abord, puis soumettre',
    removeTitle: 'Supprimer ces documents chez le partenaire?',
    removeText:
      'Ils sont supprimés du projet chez le partenaire et ne peuvent pas y être récupérés. Ensuite, votre rapport est soumis.',
  },
  lostKey: {
    title: 'La clé de cette connexion manque',
    practiceTitle: 'La clé de l’espace d’exercice manque',
    text: 'Dans le trousseau de cet ordinateur, la clé privée de «{name}» ({host}) manque. Vos données sont inchangées sur cet ordinateur et toujours chiffrées. Choisissez le fichier de clé de votre organisation et vous continuez où vous vous êtes arrêté.',
    dataText:
      'Dans le trousseau de cet ordinateur, la clé des données de «{name}» manque. Sans elle, personne ne peut les lire, pas même ce programme. Si vous pouvez restaurer le trousseau, fermez le programme, faites-le d’abord et redémarrez.',
    asideText:
      'Sinon, recommencez: les anciennes données sont mises de côté, pas supprimées. Les dossiers reviennent avec la prochaine synchronisation, le travail non transmis d’un paquet si vous en avez un; on vous le demande ensuite.',
    recover: 'Remettre la clé',
    setAside: 'Mettre de côté et recommencer',
    confirm: 'Je sais que les anciennes données ne sont pas lisibles sans leur clé.',
  },
};
