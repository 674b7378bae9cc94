/** Returns the value of a JSON text, or undefined for any other text. The value needs a schema. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
