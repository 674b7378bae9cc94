import { expect, it } from 'vitest';
import { dropEmptySecrets } from '../../scripts/lib/signing-environment.mjs';

it('takes a secret that is not there for no path, and leaves the others', () => {
  const env = {
    CSC_LINK: '',
    CSC_KEY_PASSWORD: ' ',
    APPLE_API_KEY: '',
    APPLE_API_KEY_ID: 'A1',
    // Means "do not sign", and not "sign with CSC_LINK".
    WIN_CSC_LINK: '',
    PATH: '',
  };
  dropEmptySecrets(env);
  expect(env).toEqual({ APPLE_API_KEY_ID: 'A1', WIN_CSC_LINK: '', PATH: '' });
});
