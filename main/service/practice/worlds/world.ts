/** A language that people of Switzerland speak. */
export type Tongue = 'de' | 'fr' | 'it';

/** The postal code, the place, the canton, and what is spoken there. */
export type Place = readonly [postalCode: string, city: string, canton: string, tongue: Tongue];

/** Names and streets of those who speak a language. They are common, so they belong to nobody. */
export interface People {
  readonly first: readonly string[];
  readonly last: readonly string[];
  readonly streets: readonly string[];
}

/** What is written about one kind of damage, in the insured's words; one of them is used. */
type Descriptions = readonly [string, ...string[]];

/** A machine's kind of claim, and what happened to it. */
interface MachineTexts {
  readonly claimType: string;
  readonly descriptions: Descriptions;
}

/**
 * All that the practice cases of one language consist of, apart from their amounts and days: people
 * and places of its region, and what insurers, experts and workshops write there.
 */
export interface World {
  /** Whose people come first (seven of ten), second (two of ten) and last. */
  readonly tongues: readonly [Tongue, Tongue, Tongue];
  readonly places: readonly Place[];
  readonly people: Readonly<Record<Tongue, People>>;
  readonly organizations: { readonly insurer: string; readonly expert: string };
  readonly workshop: {
    readonly garages: readonly string[];
    readonly machineWorks: readonly string[];
    readonly form: string;
    readonly street: string;
    readonly areaCode: string;
  };
  readonly vehicle: {
    readonly crash: Descriptions;
    readonly ownCollision: Descriptions;
    readonly partial: Readonly<
      Record<
        | 'hail_damage'
        | 'marten_damage'
        | 'glass_breakage'
        | 'animal_collision'
        | 'parking_damage'
        | 'vandalism'
        | 'fire',
        Descriptions
      >
    >;
    readonly remarks: readonly string[];
  };
  readonly appraiser: {
    readonly water: Descriptions;
    readonly storm: Descriptions;
    readonly road: Descriptions;
    readonly household: Descriptions;
    readonly remarks: readonly string[];
  };
  readonly fraud: {
    readonly claimTypes: readonly string[];
    readonly descriptions: Descriptions;
    readonly requests: readonly string[];
    readonly remarks: readonly string[];
  };
  readonly special: Readonly<
    Record<
      'tractor' | 'harvester' | 'trailer' | 'gondola' | 'tram' | 'glider' | 'drone',
      MachineTexts
    >
  > & { readonly remarks: readonly string[] };
  /** Names of files without the claim number and the extension. */
  readonly files: {
    readonly damageReport: string;
    readonly estimate: string;
    readonly invoice: string;
    readonly report: string;
    readonly salvage: string;
    readonly photo: string;
    readonly inspection: string;
    readonly later: string;
    readonly note: string;
  };
  /** The folder of the documents under `fixtures`; empty for the folder itself. */
  readonly folder: '' | 'fr' | 'it';
  readonly noteText: string;
  readonly reportComments: readonly string[];
  readonly comments: readonly string[];
  readonly reasons: {
    readonly reject: string;
    readonly cancel: string;
    readonly return: string;
    readonly reopen: string;
  };
}
