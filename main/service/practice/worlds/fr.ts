import { people } from './people.ts';
import type { World } from './world.ts';

/** French-speaking Switzerland, with people of the two other regions. */
export const fr: World = {
  tongues: ['fr', 'de', 'it'],
  places: [
    ['1003', 'Lausanne', 'VD', 'fr'],
    ['1110', 'Morges', 'VD', 'fr'],
    ['1180', 'Rolle', 'VD', 'fr'],
    ['1260', 'Nyon', 'VD', 'fr'],
    ['1400', 'Yverdon-les-Bains', 'VD', 'fr'],
    ['1530', 'Payerne', 'VD', 'fr'],
    ['1800', 'Vevey', 'VD', 'fr'],
    ['1820', 'Montreux', 'VD', 'fr'],
    ['1860', 'Aigle', 'VD', 'fr'],
    ['1201', 'Genève', 'GE', 'fr'],
    ['1227', 'Carouge', 'GE', 'fr'],
    ['1217', 'Meyrin', 'GE', 'fr'],
    ['1630', 'Bulle', 'FR', 'fr'],
    ['1700', 'Fribourg', 'FR', 'fr'],
    ['1680', 'Romont', 'FR', 'fr'],
    ['1870', 'Monthey', 'VS', 'fr'],
    ['1920', 'Martigny', 'VS', 'fr'],
    ['1950', 'Sion', 'VS', 'fr'],
    ['3960', 'Sierre', 'VS', 'fr'],
    ['2000', 'Neuchâtel', 'NE', 'fr'],
    ['2300', 'La Chaux-de-Fonds', 'NE', 'fr'],
    ['2400', 'Le Locle', 'NE', 'fr'],
    ['2740', 'Moutier', 'JU', 'fr'],
    ['2800', 'Delémont', 'JU', 'fr'],
    ['2900', 'Porrentruy', 'JU', 'fr'],
    ['2610', 'Saint-Imier', 'BE', 'fr'],
    ['2502', 'Biel/Bienne', 'BE', 'de'],
    ['3011', 'Bern', 'BE', 'de'],
    ['3280', 'Murten', 'FR', 'de'],
    ['3900', 'Brig', 'VS', 'de'],
    ['4051', 'Basel', 'BS', 'de'],
    ['6900', 'Lugano', 'TI', 'it'],
    ['6500', 'Bellinzona', 'TI', 'it'],
  ],
  people: {
    ...people,
    fr: {
      first: [
        ...people.fr.first,
        'Alain',
        'Aurélie',
        'Christophe',
        'Delphine',
        'Estelle',
        'Frédéric',
        'Guillaume',
        'Isabelle',
        'Jacques',
        'Lionel',
        'Marianne',
        'Nathalie',
        'Olivier',
        'Sylvie',
        'Yves',
      ],
      last: [
        ...people.fr.last,
        'Blanc',
        'Carron',
        'Cuendet',
        'Delacrétaz',
        'Emery',
        'Fournier',
        'Gremaud',
        'Jeanneret',
        'Magnin',
        'Nicolet',
        'Pasche',
        'Reymond',
        'Stoll',
        'Zufferey',
      ],
      streets: [
        ...people.fr.streets,
        'Avenue du Léman',
        'Chemin du Moulin',
        'Route de Berne',
        'Rue du Midi',
        'Rue des Alpes',
        'Ruelle du Four',
      ],
    },
  },
  organizations: { insurer: 'Säntis Assurances SA', expert: 'Expertises de la Riviera Sàrl' },
  workshop: {
    garages: ['Garage', 'Carrosserie', 'Centre automobile', 'Atelier de peinture'],
    machineWorks: [
      'Machines agricoles',
      'Construction mécanique',
      'Service technique',
      'Mécanique',
    ],
    form: 'SA',
    street: 'Rue de l’Industrie',
    areaCode: '21',
  },
  vehicle: {
    crash: [
      'En quittant la place de parc, n’a pas vu le véhicule prioritaire. Choc à l’avant gauche, les deux véhicules sont restés en état de rouler.',
      'Collision par l’arrière dans une colonne à environ 30 km/h. Dégâts à l’arrière, le coffre ne ferme plus.',
      'En changeant de voie sur l’autoroute, a touché le flanc du véhicule dépassé. Portières et bas de caisse droits enfoncés.',
    ],
    ownCollision: [
      'A glissé sur la route enneigée et heurté la glissière de sécurité. Avant et côté droit endommagés.',
      'En reculant dans le parking souterrain, a frotté un pilier. Arrière et aile endommagés.',
    ],
    partial: {
      hail_damage: [
        'Averse de grêle en fin d’après-midi, grêlons jusqu’à 4 cm. Impacts sur le toit, le capot et le coffre, pare-brise intact.',
        'Le véhicule était stationné dehors pendant la grêle. Environ 180 impacts, les deux baguettes du toit sont fissurées.',
      ],
      marten_damage: [
        'Témoin moteur allumé au démarrage. Le garage a trouvé des câbles d’allumage rongés et des traces de morsures sur l’isolation: fouine.',
      ],
      glass_breakage: [
        'Projection d’un gravillon sur l’autoroute, fissure en travers du pare-brise.',
      ],
      animal_collision: [
        'Collision avec un chevreuil à la sortie de la forêt. Le garde-faune est venu sur place.',
      ],
      parking_damage: [
        'Au retour des courses, rayures et bosse constatées sur la portière arrière gauche.',
      ],
      vandalism: ['Véhicule rayé pendant la nuit sur tout le pourtour avec un objet pointu.'],
      fire: ['Incendie dans le compartiment moteur en roulant, intervention des pompiers.'],
    },
    remarks: [
      'Le véhicule peut rouler. Prière d’appeler avant l’inspection.',
      'Un véhicule de remplacement est à disposition, merci de régler l’affaire rapidement.',
      'Véhicule en leasing.',
    ],
  },
  appraiser: {
    water: [
      'Eau de conduite: rupture d’un tuyau dans la colonne montante, l’eau a coulé toute la nuit dans la cave. Le parquet du rez gondole.',
    ],
    storm: [
      'Les rafales ont arraché une quarantaine de tuiles et un morceau de chéneau. Bâche posée le jour même.',
    ],
    road: [
      'Une camionnette a renversé un candélabre et douze mètres de glissière. Route fermée pendant deux heures.',
    ],
    household: [
      'Cambriolage par la fenêtre du balcon. Appareil photo, montre et bijoux volés, tiroirs fouillés.',
      'Incendie dû à une bougie oubliée, suie dans trois pièces. Canapé et rideaux inutilisables.',
    ],
    remarks: ['La clé se trouve chez le concierge.'],
  },
  fraud: {
    claimTypes: ['Collision par l’arrière', 'Vol', 'Dégâts en stationnement'],
    descriptions: [
      'Collision par l’arrière annoncée de nuit, sans police ni témoin. Trois passagers se plaignent de douleurs à la nuque.',
      'Le véhicule aurait été volé sur un parking. La lecture de la clé montre un trajet après l’heure indiquée.',
      'Les deux parties se connaissent d’après les réseaux sociaux. Le montant et les traces de choc ne concordent pas.',
    ],
    requests: [
      'Veuillez vérifier la plausibilité du déroulement et confronter les deux véhicules.',
      'Lecture des calculateurs et prise de position sur la compatibilité des dégâts.',
      'Préparer l’audition des passagers, comparer les places occupées et les lésions.',
    ],
    remarks: ['Confidentiel. Contact uniquement par le service interne.'],
  },
  special: {
    tractor: {
      claimType: 'Renversement',
      descriptions: [
        'Le tracteur a glissé dans la pente et s’est couché sur le côté. Cabine déformée, conduite hydraulique arrachée.',
      ],
    },
    harvester: {
      claimType: 'Corps étranger',
      descriptions: [
        'Pièce de fer dans la récolte, barre de coupe et chaîne d’alimentation endommagées.',
      ],
    },
    trailer: {
      claimType: 'Collision',
      descriptions: ['En entrant dans la grange, a frotté le portail; caisse enfoncée à gauche.'],
    },
    gondola: {
      claimType: 'Choc contre un pylône',
      descriptions: [
        'Par vent latéral, la cabine a heurté le pylône 7. Vitre et porte endommagées.',
      ],
    },
    tram: {
      claimType: 'Collision',
      descriptions: [
        'Une camionnette n’a pas vu le tram en tournant. Avant et première porte endommagés.',
      ],
    },
    glider: {
      claimType: 'Atterrissage en campagne',
      descriptions: [
        'Lors d’un atterrissage en campagne, l’aile gauche a touché un piquet de clôture.',
      ],
    },
    drone: {
      claimType: 'Chute',
      descriptions: ['Drone de mensuration tombé dans une serre après une perte de signal.'],
    },
    remarks: ['La machine est à l’arrêt, très urgent.'],
  },
  files: {
    damageReport: 'Declaration_de_sinistre',
    estimate: 'Devis',
    invoice: 'Facture',
    report: 'Rapport_d_expertise',
    salvage: 'Epave',
    photo: 'Photo',
    inspection: 'Inspection',
    later: 'Complement',
    note: 'Note_telephonique',
  },
  folder: 'fr',
  noteText: `Note téléphonique

Au téléphone, la personne assurée décrit l’accident autrement que dans la déclaration:
les passagers ne seraient montés qu’après l’événement.
`,
  reportComments: [
    'Rapport avec calcul, l’inspection a eu lieu.',
    'Devis contrôlé, déductions en page 2.',
    '',
  ],
  comments: [
    'Inspection faite, les photos suivent avec le rapport.',
    'Client joint par téléphone, rendez-vous confirmé.',
    'Le garage enverra un devis corrigé.',
    'Dommages antérieurs constatés, ils seront déduits.',
  ],
  reasons: {
    reject: 'Pas de capacité dans la région.',
    cancel: 'Sinistre réglé directement par l’assurance.',
    return: 'Veuillez justifier la position peinture.',
    reopen: 'Complément du garage reçu.',
  },
};
