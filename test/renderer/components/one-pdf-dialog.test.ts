import { flushPromises } from '@vue/test-utils';
import { afterEach, describe, expect, test } from 'vitest';
import type { Attachment } from '#shared/desk/reports/reports.ts';
import { type AttachmentDetails, noDetails } from '#shared/photos/details.ts';
import OnePdfDialog from '#renderer/components/report/OnePdfDialog.vue';
import { mountView } from '../fixtures/mount-view.ts';

const file = (
  id: string,
  contentType: string,
  details: Partial<AttachmentDetails> = {},
): Attachment => ({
  id,
  fileName: id,
  contentType,
  sizeBytes: 1,
  sha256: id,
  isSalvageSale: false,
  details: { ...noDetails, ...details },
});
const word = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';
const filled = {
  templateId: 't',
  templateName: 'T',
  templateVersion: 1,
  at: '',
  savedAt: null,
  line: null,
};
const document_ = file('report.docx', word, { filled });
const estimate = file('estimate.pdf', 'application/pdf');
const photo = file('front.jpg', 'image/jpeg');

function mountDialog(files: readonly Attachment[], makesPdf = true) {
  const wrapper = mountView(OnePdfDialog, {
    props: { files, makesPdf, busy: false, modelValue: true },
  });
  const dialog = () => globalThis.document.querySelector<HTMLElement>('[role=dialog]');
  const annexes = () =>
    [...(dialog()?.querySelectorAll('li') ?? [])].map((one) => {
      const box = one.querySelector('input');
      return `${box?.checked === true ? '☑' : '☐'} ${one.textContent.trim()}`;
    });
  const button = () => [...(dialog()?.querySelectorAll('button') ?? [])].at(-1);
  const make = async () => {
    button()?.click();
    await flushPromises();
    return wrapper.emitted('make')?.at(-1)?.[0];
  };
  return { wrapper, dialog, annexes, button, make };
}
afterEach(() => globalThis.document.body.replaceChildren());

describe('one PDF', () => {
  test('is made of the filled document and every PDF and picture', async () => {
    const { annexes, make, dialog } = mountDialog([photo, estimate, document_]);
    await flushPromises();
    expect(annexes()).toEqual(['☑ front.jpg', '☑ estimate.pdf']);
    expect(dialog()?.textContent).toContain('Bilder kommen als Fotodokumentation ans Ende.');
    expect(await make()).toMatchObject({
      reportId: 'report.docx',
      annexIds: ['front.jpg', 'estimate.pdf'],
    });
  });

  test('leaves out what is unticked, what cannot be bound, a signature and an earlier one', async () => {
    const files = [
      document_,
      estimate,
      file('table.xlsx', 'application/vnd.ms-excel'),
      file('locked.pdf', 'application/pdf', { isProtected: true }),
      file('signature.png', 'image/png', { group: 'signature' }),
      file('before.pdf', 'application/pdf', { boundOf: [] }),
    ];
    const { annexes, make, dialog, button } = mountDialog(files);
    await flushPromises();
    expect(annexes()).toEqual(['☑ estimate.pdf', '☐ signature.png']);
    expect(dialog()?.textContent).toContain('Nicht möglich: table.xlsx, locked.pdf');
    dialog()?.querySelector('li input')?.dispatchEvent(new MouseEvent('click'));
    await flushPromises();
    expect(annexes()).toEqual(['☐ estimate.pdf', '☐ signature.png']);
    expect(button()?.disabled).toBe(true);
    expect(await make()).toBeUndefined();
  });

  test('without LibreOffice takes the PDF that came from Word, and says why', async () => {
    const pdfOf = { attachmentId: 'report.docx', sha256: '' };
    const own = file('report.pdf', 'application/pdf', { pdfOf });
    const { dialog, make, annexes } = mountDialog([document_, own, estimate], false);
    await flushPromises();
    expect(dialog()?.textContent).toContain('nur mit LibreOffice');
    expect(annexes()).toEqual(['☑ estimate.pdf']);
    expect(await make()).toMatchObject({ reportId: 'report.pdf', annexIds: ['estimate.pdf'] });
  });

  test('needs a report', async () => {
    const { dialog, button } = mountDialog([photo]);
    await flushPromises();
    expect(dialog()?.textContent).toContain('noch kein Dokument und kein PDF');
    expect(button()?.disabled).toBe(true);
  });
});
