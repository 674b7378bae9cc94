import type { ShellTexts, StartTexts } from '../texts.ts';

export const shellFr: ShellTexts = {
  engineRestarted: 'Une partie du Desk est tombée en panne et a redémarré. Rien n’est perdu.',
  opening: 'Le Desk s’ouvre encore.',
  openingDetail:
    'Le trousseau du système demande peut-être son mot de passe. La fenêtre apparaît dès qu’il répond.',
  keepWaiting: 'Attendre encore',
  engineGone: 'Le Desk ne parvient pas à rester en marche. Redémarrez-le.',
  quitQuestion: 'Tout n’est pas encore transmis. Quitter quand même?',
  quitDetail: (waiting) =>
    `Dans la file d’attente: ${String(waiting)}. Tout est enregistré sur ce portable et partira au prochain démarrage.`,
  leaveQuestion: 'Une saisie n’est pas encore enregistrée. Fermer quand même?',
  leaveDetail: 'Seule cette saisie serait perdue.',
  leave: 'Fermer',
  quit: 'Quitter',
  stay: 'Continuer à travailler',
  show: 'Afficher le Desk',
  nothingWaits: 'Tout est transmis',
  waiting: (count) => `En attente de transmission: ${String(count)}`,
  attention: (count) => `À traiter par vous: ${String(count)}`,
  offline: 'Hors ligne',
  file: 'Fichier',
  edit: 'Édition',
  view: 'Affichage',
  newWindow: 'Nouvelle fenêtre',
  savePdf: 'Enregistrer la vue en PDF …',
  windowRestarted:
    'La fenêtre est tombée en panne et a été rechargée. Ce qui était saisi sans être enregistré manque.',
  undo: 'Annuler',
  redo: 'Rétablir',
  cut: 'Couper',
  copy: 'Copier',
  paste: 'Coller',
  selectAll: 'Tout sélectionner',
  resetZoom: 'Taille réelle',
  zoomIn: 'Agrandir',
  zoomOut: 'Réduire',
  fullscreen: 'Plein écran',
  window: 'Fenêtre',
  about: 'À propos d’Appraiser Desk',
  services: 'Services',
  hide: 'Masquer Appraiser Desk',
  hideOthers: 'Masquer les autres',
  showAll: 'Tout afficher',
  minimize: 'Placer dans le Dock',
  zoom: 'Réduire/agrandir',
  front: 'Tout ramener au premier plan',
};

export const startFr: StartTexts = {
  noElectron: (why) =>
    `Electron n’est pas disponible (${why}); le Desk s’ouvre dans le navigateur.`,
  noKeychain:
    'Ce système n’a pas de trousseau de clés: l’espace d’exercice n’est conservé que tant que le Desk fonctionne. Avec --vault passphrase et DESK_VAULT_PASSPHRASE, il est conservé.',
  runsAlready: 'Le Desk tourne déjà; il est ouvert une nouvelle fois.',
  openIt: (url) => `Le navigateur n’a pas pu être ouvert; ouvrez vous-même: ${url}`,
  portInUse: (port) => `Le port ${String(port)} est occupé; choisissez-en un autre avec --port.`,
  notBuilt: 'La fenêtre du Desk n’a pas pu être construite; les messages sont ci-dessus.',
  wrongUsage: 'Le Desk ne démarre pas ainsi: il ne connaît pas une des indications du démarrage.',
};
