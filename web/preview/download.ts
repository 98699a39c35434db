// Lets the browser save content as a file.

export function saveFile(content: Uint8Array<ArrayBuffer> | string, name: string, mimeType: string): void {
  const url = URL.createObjectURL(new Blob([content], { type: mimeType }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // the browser has begun to read it by then
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
