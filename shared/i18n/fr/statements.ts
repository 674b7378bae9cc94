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
    soon: 'bientôt terminé',
    paused: 'transmission en pause',
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
  closing: {
    unsaved:
      'Un dossier ou un rapport contient une saisie qui n’est pas encore conservée sur cet appareil.',
    adding: 'Des fichiers sont en train d’être ajoutés à un rapport ou d’y être traités.',
    temporary: 'Cet espace d’exercice est supprimé à la fermeture.',
    stored: 'Ce qui n’est pas encore transmis est enregistré sur cet appareil. Vous pouvez fermer.',
    nothing: 'Rien n’est à transmettre. Les brouillons sont enregistrés sur cet appareil.',
  },
  readiness: {
    notKnown: 'Inconnu: la liste des dossiers de l’assureur n’a pas pu être lue en entier.',
    unchecked: 'Ces jours ne sont pas encore vérifiés.',
    offline: (time) => `Non vérifié: hors ligne (dernière connexion: ${time}).`,
    none: (at) => `Aucune inspection ces jours-là (contrôle: ${at}).`,
    missing: (n, count, total, at) =>
      one(n)
        ? `${count} dossier sur ${total} n’est pas complet (contrôle: ${at}).`
        : `${count} dossiers sur ${total} ne sont pas complets (contrôle: ${at}).`,
    complete: (n, count, documents, at) =>
      one(n)
        ? `Le dossier est sur cet appareil (documents: ${documents}; contrôle: ${at}).`
        : `Les ${count} dossiers sont sur cet appareil (documents: ${documents}; contrôle: ${at}).`,
  },
};
