import type { TextsLike } from './messages.ts';
import type { deWork } from './de-work.ts';

export const frWork: TextsLike<typeof deWork> = {
  hints: {
    title: 'À vérifier',
    codes: {
      approvedAboveEstimate: 'Le montant approuvé dépasse le devis du garage.',
      estimateFarAboveClaim:
        'Le devis ({estimate}) dépasse largement l’estimation de l’assureur ({claim}).',
      deductibleCoversClaim:
        'La franchise ({deductible}) couvre l’estimation de l’assureur ({claim}).',
      currencyForeign:
        'L’estimation de l’assureur est en {currency}, les montants du cas sont en CHF.',
      inspectionPast: 'L’inspection a eu lieu le {date}; le rapport manque encore.',
      inspectionBeforeIncident:
        'L’inspection ({inspection}) précède la date du sinistre ({incident}).',
      registrationAfterIncident:
        'La 1re mise en circulation ({date}) est postérieure au sinistre ({incident}).',
      dateImpossible: 'Une date ne peut pas être juste: {value}.',
      plateMissing: 'Aucun numéro de plaque n’est indiqué.',
      phoneMissing: 'Aucun numéro de téléphone n’est indiqué.',
      driversSeveral: 'Plusieurs personnes du même côté sont indiquées au volant.',
    },
  },
  print: {
    case: 'Imprimer le cas ou l’enregistrer en PDF',
    printed: 'Imprimé {when}',
  },
  viewing: {
    search: 'Chercher dans le document',
    hits: '{at} sur {total}',
    noHits: 'Aucun résultat',
    searching: 'Recherche …',
    previousHit: 'Résultat précédent',
    nextHit: 'Résultat suivant',
    fitWindow: 'Image entière',
    lies: 'Désigné comme {named}, mais le contenu est {found}. C’est le contenu qui est affiché.',
    notHere: 'Ce document n’est pas encore sur cet ordinateur',
    empty: 'Ce fichier est vide.',
    tooLarge: 'Cette image est trop grande pour être affichée ici',
    tooLargeText:
      'Elle a {width} × {height} pixels. Enregistrez une copie et ouvrez-la dans un autre programme.',
    pageBroken: 'Cette page ne peut pas être dessinée.',
    morePages: 'Les {shown} premières pages sur {total} sont affichées.',
  },
};
