import type { TextsLike } from '../texts.ts';
import type { deHelp } from '../de/help.ts';

export const frHelp: TextsLike<typeof deHelp> = {
  connections: {
    more: 'Autres actions pour «{name}»',
    rename: 'Renommer',
    access: 'Modifier l’adresse et l’accès',
    key: 'Remplacer la clé',
    remove: 'Supprimer',
    localName: 'Nom sur cet ordinateur',
    accessText:
      'Avec le même ID client, les dossiers, les documents et le travail restent tels quels.',
    keyText:
      'La nouvelle clé remplace l’ancienne dans le trousseau. Les dossiers, les documents et le travail restent.',
    otherClient:
      'Un autre ID client est une autre organisation. Elle commence vide, et les données de «{name}» sont supprimées de cet ordinateur.',
    replace: 'Remplacer et supprimer',
    removeTitle: 'Supprimer «{name}»',
    removeAct: 'Supprimer avec les données',
    removeText:
      'La clé, les dossiers, les documents, les vues, les textes types et les notes de cette connexion sont supprimés de cet ordinateur. Rien ne change chez le partenaire. Cela ne peut pas être annulé.',
    holds: 'Ce travail n’existe que sur cet ordinateur et sera perdu:',
    entries:
      '{n} entrée de la file d’attente, non livrée | {n} entrées de la file d’attente, non livrées',
    drafts: '{n} rapport non soumis | {n} rapports non soumis',
    texts: '{n} saisie dans un dossier, non envoyée | {n} saisies dans des dossiers, non envoyées',
    backups: '{n} sauvegarde de travail endommagé | {n} sauvegardes de travail endommagé',
    holdsNothing: 'Aucun travail n’attend ici.',
    holdsUnknown:
      'On ne sait pas si du travail attend ici: sa clé manque, ou le fichier est endommagé.',
    backUp: 'Faire d’abord une sauvegarde',
    confirm: 'Ce travail peut être perdu.',
  },
  start: {
    madeUp: 'Ces dossiers sont inventés; rien ne part chez un assureur.',
    connect: 'Se connecter au partenaire',
    search: 'Chercher ou agir',
    help: 'Aide',
  },
  guide: {
    title: 'Mode d’emploi',
    sections: {
      start: {
        title: 'Pour commencer',
        text: 'L’espace d’exercice contient des dossiers inventés: regardez, composez des rapports, soumettez-les. À la page «Exercice», vous jouez aussi l’assureur. Pour travailler vraiment, il vous faut du partenaire l’adresse, un ID client et un fichier de clé, ou de votre informatique un code d’inscription; «Se connecter au partenaire» les demande.',
      },
      safe: {
        title: 'Ce qui est en sûreté',
        text: 'Ce que vous tapez ou joignez est chiffré sur cet ordinateur en moins d’une seconde. La barre d’état, en bas, dit s’il y a un réseau, quand a eu lieu la dernière synchronisation, ce qui attend et si vous pouvez fermer. Ce qui attend part au prochain démarrage, chaque chose exactement une fois.',
      },
      today: {
        title: 'Aujourd’hui',
        text: 'D’abord vient ce qui demande votre attention, puis les rapports retournés, ce qui n’est pas envoyé, les nouvelles attributions et les inspections. L’horloge à côté d’une inspection garde une heure et une note. «Prêt à partir» synchronise, charge tous les documents des jours choisis et n’est vert que pour ce qui a été vérifié.',
      },
      cases: {
        title: 'Trouver des dossiers',
        text: 'Tapez un nom, une plaque, une police, un lieu ou un mot d’un document. Les filtres sont à côté; une recherche s’enregistre comme vue. La barre d’espace choisit des dossiers, pour charger leurs documents ou les exporter. Les réglages disent quels dossiers sont les vôtres.',
      },
      case: {
        title: 'Dans un dossier',
        text: 'Un document s’ouvre à côté des montants et du commentaire; F6 passe de l’un à l’autre, Esc le ferme. Les montants et le commentaire partent dès qu’il y a un réseau. Si quelqu’un a modifié la même chose entre-temps, rien n’est envoyé et les deux valeurs sont affichées. Un dossier seulement attribué accepte déjà tout; cela part dès qu’il est accepté. Ctrl+B dans un commentaire insère un texte type; la liste de contrôle se coche sur place. Notes, textes types et coches ne sont jamais envoyés.',
      },
      report: {
        title: 'Un rapport',
        text: '«Nouveau rapport» dans le dossier: déposez des fichiers ou un répertoire, ordonnez-les, nommez-les selon un modèle, marquez les épaves. À côté des fichiers figure ce qui manque encore. Ctrl+Entrée soumet le rapport, comme le bouton. Jusque-là, c’est un brouillon qui s’enregistre lui-même.',
      },
      photos: {
        title: 'Les photos',
        text: 'Les photos arrivent droites et dans l’ordre des prises de vue. «Traiter les photos» les tourne, les ordonne, les décrit, écarte les floues, pose des flèches et rend visages et plaques méconnaissables. L’original reste chiffré sur cet ordinateur.',
      },
      returned: {
        title: 'Un rapport retourné',
        text: 'Le dossier énumère chaque rapport envoyé. «Ce qui a été envoyé» ouvre ses fichiers; «Commencer une révision à partir de ce rapport» les reprend dans un nouveau brouillon, où vous en remplacez certains. L’interface n’indique pas toujours la raison; il est alors dit à qui la demander.',
      },
      queue: {
        title: 'La file d’attente',
        text: 'Voici ce qui est en route, ce que cela attend et quand tout sera livré. Ce qui n’est pas parti peut être modifié ou repris. Ce qui est livré a une preuve avec l’heure, les identifiants et les sommes de contrôle, en PDF ou en tableau.',
      },
      batch: {
        title: 'Les lots',
        text: 'Déposez un répertoire plein de rapports. Ils sont associés par numéro de sinistre, police ou plaque; les problèmes sont en tête. Un tableau (CSV ou XLSX) ajoute montants et commentaires.',
      },
      backup: {
        title: 'Sauvegarde et autre ordinateur',
        text: 'Réglages, Sauvegarde: ce qui n’est pas envoyé va dans un fichier chiffré, qui se relit sur un autre ordinateur. Un rapport présent sur deux ordinateurs n’est soumis qu’une fois.',
      },
      wrong: {
        title: 'Si quelque chose ne va pas',
        text: 'Sans réseau, il n’y a rien à faire: la livraison reprend d’elle-même. Si la connexion ne marche pas, Réglages, Connexion, «Vérifier maintenant» nomme la première étape qui échoue. Pour l’assistance, Réglages, Sauvegarde écrit un paquet sans données personnelles.',
      },
    },
  },
};
