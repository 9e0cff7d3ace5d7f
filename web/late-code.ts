import type { CodeMail } from "@countersign/client/pages";
import { ApiError, Unreachable } from "./http.ts";

/** A mailed code that has not been entered after half a minute: the mail server may be away. */

const LATE_MS = 30_000;

/** What became of the e-mail; null if the service cannot say, and then the page says only what always holds. */
export type CodeMailState = CodeMail["state"];

/** Calls `show` after half a minute, and again as often while the e-mail waits. Returns what ends that. */
export function whenLate(follow: () => Promise<CodeMailState>, show: (state: CodeMailState) => void): () => void {
  const look = async () => {
    const state = await follow().catch(nullIfRefused);
    if (timer === null) return;
    show(state);
    if (state === "queued") timer = setTimeout(look, LATE_MS);
  };
  let timer: ReturnType<typeof setTimeout> | null = setTimeout(look, LATE_MS);
  return () => {
    clearTimeout(timer ?? undefined);
    timer = null;
  };
}

function nullIfRefused(error: unknown): null {
  if (error instanceof ApiError || error instanceof Unreachable) return null;
  throw error;
}
