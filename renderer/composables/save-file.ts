/** Gives bytes to the person as the browser or the desktop shell saves any file. */
export function saveFile(name: string, content: Blob): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(content);
  link.download = name;
  link.click();
  // The saving has its own hold on the bytes by then.
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
