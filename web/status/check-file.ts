import type { Status } from "./status.ts";

/** Browsers only offer hashing on https and localhost. */
export const canHash = window.crypto.subtle !== undefined;

/** The message is for people. */
export class CheckFailed extends Error {
  override readonly name = "CheckFailed";
}

/** The state of the record with what the file is to it. Only the hash of the file is sent. */
export async function checkFile(file: Blob): Promise<Status> {
  const sha256 = await hashOf(file);
  const answer = await fetch(`${location.pathname}.json?file=${sha256}`).catch(() => {
    throw new CheckFailed("The installation cannot be reached. Check your connection and try again.");
  });
  if (answer.status === 429) throw new CheckFailed("Too many requests from your network. Try again in a minute.");
  if (!answer.ok) throw new CheckFailed("The installation could not answer. Try again later.");
  return ((await answer.json()) as { readonly document: Status }).document;
}

async function hashOf(file: Blob): Promise<string> {
  const bytes = await file.arrayBuffer().catch(() => {
    throw new CheckFailed("The browser could not read this file.");
  });
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  return [...digest].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
