/** A download name that is valid on every operating system. */
export const fileName = (title: string): string => title.replace(/[\\/:*?"<>|\p{Cc}]/gu, " ").trim() || "document";

export function saveFile(file: Blob, name: string): void {
  const url = URL.createObjectURL(file);
  const link = Object.assign(document.createElement("a"), { href: url, download: name });
  link.click();
  // By then the browser has started to read the file.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
