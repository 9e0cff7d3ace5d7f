import { EnvelopeEndedError, WaitTimeoutError } from "./errors.ts";
import type { Operations } from "./generated/operations.ts";
import { operations } from "./generated/operations.ts";
import { EnvelopesResource } from "./generated/resources.ts";
import type { EnvelopeStatus } from "./generated/types.ts";
import { parseBody } from "./parse-body.ts";

export type StatusView = Operations["get_envelope_status"]["answer"];

const ORDER = ["pending", "uploaded", "preparing", "sent", "viewed", "completed", "vaulted"] as const satisfies readonly EnvelopeStatus[];
const UNTIL: readonly string[] = ["sent", "viewed", "completed", "vaulted"] satisfies readonly WaitOptions["until"][];
const ENDED: readonly EnvelopeStatus[] = ["declined", "voided", "expired"];

export interface WaitOptions {
  /** this status or a later one */
  readonly until: "sent" | "viewed" | "completed" | "vaulted";
  /** throws a WaitTimeoutError after this time */
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
}

const FIRST_POLL_MS = 2000;
const LONGEST_POLL_MS = 15_000;
const GROWTH = 1.5;

export class Envelopes extends EnvelopesResource {
  /**
   * Waits until an envelope has reached the status `until` or a later one, and returns its status. Polls every 2 s at first, then less
   * often, up to every 15 s; webhooks notify you sooner. Throws an EnvelopeEndedError if the envelope was declined, was voided or has
   * expired, a WaitTimeoutError when the time is up, and a TypeError if `until` is invalid.
   *
   *     await cs.envelopes.waitFor(envelope_id, { until: "vaulted", timeoutMs: 60_000 });
   */
  async waitFor(envelope_id: string, { until, timeoutMs, signal }: WaitOptions): Promise<StatusView> {
    if (!UNTIL.includes(until)) throw new TypeError(`until must be one of ${UNTIL.join(", ")}; it is "${until}"`);
    const { clock } = this.caller.transport;
    const end = clock.now() + timeoutMs;
    let [known, etag]: [StatusView | null, string | null] = [null, null];
    for (let pollMs = FIRST_POLL_MS; ; pollMs = Math.min(pollMs * GROWTH, LONGEST_POLL_MS)) {
      const headers = etag === null ? {} : { "if-none-match": etag };
      const { response, text } = await this.caller.send(operations.get_envelope_status, {
        params: { envelope_id },
        options: { signal, headers },
      });
      if (response.status !== 304) {
        const { data } = parseBody(operations.get_envelope_status.join(" "), response, text);
        [known, etag] = [data as StatusView, response.headers.get("etag")];
      }
      if (known === null) throw new Error("the response is 304, but no ETag was sent");
      if (isReached(known.status, until)) return known;
      if (ENDED.includes(known.status)) throw new EnvelopeEndedError(envelope_id, known.status);
      const leftMs = end - clock.now();
      if (leftMs <= 0) throw new WaitTimeoutError(envelope_id, known.status, timeoutMs);
      await clock.wait(Math.min(pollMs, leftMs), signal);
    }
  }
}

function isReached(status: string, until: WaitOptions["until"]): boolean {
  return (ORDER as readonly string[]).indexOf(status) >= ORDER.indexOf(until);
}
