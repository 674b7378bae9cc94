import { describe, it } from 'vitest';
import { changesOf } from '../shared/payload/samples.ts';

const { accepts, refuses } = changesOf('fraud');

describe('category fraud', () => {
  it('fraud 1: liability needs a counterparty', () => {
    refuses({ counterparty: undefined }, 'counterparty: is required.');
    for (const claimInsurance of ['partial', 'comprehensive']) {
      accepts({ claimInsurance, counterparty: undefined });
    }
  });

  it.each(['liability', 'partial', 'comprehensive'])(
    'fraud: with %s each party that is there is complete',
    (claimInsurance) => {
      for (const party of ['insured', 'counterparty']) {
        refuses(
          { claimInsurance, [party]: { email: '' } },
          `${party}.name: is required.`,
          `${party}.address: is required.`,
          `${party}.postalCode: is required.`,
          `${party}.city: is required.`,
          `${party}.phone: is required.`,
          `${party}.email: must not be empty.`,
        );
      }
    },
  );

  describe.each([
    ['insured', 'insuredPersons'],
    ['counterparty', 'counterpartyPersons'],
  ])('%s', (party, list) => {
    const message = `${list}: at most one person may have driverAtIncident yes.`;
    const answer = `${party}.driverAtIncident`;
    const persons = (...answers: string[]) =>
      answers.map((driverAtIncident) => ({ driverAtIncident }));

    it('fraud 2: two in the list drove', () => {
      refuses({ [answer]: 'no', [list]: persons('yes', 'no', 'yes') }, message);
      refuses({ [answer]: undefined, [list]: persons('yes', 'yes', 'yes') }, message);
    });

    it('fraud 2: the party and one in the list drove', () => {
      refuses({ [answer]: 'yes', [list]: persons('unknown', 'yes') }, message);
    });

    it('fraud 2: one of them, or nobody', () => {
      accepts({ [answer]: 'yes', [list]: persons('no', 'unknown') });
      accepts({ [answer]: 'unknown', [list]: persons('no', 'yes') });
      accepts({ [answer]: 'no', [list]: persons('no', 'no') });
      accepts({ [answer]: undefined, [list]: [{}, {}] });
      accepts({ [answer]: 'yes', [list]: undefined });
    });

    it('fraud: driverAtIncident is yes, no or unknown', () => {
      refuses(
        { [answer]: 'maybe', [list]: [{ driverAtIncident: true }, { driverAtIncident: '' }] },
        ...[answer, `${list}[0].driverAtIncident`, `${list}[1].driverAtIncident`].map(
          (path) => `${path}: must be one of: yes, no, unknown.`,
        ),
      );
    });

    it('fraud: at most 25 persons', () => {
      accepts({ [list]: Array.from({ length: 25 }, () => ({})) });
      refuses(
        { [list]: Array.from({ length: 26 }, () => ({})) },
        `${list}: must have at most 25 items.`,
      );
      refuses(
        { [answer]: 'yes', [list]: persons(...Array.from({ length: 26 }, () => 'yes')) },
        message,
        `${list}: must have at most 25 items.`,
      );
      refuses({ [list]: {} }, `${list}: must be an array.`);
      refuses({ [list]: [null, {}] }, `${list}[0]: must be an object.`);
    });
  });

  it('fraud: members of persons are strings', () => {
    const members = ['name', 'address', 'postalCode', 'city', 'phone', 'email'];
    for (const member of members) {
      refuses(
        { insuredPersons: [{}, { [member]: 5 }], counterpartyPersons: [{ [member]: null }] },
        `insuredPersons[1].${member}: must be a string.`,
        `counterpartyPersons[0].${member}: must be a string.`,
      );
      accepts({ insuredPersons: [{ [member]: '' }] });
    }
  });

  it('fraud: both sides may have a driver of their own', () => {
    accepts({ 'insured.driverAtIncident': 'no', 'counterparty.driverAtIncident': 'yes' });
  });

  it('fraud: incidentTime is HH:MM on the 24-hour clock', () => {
    for (const incidentTime of ['00:00', '23:59', null, undefined]) accepts({ incidentTime });
    for (const incidentTime of ['24:00', '9:30', '12:60', '', 930]) {
      refuses({ incidentTime }, 'incidentTime: must be a time (HH:MM).');
    }
  });

  it('fraud: supportRequest has 1 to 10000 characters', () => {
    accepts({ supportRequest: 'x'.repeat(10_000) });
    refuses({ supportRequest: '' }, 'supportRequest: must not be empty.');
    refuses({ supportRequest: undefined }, 'supportRequest: is required.');
    refuses(
      { supportRequest: 'x'.repeat(10_001) },
      'supportRequest: must be at most 10000 characters.',
    );
  });
});
