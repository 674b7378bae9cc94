import { writeFileSync } from 'node:fs';
import { expect } from '@playwright/test';
import { serviceFolder } from '../support/processes.ts';
import { connectExpert, test } from './desk-window.ts';
import { addressOf, inspectPage } from './page.ts';

const folder = serviceFolder();
test.afterAll(() => folder.end());

/**
 * An organization has turned practice off and set a language, which is not the system's, and nobody
 * has set up a connection yet.
 */
test('without practice and without a connection every page leads to setting one up', async ({
  openDesk,
}) => {
  const policy = folder.at('policy.json');
  writeFileSync(policy, JSON.stringify({ practice: false, language: 'fr' }));
  process.env['DESK_POLICY'] = policy;
  const desk = await openDesk({ home: folder.at('home') });
  const { page, errors } = desk;
  try {
    const missing = page.getByRole('heading', { name: 'Pas encore de connexion' });
    await expect(missing).toBeVisible();
    for (const name of ['Dossiers', 'Boîte d’envoi', 'Envoi groupé', 'Statistiques']) {
      await page.getByRole('link', { name }).click();
      await expect(missing).toBeVisible();
    }
    expect(await inspectPage(page, 'no-connection')).toEqual([]);
    await page.getByRole('link', { name: 'Configurer la connexion' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Nouvelle connexion' }).press('Enter');
    await expect(
      page.getByRole('dialog', { name: 'Configurer la connexion à l’assureur' }),
    ).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(page.getByText('Espace d’exercice')).toHaveCount(0);
    expect(errors()).toEqual([]);
  } finally {
    delete process.env['DESK_POLICY'];
    await desk.stop();
  }
});

test('before the first case every page shows that there is none, and none asks to choose one', async ({
  openDesk,
}) => {
  const home = folder.at('empty');
  const service = await folder.start('--demo', '0');
  await connectExpert(home, service);
  const desk = await openDesk({ home, args: ['--lang', 'de'] });
  const { page, errors } = desk;
  try {
    for (const [address, sentence] of [
      ['today', 'Heute keine Besichtigungen.'],
      ['cases', 'Noch keine Fälle'],
      ['queue', 'Der Postausgang ist leer'],
      ['insights', 'Noch keine Fälle'],
    ] as const) {
      await page.goto(addressOf(page, address));
      await expect(page.getByRole('main').getByText(sentence)).toBeVisible();
      await expect(page.getByText(/Kein Fall ausgewählt|passt zu diesem Filter/)).toHaveCount(0);
      expect(await inspectPage(page, `empty-${address}`), address).toEqual([]);
    }
    expect(errors()).toEqual([]);
  } finally {
    await desk.stop();
  }
});
