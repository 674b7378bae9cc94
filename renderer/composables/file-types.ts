import {
  mdiEmailOutline,
  mdiFileDocumentOutline,
  mdiFileExcelOutline,
  mdiFileImageOutline,
  mdiFileOutline,
  mdiFilePdfBox,
  mdiFileWordOutline,
  mdiFolderZipOutline,
} from '@mdi/js';

/** How a file can be shown inside the window. */
export type Preview = 'pdf' | 'image' | 'text' | 'none';

/** Image types that every supported browser can draw; HEIC and TIFF are not among them. */
const drawable = ['image/jpeg', 'image/png', 'image/webp'];

export function previewOf(contentType: string): Preview {
  if (contentType === 'application/pdf') return 'pdf';
  if (drawable.includes(contentType)) return 'image';
  return contentType.startsWith('text/') || contentType === 'message/rfc822' ? 'text' : 'none';
}

export function fileIcon(contentType: string): string {
  if (contentType === 'application/pdf') return mdiFilePdfBox;
  if (contentType.startsWith('image/')) return mdiFileImageOutline;
  if (contentType === 'message/rfc822') return mdiEmailOutline;
  if (contentType === 'application/zip') return mdiFolderZipOutline;
  if (contentType.endsWith('.document')) return mdiFileWordOutline;
  if (contentType.endsWith('.sheet') || contentType === 'text/csv') return mdiFileExcelOutline;
  return contentType.startsWith('text/') ? mdiFileDocumentOutline : mdiFileOutline;
}

/** Whether the window can draw it, and so turn it, reduce it and put it on a sheet. */
export const isPhoto = (contentType: string): boolean => drawable.includes(contentType);
