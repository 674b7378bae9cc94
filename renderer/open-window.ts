import { createPinia } from 'pinia';
import { createApp } from 'vue';
import App from './App.vue';
import { createDeskI18n, i18nKey } from './i18n/create-i18n.ts';
import { createDeskRouter } from './router.ts';
import { storedTheme } from './theme/theme-choice.ts';
import { createThemeSheet } from './theme/theme-sheet.ts';
import { createDeskVuetify } from './theme/vuetify.ts';
import { chooseTransport } from './transport/choose-transport.ts';
import { transportKey } from './transport/desk-client.ts';

const transport = await chooseTransport(window);
const i18n = createDeskI18n();
const router = createDeskRouter();
createApp(App)
  .provide(transportKey, transport)
  .provide(i18nKey, i18n)
  .provide('usehead', createThemeSheet(document))
  .use(createPinia())
  .use(i18n)
  .use(createDeskVuetify(storedTheme(), i18n))
  // The router reads the address, so it comes after the token was taken out of it.
  .use(router)
  .mount('#app');

// The desk was updated under an open window: the page that it asks for is in the new build only.
// Not before the first page is there, because what fails in a build would fail in it again for ever.
await router.isReady();
window.addEventListener('vite:preloadError', () => window.location.reload());
