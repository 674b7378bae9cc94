import { expect, test } from 'vitest';
import { isAddressOf } from '#main/front/auth/proof.ts';

const accepted: [string, string, string][] = [
  ['https://api.example/v1/x?a=b', 'https://api.example', '/v1/x?a=b'],
  ['https://API.example:443/v1/x?a=b', 'https://api.example', '/v1/x?a=b'],
  ['https://api.example/v1/x', 'https://api.example:443', '/v1/x'],
  ['http://api.example:80/v1/x', 'http://api.example', '/v1/x'],
  ['HTTPS://api.example/base/v1/x', 'https://api.example/base', '/v1/x'],
];
test.each(accepted)('DPoP htu: %s is %s%s', (htu, publicUrl, target) => {
  expect(isAddressOf(htu, publicUrl, target)).toBe(true);
});

const refused: [string, string, string][] = [
  ['https://api.example:80/v1/x', 'https://api.example', '/v1/x'],
  ['http://api.example/v1/x', 'https://api.example', '/v1/x'],
  ['https://api.example/v1/x', 'https://api.example:8443', '/v1/x'],
  ['https://api.example/v1/x?', 'https://api.example', '/v1/x'],
  ['https://api.example/v1/./x', 'https://api.example', '/v1/x'],
  ['https://user@api.example/v1/x', 'https://api.example', '/v1/x'],
  ['https://api.example.evil/v1/x', 'https://api.example', '/v1/x'],
  ['', 'https://api.example', '/v1/x'],
];
test.each(refused)('DPoP htu: %j is not %s%s', (htu, publicUrl, target) => {
  expect(isAddressOf(htu, publicUrl, target)).toBe(false);
});
