import { people } from './people.ts';
import type { World } from './world.ts';

/** Italian-speaking Switzerland, with people of the two other regions. */
export const it: World = {
  tongues: ['it', 'de', 'fr'],
  places: [
    ['6500', 'Bellinzona', 'TI', 'it'],
    ['6512', 'Giubiasco', 'TI', 'it'],
    ['6596', 'Gordola', 'TI', 'it'],
    ['6598', 'Tenero', 'TI', 'it'],
    ['6600', 'Locarno', 'TI', 'it'],
    ['6612', 'Ascona', 'TI', 'it'],
    ['6616', 'Losone', 'TI', 'it'],
    ['6648', 'Minusio', 'TI', 'it'],
    ['6710', 'Biasca', 'TI', 'it'],
    ['6760', 'Faido', 'TI', 'it'],
    ['6780', 'Airolo', 'TI', 'it'],
    ['6802', 'Rivera', 'TI', 'it'],
    ['6830', 'Chiasso', 'TI', 'it'],
    ['6850', 'Mendrisio', 'TI', 'it'],
    ['6855', 'Stabio', 'TI', 'it'],
    ['6900', 'Lugano', 'TI', 'it'],
    ['6932', 'Breganzona', 'TI', 'it'],
    ['6962', 'Viganello', 'TI', 'it'],
    ['6535', 'Roveredo', 'GR', 'it'],
    ['7742', 'Poschiavo', 'GR', 'it'],
    ['6460', 'Altdorf', 'UR', 'de'],
    ['6003', 'Luzern', 'LU', 'de'],
    ['7000', 'Chur', 'GR', 'de'],
    ['8001', 'Zürich', 'ZH', 'de'],
    ['3011', 'Bern', 'BE', 'de'],
    ['1003', 'Lausanne', 'VD', 'fr'],
    ['1201', 'Genève', 'GE', 'fr'],
  ],
  people: {
    ...people,
    it: {
      first: [
        ...people.it.first,
        'Andrea',
        'Barbara',
        'Claudio',
        'Daniela',
        'Enrico',
        'Federica',
        'Giorgio',
        'Ilaria',
        'Matteo',
        'Nicola',
        'Patrizia',
        'Roberto',
        'Silvia',
        'Tiziano',
      ],
      last: [
        ...people.it.last,
        'Ambrosini',
        'Bianchi',
        'Cereghetti',
        'Delcò',
        'Ferrari',
        'Gianini',
        'Maggetti',
        'Poretti',
        'Regazzi',
        'Sartori',
        'Togni',
        'Zanetti',
      ],
      streets: [
        ...people.it.streets,
        'Via Lugano',
        'Via Locarno',
        'Via Vela',
        'Via alla Chiesa',
        'Salita dei Frati',
        'Piazza Grande',
      ],
    },
  },
  organizations: { insurer: 'Säntis Assicurazioni SA', expert: 'Perizie del Ceresio Sagl' },
  workshop: {
    garages: ['Garage', 'Carrozzeria', 'Autocentro', 'Officina'],
    machineWorks: ['Macchine agricole', 'Costruzioni meccaniche', 'Servizio tecnico', 'Meccanica'],
    form: 'SA',
    street: 'Via Industria',
    areaCode: '91',
  },
  vehicle: {
    crash: [
      'Uscendo dal parcheggio non ha visto il veicolo con precedenza. Urto all’anteriore sinistro, entrambi i veicoli sono rimasti marcianti.',
      'Tamponamento in colonna a circa 30 km/h. Danno posteriore, il baule non si chiude più.',
      'Cambiando corsia in autostrada ha toccato la fiancata del veicolo superato. Portiere e longherone destri ammaccati.',
    ],
    ownCollision: [
      'È scivolato sulla strada innevata e ha urtato il guidovia. Anteriore e lato destro danneggiati.',
      'Facendo marcia indietro nell’autorimessa ha strisciato un pilastro. Posteriore e fiancata danneggiati.',
    ],
    partial: {
      hail_damage: [
        'Grandinata nel tardo pomeriggio, chicchi fino a 4 cm. Bolli su tetto, cofano e baule, parabrezza intatto.',
        'Il veicolo era all’aperto durante la grandine. Circa 180 bolli, entrambe le modanature del tetto sono rotte.',
      ],
      marten_damage: [
        'Spia del motore accesa dopo l’avviamento. In officina sono stati trovati cavi di accensione morsicati e segni di denti sull’isolazione: martora.',
      ],
      glass_breakage: ['Colpo di sasso in autostrada, crepa attraverso tutto il parabrezza.'],
      animal_collision: [
        'Collisione con un capriolo all’uscita dal bosco. Il guardacaccia è venuto sul posto.',
      ],
      parking_damage: [
        'Dopo la spesa constatati graffi e un’ammaccatura alla portiera posteriore sinistra.',
      ],
      vandalism: ['Veicolo graffiato durante la notte su tutti i lati con un oggetto appuntito.'],
      fire: ['Incendio nel vano motore durante la marcia, intervento dei pompieri.'],
    },
    remarks: [
      'Il veicolo è marciante. Si prega di telefonare prima dell’ispezione.',
      'È in uso un veicolo sostitutivo, si prega di sbrigare in fretta.',
      'Veicolo in leasing.',
    ],
  },
  appraiser: {
    water: [
      'Acqua di condotta: rottura di un tubo nella colonna montante, l’acqua è scesa tutta la notte in cantina. Il parquet al pianterreno si solleva.',
    ],
    storm: [
      'Le raffiche hanno divelto una quarantina di tegole e un pezzo di grondaia. Copertura provvisoria posata lo stesso giorno.',
    ],
    road: [
      'Un furgone ha abbattuto un candelabro e dodici metri di guidovia. Strada chiusa per due ore.',
    ],
    household: [
      'Furto con scasso dalla finestra del balcone. Rubati macchina fotografica, orologio e gioielli, cassetti rovistati.',
      'Incendio per una candela dimenticata, fuliggine in tre locali. Divano e tende inutilizzabili.',
    ],
    remarks: ['La chiave è dal custode.'],
  },
  fraud: {
    claimTypes: ['Tamponamento', 'Furto', 'Danno in parcheggio'],
    descriptions: [
      'Annunciato un tamponamento notturno senza polizia e senza testimoni. Tre passeggeri lamentano dolori al collo.',
      'Il veicolo sarebbe stato rubato in un parcheggio. La lettura della chiave mostra un tragitto dopo l’ora indicata.',
      'Secondo le reti sociali le due parti si conoscono. L’importo e le tracce dell’urto non concordano.',
    ],
    requests: [
      'Verificare la plausibilità della dinamica e mettere a confronto i due veicoli.',
      'Lettura delle centraline e presa di posizione sulla compatibilità dei danni.',
      'Preparare l’interrogazione dei passeggeri, confrontare posti a sedere e lesioni.',
    ],
    remarks: ['Confidenziale. Contatto solo tramite il servizio interno.'],
  },
  special: {
    tractor: {
      claimType: 'Ribaltamento',
      descriptions: [
        'Il trattore è scivolato sul pendio e si è coricato sul fianco. Cabina deformata, condotta idraulica strappata.',
      ],
    },
    harvester: {
      claimType: 'Corpo estraneo',
      descriptions: [
        'Pezzo di ferro nel raccolto, barra falciante e catena di alimentazione danneggiate.',
      ],
    },
    trailer: {
      claimType: 'Collisione',
      descriptions: [
        'Entrando nel fienile ha strisciato il portone; sovrastruttura ammaccata a sinistra.',
      ],
    },
    gondola: {
      claimType: 'Urto contro un pilone',
      descriptions: [
        'Con vento laterale la cabina ha urtato il pilone 7. Vetro e porta danneggiati.',
      ],
    },
    tram: {
      claimType: 'Collisione',
      descriptions: [
        'Svoltando, un furgone non ha visto il tram. Anteriore e prima porta danneggiati.',
      ],
    },
    glider: {
      claimType: 'Atterraggio fuori campo',
      descriptions: [
        'Durante l’atterraggio fuori campo l’ala sinistra ha toccato un palo di recinzione.',
      ],
    },
    drone: {
      claimType: 'Caduta',
      descriptions: ['Drone per rilievi caduto in una serra dopo la perdita del segnale.'],
    },
    remarks: ['La macchina è ferma, molto urgente.'],
  },
  files: {
    damageReport: 'Notifica_di_sinistro',
    estimate: 'Preventivo',
    invoice: 'Fattura',
    report: 'Perizia',
    salvage: 'Relitto',
    photo: 'Foto',
    inspection: 'Ispezione',
    later: 'Complemento',
    note: 'Nota_telefonica',
  },
  folder: 'it',
  noteText: `Nota telefonica

Al telefono la persona assicurata descrive la dinamica in modo diverso dalla notifica:
i passeggeri sarebbero saliti solo dopo l’evento.
`,
  reportComments: [
    'Perizia con calcolo, l’ispezione ha avuto luogo.',
    'Preventivo verificato, deduzioni a pagina 2.',
    '',
  ],
  comments: [
    'Ispezione eseguita, le foto seguono con la perizia.',
    'Cliente raggiunto per telefono, appuntamento confermato.',
    'L’officina invierà un preventivo corretto.',
    'Danni preesistenti constatati, saranno dedotti.',
  ],
  reasons: {
    reject: 'Nessuna capacità nella regione.',
    cancel: 'Sinistro liquidato direttamente dall’assicurazione.',
    return: 'Si prega di motivare la posizione verniciatura.',
    reopen: 'Complemento dell’officina ricevuto.',
  },
};
