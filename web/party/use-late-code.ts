import { useEffect, useState } from "preact/hooks";
import { type CodeMailState, whenLate } from "../late-code.ts";

const WORDS = {
  queued: "Not sent yet. We keep trying, so you can wait.",
  sent: "No e-mail yet? It may be delayed. Look in your spam folder.",
  failed: "The e-mail could not be sent.",
} as const;

/**
 * What to say of a mailed code that has not been entered half a minute after it was requested; empty before. `requests` counts them.
 * `follow` is null for a code for log-in, of which the service gives every address the same answer: nothing is asked.
 */
export function useLateCode(requests: number, follow: (() => Promise<CodeMailState>) | null): string {
  const [late, setLate] = useState("");
  useEffect(() => {
    setLate("");
    if (requests === 0) return;
    return whenLate(follow ?? (async () => null), (state) => setLate(WORDS[state ?? "sent"]));
  }, [requests]);
  return late;
}
