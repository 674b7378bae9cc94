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
    save: 'Enregistrer',
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
      'La clé, les dossiers, les documents, les vues et les notes de cette connexion sont supprimés de cet ordinateur. Rien ne change chez le partenaire. Cela ne peut pas être annulé.',
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
};
