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
    noTime: 'sans réseau, l’heure de fin n’est pas connue',
    notYet: 'heure de fin pas encore connue',
    soon: 'bientôt terminé',
    paused: 'transmission suspendue',
    awaits: (n) =>
      one(n)
        ? `${String(n)} entrée attend que l’assureur ait accepté le dossier.`
        : `${String(n)} entrées attendent que l’assureur ait accepté le dossier.`,
    nothing: 'Rien à transmettre.',
  },
  counts: {
    waiting: (n) => `${String(n)} à transmettre`,
    attention: (n) =>
      one(n) ? `${String(n)} demande votre attention` : `${String(n)} demandent votre attention`,
    nothing: 'Rien à transmettre',
  },
  entry: {
    saved: 'Enregistré sur cet appareil',
    network: 'En attente du réseau',
    acceptance: 'En attente de l’acceptation du dossier',
    turn: 'En attente du travail précédent de ce dossier',
    paused: 'Transmission suspendue',
    waits: 'en attente',
    sending: 'Envoi en cours',
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
    awaits:
      'Enregistré sur cet appareil, puis transmis dès que l’assureur aura accepté le dossier.',
    goesOut:
      'Le rapport est enregistré sur cet appareil et transmis dès que le réseau est disponible.',
  },
  fetch: {
    counting: 'Téléchargement des documents',
    part: (done, total) => `Documents: dossier ${done} sur ${total}`,
    paused: 'suspendu',
    lists: 'fin inconnue, listes en cours de lecture',
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
    awaits: (n) => `En attente de l’acceptation du dossier par l’assureur: ${n}.`,
    attention: (n) => `Demande votre attention: ${n}.`,
  },
  closing: {
    unsaved:
      'Un dossier ou un rapport contient une saisie qui n’est pas encore conservée sur cet appareil.',
    adding: 'Des fichiers sont en train d’être ajoutés à un rapport ou d’y être traités.',
    temporary: 'Cet espace d’exercice est supprimé à la fermeture.',
    stored: 'Le contenu de la file d’attente est enregistré sur cet appareil.',
    nothing: 'Rien n’est à transmettre. Les brouillons sont enregistrés sur cet appareil.',
  },
  readiness: {
    notKnown: 'Inconnu: la liste des dossiers de l’assureur n’a pas pu être lue en entier.',
    unchecked: 'Ces jours ne sont pas encore vérifiés.',
    offline: (time) => `Non vérifié: hors ligne (depuis: ${time}).`,
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
};
