import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { partnerCaseOf } from '#main/gateway/store-cases.ts';

test('gateway: an answer about another case is none', () => {
  const answer = { Id: randomUUID(), Status: 'Accepted' };
  const { data } = partnerCaseOf(answer.Id.toUpperCase()).safeParse(answer);
  expect(data).toMatchObject({ raw: answer, fields: { Id: answer.Id, Status: 'Accepted' } });
  const { error } = partnerCaseOf(randomUUID()).safeParse(answer);
  expect(error?.issues).toMatchObject([{ path: ['Id'] }]);
});
