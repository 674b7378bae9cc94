import type { TextsLike } from '../texts.ts';
import type { deSafety } from '../de/safety.ts';

export const frSafety: TextsLike<typeof deSafety> = {
  undo: {
    draft: 'Projet supprimé.',
    act: 'Retiré de la file d’attente.',
    text: 'Texte saisi supprimé.',
    batch: '{n} fichier retiré du tableau. | {n} fichiers retirés du tableau.',
    view: 'Vue «{name}» supprimée.',
    file: 'Retiré: {name}',
    rename: 'Renommé: {name}',
  },
  foreign: {
    title: 'Dans le projet chez le partenaire, mais pas de cet ordinateur:',
    salvage: 'épave',
    submit: 'Soumettre quand même',
    submitWith: 'Soumettre avec ces documents',
    remove: 'Les supprimer d’abord, puis soumettre',
    removeTitle: 'Supprimer ces documents chez le partenaire?',
    removeText:
      'Ils sont supprimés du projet chez le partenaire et ne peuvent pas y être récupérés. Ensuite, votre rapport est soumis.',
  },
  lostKey: {
    title: 'La clé de cette connexion manque',
    practiceTitle: 'La clé de l’espace d’exercice manque',
    text: 'Dans le trousseau de cet ordinateur, la clé privée de «{name}» ({host}) manque. Vos données sont inchangées sur cet ordinateur et toujours chiffrées. Choisissez le fichier de clé de votre organisation et vous continuez où vous vous êtes arrêté.',
    dataText:
      'Dans le trousseau de cet ordinateur, la clé des données de «{name}» manque. Sans elle, personne ne peut les lire, pas même ce programme. Si vous pouvez restaurer le trousseau, fermez le programme, faites-le d’abord et redémarrez.',
    asideText:
      'Sinon, recommencez: les anciennes données sont mises de côté, pas supprimées. Les dossiers reviennent avec la prochaine synchronisation, le travail non transmis d’un paquet si vous en avez un; on vous le demande ensuite.',
    recover: 'Remettre la clé',
    setAside: 'Mettre de côté et recommencer',
    confirm: 'Je sais que les anciennes données ne sont pas lisibles sans leur clé.',
  },
};
