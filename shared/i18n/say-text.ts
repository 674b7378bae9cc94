import type { MessageKey, WindowTexts } from './texts.ts';

/** Says a text of the window; one with a plural needs the window. */
export type SayText = (key: MessageKey, params?: Readonly<Record<string, string>>) => string;

/** The window's texts for a program without a window. */
export const sayTextOf =
  (texts: WindowTexts): SayText =>
  (key, params = {}) => {
    let found: unknown = texts;
    for (const part of key.split('.'))
      found = typeof found === 'object' && found !== null ? Reflect.get(found, part) : undefined;
    const text = typeof found === 'string' ? found : key;
    return text.replaceAll(/\{(\w+)\}/g, (whole, name: string) => params[name] ?? whole);
  };
