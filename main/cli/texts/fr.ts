import { errorWordsFr } from '#shared/desk/error-texts/fr.ts';
import type { CliTexts } from './texts.ts';

export const cliTextsFr: CliTexts = {
  description: 'Les cas d’un expert sur cet ordinateur, avec ou sans réseau',
  commands: {
    connect: 'enregistre une connexion avec sa clé et la vérifie',
    doctor: 'vérifie la connexion étape par étape',
    sync: 'lit les changements, transmet la file d’attente, charge les documents',
    cases: 'la liste des cas sur cet ordinateur',
    case: 'un cas',
    documents: 'les documents d’un cas',
    reports: 'les rapports d’un cas',
    download: 'écrit les documents, déchiffrés, dans des fichiers',
    comment: 'saisit le commentaire; aussi sans réseau',
    amounts: 'saisit les montants; aussi sans réseau',
    reopen: 'rouvre un cas clos; aussi sans réseau',
    report: 'compose un rapport; aussi sans réseau',
    queue: 'ce qui attend, pourquoi, et la preuve de ce qui a été transmis',
    queueShow: 'une entrée de la file d’attente',
    queueRetry:
      'réessaie une entrée; --decision dit que faire de ce que le partenaire détient à côté d’un rapport',
    queueDiscard: 'supprime une entrée',
    queueEdit: 'modifie une entrée qui n’est pas en route; un rapport redevient un brouillon',
    batch: 'de nombreux rapports d’après les noms de fichiers et de dossiers',
    export: 'écrit la liste des cas dans un fichier',
    storage: 'quels documents restent hors ligne et leur place; --free supprime ce qui peut l’être',
    diagnostics: 'écrit un paquet pour le support, sans données personnelles',
    backup: 'écrit le travail non transmis dans un fichier chiffré, pour un autre ordinateur',
    restore: 'reprend le travail non transmis d’un autre ordinateur',
  },
  casesAtLeast: (total) =>
    `Au moins ${total} cas : plus de documents contiennent ces mots qu’une recherche n’en regarde.`,
  columns: {
    key: 'Cas',
    status: 'Statut',
    category: 'Catégorie',
    party: 'Partie',
    subject: 'Objet',
    place: 'Lieu',
    file: 'Fichier',
    size: 'Taille',
    onLaptop: 'Sur l’ordinateur',
    sequence: 'N°',
    submitted: 'Remis',
    comment: 'Commentaire',
    id: 'Entrée',
    act: 'Quoi',
    state: 'État',
    attempts: 'Essais',
    problem: 'Motif',
    path: 'Enregistré sous',
    matchedBy: 'Reconnu par',
    salvage: 'Épave',
    step: 'Étape',
    result: 'Résultat',
  },
  kinds: { amounts: 'Montants', comment: 'Commentaire', reopen: 'Réouverture', report: 'Rapport' },
  states: errorWordsFr.queueStates,
  yes: 'oui',
  no: 'non',
  connected: (name, cases) => `Connecté à ${name}; ${String(cases)} cas.`,
  connectedUntested: (name) =>
    `La connexion ${name} est enregistrée, mais n’a pas encore pu être vérifiée.`,
  synced: (r) =>
    `${String(r.pulled)} cas lus, ${String(r.delivered)} entrées transmises, ${String(r.documents)} documents chargés; ${String(r.waiting)} en attente, ${String(r.attention)} demandent votre attention.`,
  queued: (id) => `Enregistré sur cet ordinateur, entrée ${String(id)} de la file d’attente.`,
  draftKept: (id) =>
    `Le projet ${id} est enregistré; avec --submit il entre dans la file d’attente.`,
  storage: (s) =>
    `Documents: ${s.documents}, dont ${s.freeable} peuvent être libérés. Fichiers joints: ${s.attachments}. Gardé hors ligne: ${{ none: 'rien de soi-même', due: 'les cas à traiter', all: 'tout' }[s.keep]}; les documents des cas clos ${s.closedDays === null ? 'restent' : `partent après ${String(s.closedDays)} jours`}.`,
  exported: (x) => `${String(x.cases)} cas sont dans ${x.file}.`,
  diagnosed: (x) =>
    `Le paquet est dans ${x.file}. Il ne contient pas de données personnelles; regardez-le avant de l’envoyer.`,
  backedUp: (w) =>
    `${String(w.entries)} entrées, ${String(w.drafts)} brouillons et ${String(w.files)} fichiers sont dans ${w.file}. Conservez la phrase secrète: sans elle, personne ne peut les lire. Ne transmettez pas le même travail depuis les deux ordinateurs.`,
  restored: (w) =>
    `${String(w.entries)} entrées, ${String(w.drafts)} brouillons et ${String(w.files)} fichiers repris; ${String(w.known)} étaient déjà ici, ${String(w.superseded)} sont dépassés par de plus récents.`,
  workBackup: (w) =>
    `${String(w.entries)} entrées, ${String(w.drafts)} brouillons et ${String(w.views)} vues enregistrées, sauvegardés le ${w.backedUpAt}`,
  workBackupLeft: (w) =>
    `La sauvegarde du ${w.backedUpAt} n’est plus proposée. Ses fichiers restent où ils sont.`,
  usageTakeOrLeave:
    'Une sauvegarde est soit reprise (--backup), soit laissée de côté (--leave), soit un fichier est indiqué: une seule de ces options.',
  usageNoBackup:
    'Aucune sauvegarde d’un travail endommagé n’attend. Indiquez le fichier d’une sauvegarde.',
  askPassphrase: 'Phrase secrète: ',
  askPassphraseAgain: 'Encore une fois: ',
  passphrasesDiffer: 'Les deux phrases secrètes ne sont pas identiques.',
  usagePassphrase:
    'Il faut une phrase secrète d’au moins 8 caractères: saisie dans un terminal ou définie dans DESK_BACKUP_PASSPHRASE.',
  batch: {
    identifiers: { externalKey: 'cas', policyNumber: 'police', licensePlate: 'plaque' },
    likely: 'probable',
    refusals: {
      nothing_recognized: 'rien dans le nom ni dans les dossiers n’appartient à un cas',
      several_cases: 'plusieurs cas sont possibles',
      names_disagree: 'les noms appartiennent à des cas différents',
    },
    outcomes: {
      ready: 'serait repris',
      added: 'dans le rapport',
      known: 'déjà repris',
      duplicate: 'le même contenu figure deux fois dans le lot',
    },
    inDraft: 'dans un brouillon',
    made: (q, d) =>
      `${String(q)} rapports en file d’attente, ${String(d)} gardés comme brouillons.`,
  },
  doctor: {
    steps: {
      address: 'Adresse',
      connection: 'Connexion',
      encryption: 'Chiffrement',
      partner: 'Réponses du partenaire',
      clock: 'Horloge',
      token: 'Authentification (client id, clé, audience)',
      proof: 'Requêtes signées',
      list: 'Liste des cas',
      limits: 'Limites',
    },
    ok: 'en ordre',
    failed: 'échec',
    skipped: 'pas vérifié',
    clockOff: (s) =>
      `en ordre; l’horloge de cet ordinateur est décalée de ${String(s)} secondes, ce qui ne gêne pas`,
    caseCount: (n) => `en ordre; ${String(n)} cas`,
    limits: (a, b) => `en ordre; ${String(a)} requêtes par minute, ${String(b)} pour les documents`,
  },
  usageConnect:
    'Il faut --base-url, --audience, --client-id et --key, ou --credentials avec le fichier.',
  usageAmounts: 'Il faut --estimate ou --approved, avec un montant ou none.',
  usageEdit:
    'Il faut ce qui doit changer: --estimate ou --approved pour des montants, --text pour un commentaire, --reason pour une réouverture; pour un rapport --comment ou rien.',
  edited: (id) => `L’entrée ${String(id)} est modifiée.`,
  progress: {
    pulling: (read, total) =>
      `Lecture des cas: ${String(read)}${total === null ? '' : ` sur ${String(total)}`}`,
    delivering: (waiting) => `Transmission: ${String(waiting)} en attente`,
    fetching: 'Chargement des documents',
    uploading: (id) => `Envoi de l’entrée ${String(id)}`,
    seconds: (n) => `encore au moins ${String(n)} s`,
    minutes: (n) => `encore au moins ${String(n)} min`,
    tasks: {
      backup: 'Emballage',
      restore: 'Reprise',
      batch: 'Lecture des fichiers',
      export: 'Écriture des cas',
    },
  },
};
