/**
 * Takes what is set but empty out of the environment: a workflow hands over a secret that it does
 * not have as '', which on macOS would be the path of a certificate. WIN_CSC_LINK stays, because
 * electron-builder knows '' there, and without it would sign for Windows with CSC_LINK.
 *
 * @param {Record<string, string | undefined>} env
 */
export function dropEmptySecrets(env) {
  for (const name of Object.keys(env))
    if (/^(?:CSC|APPLE)_/.test(name) && env[name]?.trim() === '') Reflect.deleteProperty(env, name);
}
