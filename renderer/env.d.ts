declare module '*.vue' {
  import type { DefineComponent } from 'vue';

  const component: DefineComponent<object, object, unknown>;
  export default component;
}

/** Made by renderer/licences.ts when the window is built. */
declare module 'virtual:licences' {
  export const libraries: readonly {
    readonly name: string;
    readonly version: string;
    readonly license: string;
  }[];
}
