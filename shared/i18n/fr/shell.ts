import type { DispatchTexts, PolicyTexts, ShellTexts, StartTexts } from '../texts.ts';

export const shellTexts: ShellTexts = {
  engineRestarted:
    'Une partie d’Appraiser Desk s’est arrêtée et a redémarré. Ce qui était enregistré est intact.',
  opening: 'Appraiser Desk est en train de s’ouvrir.',
  openingDetail:
    'Cela dure plus longtemps que d’habitude. La fenêtre apparaît automatiquement. Si votre système demande un mot de passe, saisissez-le.',
  keepWaiting: 'Attendre encore',
  tryAgain: 'Réessayer',
  engineGone: 'Appraiser Desk ne fonctionne plus. Redémarrez-le.',
  engineGoneDetail: (logFile: string, command: string) =>
    `Ce qui était enregistré est sur cet appareil.\n\nLe journal se trouve dans ${logFile}.\n\nCette commande crée un fichier de diagnostic pour votre service informatique:\n${command}`,
  quitQuestion: 'Tout n’a pas encore été transmis. Quitter quand même?',
  leaveQuestion:
    'Certaines saisies ou certains fichiers ne sont pas encore enregistrés. Fermer quand même?',
  leaveDetail: 'Seul ce qui n’est pas encore enregistré serait perdu.',
  leave: 'Fermer',
  quit: 'Quitter',
  closeOfDay: 'Clôture du jour',
  stay: 'Continuer à travailler',
  show: 'Afficher Appraiser Desk',
  offline: 'Hors ligne',
  file: 'Fichier',
  edit: 'Édition',
  view: 'Affichage',
  newWindow: 'Nouvelle fenêtre',
  savePdf: 'Enregistrer la vue en PDF…',
  saveCopy: 'Enregistrer une copie',
  windowRestarted:
    'La fenêtre s’est arrêtée et a été rechargée. Une saisie qui n’était pas enregistrée est perdue.',
  windowDied: 'La fenêtre est tombée en panne deux fois de suite.',
  windowDiedDetail:
    'Ce qui est enregistré est sur cet appareil; le texte saisi est là tel qu’il a été enregistré en dernier. Rechargez la fenêtre. Si elle tombe encore en panne, transmettez les données techniques à votre service informatique.',
  reload: 'Recharger',
  copyReport: 'Copier les données techniques',
  updateReady: (version: string) =>
    `La version ${version} d’Appraiser Desk est prête. La fenêtre vous demande quand l’installer.`,
  installUpdate: (version: string) => `Installer la version ${version} et redémarrer`,
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
    `Electron n’est pas disponible (${why}); l’application s’ouvre dans le navigateur.`,
  noKeychain:
    'Ce système n’a pas de trousseau de clés: l’espace d’exercice n’est conservé que tant que l’application est ouverte. Avec --vault passphrase et DESK_VAULT_PASSPHRASE, il est conservé durablement.',
  runsAlready: 'Appraiser Desk est déjà ouvert; une nouvelle fenêtre s’ouvre.',
  openIt: (url) => `Le navigateur n’a pas pu être ouvert; ouvrez vous-même: ${url}`,
  portInUse: (port) => `Le port ${String(port)} est occupé; choisissez-en un autre avec --port.`,
  notBuilt: 'La fenêtre n’a pas pu être générée; les messages figurent ci-dessus.',
  wrongUsage: (argument: string) =>
    `L’application ne peut pas démarrer: ${argument} n’est pas une option valable. Démarrez sans elle; --help énumère celles qui le sont.`,
  sandboxIsAllowed:
    'Appraiser Desk ne démarre pas avec --no-sandbox, car ce système permet le bac à sable. Démarrez sans cette option.',
  noSandbox:
    '--no-sandbox: ce système ne permet pas de bac à sable; un document malveillant a un obstacle de moins.',
};

export const dispatchTexts: DispatchTexts = {
  title: 'Attribuer les dossiers',
  signIn: 'Se connecter',
  code: 'Code',
  codeHelp:
    'Votre service informatique délivre ce code. Il sert une seule fois, pendant 15 minutes.',
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
  responsible: 'Gestionnaire',
  assigned: 'Attribué à',
  chosen: 'Pour les dossiers cochés:',
  assign: 'Attribuer',
  remove: 'Retirer',
  previous: 'Page précédente',
  next: 'Page suivante',
  choose: 'Cocher le dossier',
};

