/** What somebody takes home, under a name that every system can write. */
export const fileName = (title: string): string => title.replace(/[\\/:*?"<>|\p{Cc}]/gu, " ").trim() || "document";

export function saveFile(file: Blob, name: string): void {
  const url = URL.createObjectURL(file);
  const link = Object.assign(document.createElement("a"), { href: url, download: name });
  link.click();
  // The browser has begun to read it by the next turn of a minute's clock.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
