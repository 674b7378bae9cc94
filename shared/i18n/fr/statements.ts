import { isOne } from '../plural.ts';
import type { StatementTexts } from '../texts.ts';

const one = (n: number) => isOne(n, 'fr');

export const statementTexts: StatementTexts = {
  outbox: {
    attention: (n) =>
      one(n)
        ? `${String(n)} entrée demande votre attention.`
        : `${String(n)} entrées demandent votre attention.`,
    part: (done, total) => `${done} sur ${total} transmis`,
    next: (time) => `reprise à ${time}`,
    done: (time) => `fin prévue: ${time}`,
    noTime: 'hors ligne, l’heure de fin n’est pas connue',
    notYet: 'heure de fin pas encore connue',
    soon: 'bientôt terminé',
    paused: 'transmission suspendue',
    awaits: (n) =>
      one(n)
        ? `${String(n)} entrée attend que le dossier soit accepté.`
        : `${String(n)} entrées attendent que le dossier soit accepté.`,
    nothing: 'Rien à transmettre.',
  },
  counts: {
    waiting: (n) => `${String(n)} à transmettre`,
    attention: (n) =>
      one(n) ? `${String(n)} demande votre attention` : `${String(n)} demandent votre attention`,
    begun: (n: number) => `${String(n)} ${one(n) ? 'commencé' : 'commencés'}`,
    nothing: 'Rien à transmettre',
  },
  entry: {
    saved: 'Enregistré sur cet appareil',
    network: 'En attente d’une connexion',
    acceptance: 'En attente de l’acceptation du dossier',
    turn: 'En attente du travail précédent de ce dossier',
    paused: 'Transmission suspendue',
    waits: 'en attente',
    sending: 'Transmission en cours',
    unknown: 'Vérification de la réception',
    attention: 'Demande votre attention',
    discarded: 'Abandonné',
    uploading: (percent) => `Transmission: ${percent}\u00a0%`,
    delivered: (when) => `Transmis ${when}`,
    retry: (when) => `Prochain essai ${when}`,
    pacing: (time) => `Reprise à ${time}`,
    part: (done, total) => `${done} sur ${total}`,
  },
  report: {
    draft: 'Le brouillon est enregistré automatiquement.',
    paused: 'Le rapport est enregistré sur cet appareil. La transmission est suspendue.',
    awaits: 'Enregistré sur cet appareil, puis transmis dès que le dossier aura été accepté.',
    goesOut: 'Le rapport est enregistré sur cet appareil et transmis dès que vous êtes en ligne.',
  },
  day: {
    open: (n: number) =>
      one(n)
        ? `${String(n)} élément est encore ouvert.`
        : `${String(n)} éléments sont encore ouverts.`,
    postponed: (n: number) => `Reporté à demain: ${String(n)}.`,
    earlier: (n: number) => `Inspections antérieures sans montants ou sans rapport: ${String(n)}.`,
    unseen: (n: number) =>
      one(n)
        ? `${String(n)} envoi est transmis, mais pas encore vérifié chez l’assureur.`
        : `${String(n)} envois sont transmis, mais pas encore vérifiés chez l’assureur.`,
    all: 'Tout est transmis et a été vu chez l’assureur.',
    others: 'Tout le reste est transmis et a été vu chez l’assureur.',
  },
  turn: {
    values:
      'Modifié chez l’assureur, sans doute par une personne de votre organisation. Quelle valeur fait foi?',
    returned: (n: string) => `Rapport ${n}retourné`,
    reasonUnknown: 'motif inconnu',
    typed: 'Saisi, non enregistré',
    draft: 'Rapport commencé, non soumis',
    visit: (when: string) => `Inspection ${when}`,
    missing: {
      amounts: 'montants manquants',
      report: 'rapport manquant',
      both: 'montants et rapport manquants',
    },
  },
  clock: {
    behind: (by: string) =>
      `L’horloge de cet appareil retarde de ${by}; l’heure de l’assureur fait foi jusqu’à ce que vous régliez l’horloge sur automatique.`,
    ahead: (by: string) =>
      `L’horloge de cet appareil avance de ${by}; l’heure de l’assureur fait foi jusqu’à ce que vous régliez l’horloge sur automatique.`,
    wasBehind: (by: string) =>
      `L’horloge de cet appareil retardait de ${by} à la dernière réponse de l’assureur; cet écart est pris en compte jusqu’à la prochaine synchronisation: vérifiez l’horloge.`,
    wasAhead: (by: string) =>
      `L’horloge de cet appareil avançait de ${by} à la dernière réponse de l’assureur; cet écart est pris en compte jusqu’à la prochaine synchronisation: vérifiez l’horloge.`,
    leastBehind: (by: string) =>
      `L’horloge de cet appareil retarde d’au moins ${by}; l’heure de la dernière réponse de l’assureur fait foi jusqu’à la prochaine synchronisation: réglez l’horloge sur automatique.`,
    minutes: (n: number) => (one(n) ? `${String(n)} minute` : `${String(n)} minutes`),
    hours: (n: number) => (one(n) ? `${String(n)} heure` : `${String(n)} heures`),
    days: (n: number) => (one(n) ? `${String(n)} jour` : `${String(n)} jours`),
  },
  fetch: {
    counting: 'Téléchargement des documents',
    cases: (done, total) => `Documents: dossier ${done} sur ${total}`,
    paused: 'suspendu',
    noEnd: 'fin pas encore connue',
    lists: (done, total) => `Listes de documents: ${done} sur ${total}`,
    about: (time) => `fin prévue vers ${time}`,
  },
  forecast: {
    doneAt: (time) => `Transmission prévue: ${time}`,
    notKnown: 'L’heure de la fin de la transmission n’est pas connue pour le moment.',
  },
  quit: {
    stored: 'Ce qui est en attente est enregistré sur cet appareil.',
    deleted:
      'Aucun trousseau de clés n’est accessible sur cet appareil. L’espace d’exercice est effacé à la fermeture.',
    goesOut: (n) => `À transmettre après le prochain démarrage: ${n}.`,
    paused: (n) => `Transmission suspendue: ${n}.`,
    awaits: (n) => `En attente de l’acceptation du dossier: ${n}.`,
    attention: (n) => `Demande votre attention: ${n}.`,
    begun: (n: string) => `Commencé, pas encore soumis ou enregistré: ${n}.`,
  },
  closing: {
    unsaved:
      'Un dossier ou un rapport contient une saisie qui n’est pas encore conservée sur cet appareil.',
    adding: 'Des fichiers sont en train d’être ajoutés à un rapport ou d’y être traités.',
    temporary: 'Cet espace d’exercice est supprimé à la fermeture.',
    stored: 'Le contenu de la boîte d’envoi est enregistré sur cet appareil.',
    begun:
      'Ce qui est commencé reste sur cet appareil. C’est à vous de le soumettre ou de l’enregistrer.',
    nothing: 'Rien n’est à transmettre. Les brouillons sont enregistrés sur cet appareil.',
  },
  readiness: {
    notKnown: 'Inconnu: la liste des dossiers de l’assureur n’a pas pu être lue en entier.',
    unchecked: 'Ces jours ne sont pas encore vérifiés.',
    offline: (time) => `Non vérifié: hors ligne depuis ${time}.`,
    none: (at) => `Aucune inspection ces jours-là (contrôle: ${at}).`,
    missing: (n, count, total, at) =>
      one(n)
        ? `${count} dossier sur ${total} n’est pas complet (contrôle: ${at}).`
        : `${count} dossiers sur ${total} ne sont pas complets (contrôle: ${at}).`,
    complete: (n, count, documents, at) =>
      one(n)
        ? `Le dossier et tous ses documents (${documents}) sont sur cet appareil (contrôle: ${at}).`
        : `Les ${count} dossiers et tous leurs documents (${documents}) sont sur cet appareil (contrôle: ${at}).`,
  },
  visit: {
    subject: (key: string) => `Expertise du sinistre ${key}`,
    greeting: 'Bonjour,',
    text: (day: string, time: string, place: string) =>
      `Je serai chez vous${day === '' ? '' : ` le ${day}`} à ${time} pour l’expertise${place === '' ? '' : ` (${place})`}.`,
    closing: 'Meilleures salutations',
  },
};