export const policyHelp =
  'Ces directives s’appliquent à toutes les personnes qui utilisent cet appareil.';

export const policyTexts: PolicyTexts = {
  'connection.gateway': {
    title: 'Adresse de la passerelle du bureau',
    text: 'Adresse de la passerelle de votre organisation. On ne saisit alors qu’un code d’activation; l’adresse, l’audience et le Client ID viennent de la passerelle.',
  },
  'connection.baseUrl': {
    title: 'Adresse du service partenaire',
    text: 'Adresse de base de l’API partenaire, avec https. Prime sur ce qu’une personne saisit.',
  },
  'connection.audience': {
    title: 'Adresse du jeton (audience)',
    text: 'L’adresse du jeton telle que l’assureur veut la voir nommée lors de la connexion.',
  },
  'connection.clientId': {
    title: 'Client ID',
    text: 'Le Client ID que l’assureur a donné à votre organisation. S’applique à la configuration d’une connexion.',
  },
  'connection.scope': {
    title: 'Scope',
    text: 'Le scope à demander avec le jeton, si l’assureur en veut un.',
  },
  'connection.htuWithoutQuery': {
    title: 'Signer les adresses sans la requête',
    text: 'Seulement pour un assureur qui suit la RFC 9449 à la lettre et refuse les adresses signées avec leur requête.',
  },
  'connection.changedSinceParameter': {
    title: 'Paramètre des modifications',
    text: 'Comment l’assureur nomme le paramètre «lastChangedSince» de la liste des dossiers, par exemple updatedSince. Sans directive: lastChangedSince.',
  },
  provisioningFile: {
    title: 'Fichier de connexion à usage unique',
    text: 'Un fichier JSON avec clientId et privateKey, ou avec le code d’une passerelle, que l’application importe au prochain démarrage puis supprime. Un chemin relatif part du répertoire de données de la personne.',
  },
  paths: {
    title: 'Chemins des opérations',
    text: 'Un autre chemin pour certaines opérations de l’API partenaire, par identifiant, par exemple X1 = /v2/experts/cases.',
  },
  'limits.standard.capacity': {
    title: 'Limite générale: requêtes d’affilée',
    text: 'Nombre de requêtes d’affilée que l’assureur admet. À fixer avec le débit par minute.',
  },
  'limits.standard.refillPerMinute': {
    title: 'Limite générale: requêtes par minute',
    text: 'Nombre de requêtes par minute que l’assureur admet durablement.',
  },
  'limits.documents.capacity': {
    title: 'Limite des documents: requêtes d’affilée',
    text: 'Nombre de requêtes de documents d’affilée que l’assureur admet. À fixer avec le débit par minute.',
  },
  'limits.documents.refillPerMinute': {
    title: 'Limite des documents: requêtes par minute',
    text: 'Nombre de requêtes de documents par minute que l’assureur admet durablement.',
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
    text: 'Désactivé: l’application ne cherche jamais de mises à jour; elles viennent de votre distribution de logiciels.',
  },
  'updates.feed': {
    title: 'Adresse des mises à jour',
    text: 'Un répertoire de votre propre serveur web (https) d’où l’application télécharge ses mises à jour.',
  },
  'updates.install': {
    title: 'Qui installe les mises à jour',
    text: '«user»: la personne choisit dans la fenêtre, maintenant ou au prochain démarrage. «start»: le prochain démarrage. «it»: l’application indique seulement la nouvelle version; votre distribution de logiciels l’installe. Sans indication: «user». Un paquet deb ou rpm est toujours installé par la gestion des paquets.',
  },
  language: {
    title: 'Langue',
    text: 'La langue de l’application; elle ne peut alors plus être changée.',
  },
  practice: {
    title: 'Espace d’exercice',
    text: 'Désactivé: il n’y a pas d’espace d’exercice avec des dossiers fictifs.',
  },
  'ownCases.postalCodes': {
    title: 'Mes dossiers: NPA',
    text: 'Quels dossiers sont ceux de la personne: NPA ou plages comme 1000–1299. «Aujourd’hui», «Prêt à partir» et le téléchargement des documents ne portent que sur ceux-là.',
  },
  'ownCases.categories': {
    title: 'Mes dossiers: catégories',
    text: 'Catégories des dossiers de la personne: vehicle, appraiser, fraud, special.',
  },
  'ownCases.responsibles': {
    title: 'Mes dossiers: gestionnaires',
    text: 'Noms des gestionnaires chez l’assureur dont les dossiers sont ceux de la personne.',
  },
  documentRetentionDays: {
    title: 'Documents des dossiers clos (jours)',
    text: 'Nombre de jours pendant lesquels les documents d’un dossier clos restent sur l’appareil après sa dernière modification. Le travail non transmis reste toujours.',
  },
  caseRetentionDays: {
    title: 'Dossiers clos, jours',
    text: 'Nombre de jours pendant lesquels un dossier clos reste sur l’appareil après sa dernière modification, avec ses documents, ses notes et les fichiers des rapports transmis. Les preuves de transmission restent. Le travail non transmis reste toujours.',
  },
  textRecognition: {
    title: 'Reconnaître le texte des numérisations',
    text: 'Détermine si le texte des pages numérisées et des photos est reconnu sur l’appareil pour que la recherche le trouve. Rien n’est transmis. «Non» l’interdit, même à la demande d’une personne; «Oui» ne peut être désactivé par personne.',
  },
  watchedFolder: {
    title: 'Répertoire de l’appareil photo',
    text: 'Un répertoire (chemin complet), par exemple la carte de l’appareil photo ou le répertoire dans lequel un téléphone synchronise ses photos. Les nouvelles photos sont proposées dans le rapport ouvert. Rien n’y est modifié ni supprimé.',
  },
  'visitMessage.de': {
    title: 'Annonce d’une visite, allemand',
    text: 'Le texte qui annonce une visite, pour chaque langue du message (de, fr, it, en). Champs: {day}, {time}, {place}, {key}, {party}, {sender}. Une langue sans texte a celui d’Appraiser Desk.',
  },
  'visitMessage.fr': {
    title: 'Annonce d’une visite, français',
    text: 'Le texte qui annonce une visite, pour chaque langue du message (de, fr, it, en). Champs: {day}, {time}, {place}, {key}, {party}, {sender}. Une langue sans texte a celui d’Appraiser Desk.',
  },
  'visitMessage.it': {
    title: 'Annonce d’une visite, italien',
    text: 'Le texte qui annonce une visite, pour chaque langue du message (de, fr, it, en). Champs: {day}, {time}, {place}, {key}, {party}, {sender}. Une langue sans texte a celui d’Appraiser Desk.',
  },
  'visitMessage.en': {
    title: 'Annonce d’une visite, anglais',
    text: 'Le texte qui annonce une visite, pour chaque langue du message (de, fr, it, en). Champs: {day}, {time}, {place}, {key}, {party}, {sender}. Une langue sans texte a celui d’Appraiser Desk.',
  },
  'telephone.enabled': {
    title: 'Téléphone comme appareil photo',
    text: 'Si un téléphone sur le même réseau privé peut prendre des photos pour un rapport. L’appareil n’écoute alors qu’à une adresse de ce réseau et seulement tant que le code est affiché. «Non»: il n’écoute jamais.',
  },
  'telephone.networks': {
    title: 'Réseaux pour le téléphone',
    text: 'Seulement sur ces réseaux privés, par exemple 192.168.10.0/24; sans indication, sur tout réseau privé. Le partage de connexion d’un iPhone est 172.20.10.0/28.',
  },
  templateFolder: {
    title: 'Répertoire des modèles de rapport',
    text: 'Un répertoire (chemin complet) avec les modèles Word (.docx) du bureau, proposés lors de la rédaction d’un rapport. La langue et la catégorie figurent à la fin du nom du fichier, par exemple Expertise.vehicle.fr.docx. Rien n’y est modifié ni supprimé.',
  },
  backupFolder: {
    title: 'Répertoire des sauvegardes automatiques',
    text: 'Un répertoire (chemin complet) dans lequel chaque appareil enregistre une fois par jour son travail non transmis, chiffré avec une phrase secrète choisie par la personne.',
  },
  logLevel: {
    title: 'Niveau du journal',
    text: 'Ce qui est consigné. Le niveau info ajoute une ligne par requête à l’assureur; aucun niveau ne consigne de contenus ni de secrets.',
  },
};
