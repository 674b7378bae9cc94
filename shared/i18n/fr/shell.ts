import type { DispatchTexts, PolicyTexts, ShellTexts, StartTexts } from '../texts.ts';

export const shellTexts: ShellTexts = {
  engineRestarted: 'Une partie du Desk est tombée en panne et a redémarré. Rien n’est perdu.',
  opening: 'Le Desk s’ouvre encore.',
  openingDetail:
    'Le trousseau du système demande peut-être son mot de passe. La fenêtre apparaît dès qu’il répond.',
  keepWaiting: 'Attendre encore',
  tryAgain: 'Réessayer',
  engineGone: 'Le Desk ne parvient pas à rester en marche. Redémarrez-le.',
  engineGoneDetail: (logFile: string, command: string) =>
    `Ce qui était enregistré est sur ce portable. Le journal se trouve dans ${logFile}. Cette commande crée un paquet de diagnostic pour votre service informatique:\n${command}`,
  quitQuestion: 'Tout n’est pas encore transmis. Quitter quand même?',
  quitDetail: (waiting) =>
    `Dans la file d’attente: ${String(waiting)}. Tout est enregistré sur cet ordinateur et partira au prochain démarrage.`,
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
  saveCopy: 'Enregistrer une copie',
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

export const startTexts: StartTexts = {
  noElectron: (why) =>
    `Electron n’est pas disponible (${why}); le Desk s’ouvre dans le navigateur.`,
  noKeychain:
    'Ce système n’a pas de trousseau de clés: l’espace d’exercice n’est conservé que tant que le Desk fonctionne. Avec --vault passphrase et DESK_VAULT_PASSPHRASE, il est conservé.',
  runsAlready: 'Le Desk tourne déjà; il est ouvert une nouvelle fois.',
  openIt: (url) => `Le navigateur n’a pas pu être ouvert; ouvrez vous-même: ${url}`,
  portInUse: (port) => `Le port ${String(port)} est occupé; choisissez-en un autre avec --port.`,
  notBuilt: 'La fenêtre du Desk n’a pas pu être construite; les messages sont ci-dessus.',
  wrongUsage: (argument: string) =>
    `Le Desk ne démarre pas ainsi: ${argument} n’est pas une indication valable. Démarrez-le sans elle; --help énumère celles qui le sont.`,
  sandboxIsAllowed:
    'Le Desk ne démarre pas avec --no-sandbox, car ce système permet le bac à sable. Démarrez-le sans cette indication.',
  noSandbox:
    '--no-sandbox: ce système ne permet pas de bac à sable; un document malveillant a un obstacle de moins.',
};

export const dispatchTexts: DispatchTexts = {
  title: 'Attribuer les dossiers',
  signIn: 'Se connecter',
  code: 'Code',
  codeHelp:
    'Le service informatique délivre ce code: gateway sign-in --client ID. Il vaut une seule fois, pendant 15 minutes.',
  codeWrong: 'Ce code n’est pas ou plus valable.',
  signOut: 'Se déconnecter',
  search: 'Recherche',
  status: 'Statut',
  person: 'Personne',
  anyStatus: 'tous',
  anyone: 'toutes',
  nobody: 'personne',
  show: 'Afficher',
  found: 'Dossiers',
  none: 'Aucun dossier ne correspond.',
  case: 'Dossier',
  category: 'Catégorie',
  postalCode: 'NPA',
  responsible: 'Chez l’assureur',
  assigned: 'Attribué à',
  chosen: 'Pour les dossiers cochés :',
  assign: 'Attribuer',
  remove: 'Retirer',
  previous: 'Page précédente',
  next: 'Page suivante',
  choose: 'Cocher le dossier',
};

export const policyHelp = 'Ces directives valent pour toutes les personnes sur cet appareil.';

export const policyTexts: PolicyTexts = {
  'connection.gateway': {
    title: 'Adresse de la passerelle du bureau',
    text: 'Adresse de la passerelle dans les locaux de votre organisation. On ne saisit alors qu’un code d’inscription; l’adresse, l’audience et l’ID client viennent de la passerelle.',
  },
  'connection.baseUrl': {
    title: 'Adresse du service partenaire',
    text: 'Adresse de base de l’API partenaire, avec https. Prime sur ce qu’une personne saisit.',
  },
  'connection.audience': {
    title: 'Adresse du jeton (audience)',
    text: 'L’adresse du jeton telle que le partenaire veut la voir nommée lors de la connexion.',
  },
  'connection.clientId': {
    title: 'ID client',
    text: 'L’ID client que le partenaire a donné à votre organisation. Vaut lors de la configuration d’une connexion.',
  },
  'connection.scope': {
    title: 'Scope',
    text: 'Le scope à demander avec le jeton, si le partenaire en veut un.',
  },
  'connection.htuWithoutQuery': {
    title: 'Signer les adresses sans la requête',
    text: 'Seulement pour un partenaire qui suit la RFC 9449 à la lettre et refuse les adresses signées avec leur requête.',
  },
  provisioningFile: {
    title: 'Fichier de connexion à usage unique',
    text: 'Un fichier JSON avec clientId et privateKey, ou avec le code d’une passerelle, que l’application reprend au prochain démarrage puis supprime. Un chemin relatif part du dossier de données de la personne.',
  },
  paths: {
    title: 'Chemins des opérations',
    text: 'Un autre chemin pour certaines opérations de l’API partenaire, par identifiant, par exemple X1 = /v2/experts/cases.',
  },
  'limits.standard.capacity': {
    title: 'Limite générale: demandes d’affilée',
    text: 'Nombre de demandes d’affilée que le partenaire admet. À fixer avec le débit par minute.',
  },
  'limits.standard.refillPerMinute': {
    title: 'Limite générale: demandes par minute',
    text: 'Nombre de demandes par minute que le partenaire admet durablement.',
  },
  'limits.documents.capacity': {
    title: 'Limite des documents: demandes d’affilée',
    text: 'Nombre de demandes de documents d’affilée que le partenaire admet. À fixer avec le débit par minute.',
  },
  'limits.documents.refillPerMinute': {
    title: 'Limite des documents: demandes par minute',
    text: 'Nombre de demandes de documents par minute que le partenaire admet durablement.',
  },
  'proxy.url': {
    title: 'Proxy',
    text: 'Adresse du proxy HTTP pour le service partenaire, par exemple http://proxy.example:8080. Sans nom d’utilisateur ni mot de passe.',
  },
  'proxy.bypass': {
    title: 'Proxy: exceptions',
    text: 'Hôtes atteints sans le proxy; un point initial inclut tous les noms qui en dépendent.',
  },
  certificateFiles: {
    title: 'Autorités de certification supplémentaires',
    text: 'Chemins de fichiers PEM dont les autorités de certification sont admises en plus des habituelles.',
  },
  'updates.enabled': {
    title: 'Mises à jour automatiques',
    text: 'Désactivé: le Desk ne cherche jamais de mises à jour; votre distribution de logiciels les apporte.',
  },
  'updates.feed': {
    title: 'Adresse des mises à jour',
    text: 'Un dossier sur votre propre serveur web (https) d’où le Desk prend ses mises à jour.',
  },
  language: {
    title: 'Langue',
    text: 'La langue du Desk; une personne ne peut alors pas en choisir une autre.',
  },
  practice: {
    title: 'Espace d’exercice',
    text: 'Désactivé: il n’y a pas d’espace d’exercice avec des cas inventés.',
  },
  'ownCases.postalCodes': {
    title: 'Dossiers personnels: codes postaux',
    text: 'Quels dossiers sont ceux de la personne: codes postaux ou plages comme 1000-1299. Aujourd’hui, Prêt à partir et le chargement des documents ne portent alors que sur eux.',
  },
  'ownCases.categories': {
    title: 'Dossiers personnels: catégories',
    text: 'Catégories des dossiers personnels: vehicle, appraiser, fraud, special.',
  },
  'ownCases.responsibles': {
    title: 'Dossiers personnels: responsables',
    text: 'Noms des responsables chez l’assureur dont les dossiers sont ceux de la personne.',
  },
  documentRetentionDays: {
    title: 'Documents des cas clos, jours',
    text: 'Les documents d’un cas clos restent ce nombre de jours sur l’ordinateur après sa dernière modification. Le travail non transmis reste toujours.',
  },
  caseRetentionDays: {
    title: 'Dossiers clos, jours',
    text: 'Un dossier clos reste sur l’ordinateur tant de jours après sa dernière modification, avec ses documents, notes et fichiers de rapports envoyés. Les preuves de livraison restent. Le travail non livré reste toujours.',
  },
  textRecognition: {
    title: 'Reconnaître le texte des numérisations',
    text: 'Détermine si le texte des pages numérisées et des photos est reconnu sur l’ordinateur, pour que la recherche le trouve. Rien n’est envoyé. Non l’interdit, même à la demande d’une personne; avec oui, personne ne peut le désactiver.',
  },
  watchedFolder: {
    title: 'Dossier de l’appareil photo',
    text: 'Un dossier (chemin complet), par exemple la carte de l’appareil photo ou le dossier dans lequel un téléphone synchronise. Les nouvelles photos sont proposées dans le rapport ouvert. Rien n’est modifié ni supprimé dans le dossier.',
  },
  backupFolder: {
    title: 'Dossier des sauvegardes automatiques',
    text: 'Un dossier (chemin complet) dans lequel chaque poste enregistre une fois par jour le travail non transmis, chiffré avec une phrase secrète que la personne choisit.',
  },
  logLevel: {
    title: 'Niveau du journal',
    text: 'Ce qui est consigné. Le niveau info ajoute une ligne par demande au partenaire; aucun niveau ne consigne de contenus ni de secrets.',
  },
};
