import type { WindowTexts } from '../texts.ts';

/** The telephone as camera: the dialog in the window, and the page on the telephone. */
export const telephoneTexts: Pick<WindowTexts, 'telephone'> = {
  telephone: {
    open: 'Photographier avec le téléphone',
    scan: 'Dirigez l’appareil photo du téléphone vers le code et ouvrez le lien. Le téléphone doit être sur le même réseau que cet appareil: le réseau du bureau, ou cet appareil sur le partage de connexion du téléphone. Internet n’est pas nécessaire.',
    code: 'Code QR pour le téléphone',
    network: 'Réseau',
    unconnected: 'Aucun téléphone connecté pour l’instant.',
    connected: 'Un téléphone est connecté.',
    stored: 'Arrivées: {n}',
    waiting: 'Encore sur le téléphone: {n}',
    done: 'Terminé sur le téléphone; toutes les photos sont arrivées.',
    refused:
      'Un autre appareil ou un code erroné a été refusé ({n}). Rien n’a été repris ni montré.',
    advice:
      'Le code vaut pour un seul téléphone et seulement jusqu’à ce que vous terminiez. Quiconque peut modifier les données sur le même réseau pourrait montrer une autre page au téléphone; sur le partage de connexion du téléphone, il n’y a personne d’autre.',
    end: 'Terminer',
    stay: 'Laisser connecté',
    live: 'Téléphone comme appareil photo: {n} arrivées',
    begin: 'Afficher un nouveau code',
    ended:
      'La connexion avec le téléphone est terminée. Les photos encore sur le téléphone arriveront avec un nouveau code.',
    addressGone:
      'Cet appareil n’a plus l’adresse {address}, le téléphone ne peut pas l’atteindre. Affichez un nouveau code.',
    otherReport:
      'Un téléphone photographie actuellement pour un autre rapport. Un nouveau code ici met fin à cette connexion; ce qui n’est pas encore arrivé reste sur le téléphone.',
    from: 'du téléphone',
    obstacles: {
      policy: 'Votre organisation n’autorise pas le téléphone comme appareil photo.',
      network:
        'Cet appareil n’est sur aucun réseau privé autorisé à cet effet. Connectez-le au réseau du bureau ou au partage de connexion du téléphone.',
      program: 'Ce programme a été lancé sans la page destinée au téléphone.',
    },
    page: {
      connecting: 'Connexion en cours…',
      ready: 'Dossier {claim}',
      shutter: 'Prendre une photo',
      pick: 'Choisir des photos existantes',
      group: 'Que montre la prochaine photo?',
      groupOf: 'Que montre cette photo?',
      caption: 'Légende',
      waiting: 'Pas encore arrivées: {n}',
      stored: 'Arrivées: {n}',
      refused: 'Non acceptées: {n}',
      all: 'Toutes les photos sont arrivées.',
      before: 'Photos d’avant en attente sur ce téléphone: {n}',
      addBefore: 'Ajouter à ce rapport',
      done: 'Terminé',
      isDone: 'Terminé. Vous pouvez fermer cette page.',
      isWaiting: 'en attente',
      isSending: 'envoi en cours, {percent}\u00a0%',
      isStored: 'arrivée',
      isRefused: 'Appraiser Desk ne peut pas lire cette image.',
      isUnreadable:
        'Ce téléphone ne peut plus lire cette photo. Rechargez la page ou reprenez la photo.',
      save: 'Enregistrer sur le téléphone',
      remove: 'Retirer',
      noCode: 'Scannez le code qu’Appraiser Desk affiche.',
      unreachable:
        'Appraiser Desk est hors de portée. Vos photos restent sur ce téléphone et seront envoyées dès qu’il sera de nouveau joignable. Laissez cette page ouverte. Si la connexion y est terminée, scannez un nouveau code.',
      ended:
        'Cette connexion est terminée. Ce qui n’est pas encore arrivé reste sur ce téléphone: affichez un nouveau code dans Appraiser Desk et scannez-le.',
      other:
        'Un autre téléphone est déjà connecté avec ce code. Affichez un nouveau code dans Appraiser Desk et scannez-le.',
      impostor:
        'Cette page n’atteint pas votre Appraiser Desk. Rien n’a été envoyé. Affichez un nouveau code dans Appraiser Desk, de préférence sur le partage de connexion de ce téléphone.',
      noStorage:
        'Ce navigateur ne conserve aucune photo. Ouvrez le lien du code dans une fenêtre normale, pas dans une fenêtre privée.',
      elsewhere: 'Cette page est ouverte dans un autre onglet. Continuez là-bas.',
      disk_full:
        'L’appareil d’Appraiser Desk n’a plus de place. Vos photos restent sur ce téléphone et seront envoyées dès qu’il y aura de la place.',
      report_closed:
        'Ce rapport est déjà soumis ou supprimé. Vos photos restent sur ce téléphone: affichez le code dans un autre rapport et scannez-le.',
      too_many:
        'Ce code n’accepte plus de photos. Les autres restent sur ce téléphone: affichez un nouveau code dans Appraiser Desk et scannez-le.',
      failed:
        'Appraiser Desk ne peut rien enregistrer pour l’instant. Vos photos restent sur ce téléphone et seront envoyées de nouveau.',
      notKept:
        'Ce téléphone n’a pas pu conserver une photo: {name}. La mémoire est-elle pleine, ou est-ce une fenêtre privée? Reprenez-la ensuite.',
    },
  },
};
