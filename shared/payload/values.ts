/** The values of the claim payload (specification, "Claim payload"): every closed list. */

export const currencies = ['CHF', 'EUR', 'USD'] as const;
export const countries = ['CH', 'DE', 'AT', 'FR', 'IT', 'LI'] as const;

/** The values in categories vehicle, fraud and special; appraiser has other ones. */
export const claimInsurances = ['liability', 'partial', 'comprehensive'] as const;
export const appraiserInsurances = ['liability', 'own'] as const;

export const appraiserClaimTypes = ['building', 'infrastructure', 'household'] as const;
/** Vehicle rule 3: the claim types of partial cover. */
export const partialClaimTypes = [
  'fire',
  'natural_hazard',
  'hail_damage',
  'snow_slide',
  'theft',
  'animal_collision',
  'marten_damage',
  'glass_breakage',
  'vandalism',
  'assistance',
  'falling_objects',
  'parking_damage',
] as const;

export const machineCategories = ['rail_vehicle', 'aircraft', 'land_machine'] as const;
export const railVehicles = ['gondola', 'train', 'tram', 'rack_railway'] as const;
export const aircraft = ['glider', 'powered_aircraft', 'drone'] as const;
export const landMachines = ['tractor', 'trailer', 'harvester', 'stationary_machine'] as const;
export const machineTypes = [...railVehicles, ...aircraft, ...landMachines] as const;

export const vehicleInspectionTypes = [
  'workshop',
  'private',
  'live_expertise',
  'estimate_review',
  'invoice_review',
] as const;
export const appraiserInspectionTypes = ['onsite', 'estimate_review', 'invoice_review'] as const;
export const landMachineInspectionTypes = [
  'workshop',
  'private',
  'estimate_review',
  'invoice_review',
] as const;
/** Special rule 6: rail vehicles and aircraft. */
export const railAndAircraftInspectionTypes = [
  'onsite',
  'estimate_review',
  'invoice_review',
] as const;
export const specialInspectionTypes = [
  'workshop',
  'private',
  'onsite',
  'estimate_review',
  'invoice_review',
] as const;

/** Every inspection type of any category; category fraud has none. */
export const inspectionTypes = [
  ...new Set([...vehicleInspectionTypes, ...appraiserInspectionTypes, ...specialInspectionTypes]),
];

/** Fraud rule 2 (decisions, "Validation"). */
export const driverAnswers = ['yes', 'no', 'unknown'] as const;
