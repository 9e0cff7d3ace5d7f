import type { CodeMail } from "@countersign/client/pages";
import { useEffect, useState } from "preact/hooks";
import { ApiError, Unreachable } from "../http.ts";

const LATE_MS = 30_000;

const WORDS = {
  queued: "Not sent yet. We keep trying, so you can wait.",
  sent: "No e-mail yet? It may be delayed. Look in your spam folder.",
  failed: "The e-mail could not be sent.",
} as const;

/**
 * What to say of a mailed code that has not been entered half a minute after it was requested; empty before. `requests` counts them.
 * Without `follow` nothing is asked: about a code for log-in, the service gives every address the same answer.
 */
export function useLateCode(requests: number, follow: (() => Promise<CodeMail["state"]>) | null): string {
  const [late, setLate] = useState("");
  useEffect(() => {
    setLate("");
    if (requests === 0) return;
    const look = async () => {
      const state = follow === null ? null : await follow().catch(unlessRefused);
      if (timer === null) return;
      setLate(WORDS[state ?? "sent"]);
      if (state === "queued") timer = setTimeout(look, LATE_MS);
    };
    let timer: ReturnType<typeof setTimeout> | null = setTimeout(look, LATE_MS);
    return () => {
      clearTimeout(timer ?? undefined);
      timer = null;
    };
  }, [requests]);
  return late;
}

/** The service cannot say now. */
function unlessRefused(error: unknown): null {
  if (error instanceof ApiError || error instanceof Unreachable) return null;
  throw error;
}
