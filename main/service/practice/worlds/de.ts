import { people } from './people.ts';
import type { World } from './world.ts';

/** German-speaking Switzerland. */
export const de: World = {
  tongues: ['de', 'fr', 'it'],
  places: [
    ['8001', 'Zürich', 'ZH', 'de'],
    ['8400', 'Winterthur', 'ZH', 'de'],
    ['8610', 'Uster', 'ZH', 'de'],
    ['8820', 'Wädenswil', 'ZH', 'de'],
    ['3011', 'Bern', 'BE', 'de'],
    ['3600', 'Thun', 'BE', 'de'],
    ['2502', 'Biel/Bienne', 'BE', 'de'],
    ['3800', 'Interlaken', 'BE', 'de'],
    ['6003', 'Luzern', 'LU', 'de'],
    ['6210', 'Sursee', 'LU', 'de'],
    ['6460', 'Altdorf', 'UR', 'de'],
    ['6430', 'Schwyz', 'SZ', 'de'],
    ['6300', 'Zug', 'ZG', 'de'],
    ['8750', 'Glarus', 'GL', 'de'],
    ['4500', 'Solothurn', 'SO', 'de'],
    ['4600', 'Olten', 'SO', 'de'],
    ['4051', 'Basel', 'BS', 'de'],
    ['4410', 'Liestal', 'BL', 'de'],
    ['8200', 'Schaffhausen', 'SH', 'de'],
    ['9100', 'Herisau', 'AR', 'de'],
    ['9000', 'St. Gallen', 'SG', 'de'],
    ['8640', 'Rapperswil', 'SG', 'de'],
    ['7000', 'Chur', 'GR', 'de'],
    ['7270', 'Davos Platz', 'GR', 'de'],
    ['5000', 'Aarau', 'AG', 'de'],
    ['5400', 'Baden', 'AG', 'de'],
    ['8500', 'Frauenfeld', 'TG', 'de'],
    ['3920', 'Zermatt', 'VS', 'de'],
    ['1700', 'Fribourg', 'FR', 'fr'],
    ['1003', 'Lausanne', 'VD', 'fr'],
    ['1400', 'Yverdon-les-Bains', 'VD', 'fr'],
    ['1950', 'Sion', 'VS', 'fr'],
    ['2000', 'Neuchâtel', 'NE', 'fr'],
    ['1201', 'Genève', 'GE', 'fr'],
    ['2800', 'Delémont', 'JU', 'fr'],
    ['6500', 'Bellinzona', 'TI', 'it'],
    ['6600', 'Locarno', 'TI', 'it'],
    ['6900', 'Lugano', 'TI', 'it'],
  ],
  people,
  organizations: { insurer: 'Säntis Versicherungen AG', expert: 'Expertisen Zürichsee GmbH' },
  workshop: {
    garages: ['Garage', 'Carrosserie', 'Auto-Center', 'Spritzwerk'],
    machineWorks: ['Landmaschinen', 'Maschinenbau', 'Technik-Service', 'Mechanik'],
    form: 'AG',
    street: 'Industriestrasse',
    areaCode: '44',
  },
  vehicle: {
    crash: [
      'Beim Verlassen des Parkplatzes wurde das vortrittsberechtigte Fahrzeug übersehen. Kollision mit der linken Front, beide Fahrzeuge blieben fahrbar.',
      'Auffahrunfall im Kolonnenverkehr bei rund 30 km/h. Heckschaden, Kofferraum lässt sich nicht mehr schliessen.',
      'Beim Spurwechsel auf der Autobahn die Seite des überholten Fahrzeugs touchiert. Türen und Schweller rechts eingedrückt.',
    ],
    ownCollision: [
      'Auf schneebedeckter Strasse ins Rutschen geraten und in die Leitplanke geprallt. Front und rechte Seite beschädigt.',
      'Beim Rückwärtsfahren in der Tiefgarage einen Pfeiler gestreift. Heck und Seitenwand beschädigt.',
    ],
    partial: {
      hail_damage: [
        'Hagelzug am späten Nachmittag, Körner bis 4 cm. Dellen auf Dach, Haube und Kofferraumdeckel, Windschutzscheibe unbeschädigt.',
        'Fahrzeug stand während des Hagels im Freien. Rund 180 Dellen, beide Zierleisten am Dach gerissen.',
      ],
      marten_damage: [
        'Motorkontrollleuchte nach dem Start. In der Werkstatt wurden durchgebissene Zündkabel und Bissspuren an der Dämmung gefunden.',
      ],
      glass_breakage: ['Steinschlag auf der Autobahn, Riss quer über die Windschutzscheibe.'],
      animal_collision: ['Kollision mit einem Reh kurz nach Waldausgang. Wildhüter war vor Ort.'],
      parking_damage: [
        'Nach dem Einkauf Kratzer und Delle an der hinteren linken Türe festgestellt.',
      ],
      vandalism: ['Fahrzeug über Nacht rundum mit einem spitzen Gegenstand zerkratzt.'],
      fire: ['Brand im Motorraum während der Fahrt, Feuerwehr im Einsatz.'],
    },
    remarks: [
      'Fahrzeug ist fahrbar. Bitte vor der Besichtigung anrufen.',
      'Ersatzfahrzeug ist gestellt, um rasche Erledigung wird gebeten.',
      'Leasingfahrzeug.',
    ],
  },
  appraiser: {
    water: [
      'Leitungswasser: Rohrbruch in der Steigzone, Wasser lief über Nacht in den Keller. Parkett im Erdgeschoss wölbt sich.',
    ],
    storm: [
      'Sturmböen haben rund 40 Ziegel und ein Stück der Dachrinne abgedeckt. Notdach wurde am gleichen Tag gesetzt.',
    ],
    road: [
      'Lieferwagen hat einen Kandelaber und zwölf Meter Leitplanke umgefahren. Strasse für zwei Stunden gesperrt.',
    ],
    household: [
      'Einbruch durch das Balkonfenster. Kamera, Uhr und Schmuck entwendet, Schubladen durchwühlt.',
      'Brand durch eine vergessene Kerze, Russ in drei Zimmern. Polstergruppe und Vorhänge unbrauchbar.',
    ],
    remarks: ['Schlüssel liegt beim Hauswart.'],
  },
  fraud: {
    claimTypes: ['Auffahrunfall', 'Diebstahl', 'Parkschaden'],
    descriptions: [
      'Gemeldet wird ein Auffahrunfall in der Nacht ohne Polizei und ohne Zeugen. Drei Mitfahrende klagen über Nackenschmerzen.',
      'Fahrzeug soll auf einem Parkplatz gestohlen worden sein. Die Schlüsselauslesung zeigt eine Fahrt nach der angegebenen Tatzeit.',
      'Beide Beteiligten kennen sich gemäss sozialen Medien. Schadenhöhe und Aufprallspuren passen nicht zusammen.',
    ],
    requests: [
      'Bitte Plausibilität des Hergangs prüfen und die Fahrzeuge gemeinsam gegenüberstellen.',
      'Auslesen der Steuergeräte und Stellungnahme zur Kompatibilität der Schäden.',
      'Befragung der Mitfahrenden vorbereiten, Sitzordnung und Verletzungsbild abgleichen.',
    ],
    remarks: ['Vertraulich. Kontakt nur über den Innendienst.'],
  },
  special: {
    tractor: {
      claimType: 'Kippunfall',
      descriptions: [
        'Traktor am Hang ins Rutschen geraten und auf die Seite gekippt. Kabine verzogen, Hydraulikleitung gerissen.',
      ],
    },
    harvester: {
      claimType: 'Fremdkörper',
      descriptions: ['Eisenteil im Erntegut, Messerbalken und Einzugskette beschädigt.'],
    },
    trailer: {
      claimType: 'Kollision',
      descriptions: ['Beim Einfahren in die Scheune das Tor gestreift, Aufbau links eingedrückt.'],
    },
    gondola: {
      claimType: 'Anprall an Stütze',
      descriptions: [
        'Gondel bei Seitenwind an der Stütze 7 angeschlagen. Scheibe und Türe beschädigt.',
      ],
    },
    tram: {
      claimType: 'Kollision',
      descriptions: [
        'Lieferwagen hat beim Abbiegen das Tram übersehen. Front und erste Türe beschädigt.',
      ],
    },
    glider: {
      claimType: 'Aussenlandung',
      descriptions: ['Bei der Aussenlandung mit dem linken Flügel einen Zaunpfahl berührt.'],
    },
    drone: {
      claimType: 'Absturz',
      descriptions: ['Vermessungsdrohne nach Signalverlust in ein Gewächshaus gestürzt.'],
    },
    remarks: ['Maschine steht still, Dringlichkeit hoch.'],
  },
  files: {
    damageReport: 'Schadenanzeige',
    estimate: 'Kostenvoranschlag',
    invoice: 'Rechnung',
    report: 'Gutachten',
    salvage: 'Restwert',
    photo: 'Foto',
    inspection: 'Besichtigung',
    later: 'Nachtrag',
    note: 'Telefonnotiz',
  },
  folder: '',
  noteText: `Telefonnotiz

Die versicherte Person schildert den Hergang am Telefon anders als in der Schadenanzeige:
Die Mitfahrenden seien erst nach dem Ereignis eingestiegen.
`,
  reportComments: [
    'Gutachten mit Berechnung, Besichtigung hat stattgefunden.',
    'Kostenvoranschlag geprüft, Abzüge siehe Seite 2.',
    '',
  ],
  comments: [
    'Besichtigung erfolgt, Fotos folgen mit dem Gutachten.',
    'Kunde telefonisch erreicht, Termin bestätigt.',
    'Werkstatt reicht korrigierten Kostenvoranschlag nach.',
    'Vorschaden festgestellt, wird abgezogen.',
  ],
  reasons: {
    reject: 'Keine Kapazität in der Region.',
    cancel: 'Schaden durch Versicherung direkt erledigt.',
    return: 'Bitte die Position Lackierung begründen.',
    reopen: 'Nachtrag der Werkstatt eingetroffen.',
  },
};
