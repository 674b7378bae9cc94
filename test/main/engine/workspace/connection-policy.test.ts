import { expect, it } from 'vitest';
import { clientPolicy, enteredPolicy } from '#main/engine/workspace/connection-policy.ts';

const set = {
  baseUrl: 'https://office.example',
  audience: 'a',
  scope: 's',
  htuWithoutQuery: false,
  changedSinceParameter: 'since',
};

it('of a policy only what it sets takes precedence, each value by itself', () => {
  const connection = { ...set, clientId: 'c' };
  expect(enteredPolicy(connection)).toStrictEqual(connection);
  for (const [name, value] of Object.entries(connection))
    expect(enteredPolicy({ [name]: value })).toStrictEqual({ [name]: value });
  expect(enteredPolicy()).toStrictEqual({});
});

it('a stored connection keeps its client id, because another one is another organization', () => {
  const connection = { ...set, clientId: 'c' };
  expect(clientPolicy({ policy: { connection } })).toEqual(set);
  expect(clientPolicy({})).toEqual({});
});

it('a client has the limits, paths, proxy and network that IT and the shell set', () => {
  const bucket = { capacity: 1, refillPerMinute: 1 };
  const policy = {
    limits: { standard: bucket, documents: bucket },
    paths: { X1: '/cases' },
    proxy: { url: 'http://proxy.example' },
  };
  const network = { certificateAuthorities: ['pem'] };
  expect(clientPolicy({ policy, network })).toEqual({ ...policy, ...network });
});
