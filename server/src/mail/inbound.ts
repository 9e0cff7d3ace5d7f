import { type Static, Type } from "typebox";
import type { Inbound } from "../http/inbound.ts";
import { ISO_TIME, nullable } from "../http/shapes.ts";
import type { Origin } from "../shared/caller.ts";
import { Problem } from "../shared/problems.ts";
import type { SendingDeps } from "./message.ts";
import { MAX_DETAIL_CHARACTERS, readReport } from "./read-report.ts";
import { mailEvents } from "./store.ts";
import { takeMailEvent } from "./take-mail-event.ts";

// RFC 5322 allows lines of 998 characters, and a Message-ID is part of one.
const MAX_HEADER_CHARACTERS = 998;
// Bounces often contain the whole original message. Ours has no attachments.
const MAX_BYTES = 256 * 1_024;

const EventBody = Type.Object({
  message_id: Type.String({ minLength: 1, maxLength: MAX_HEADER_CHARACTERS }),
  event: Type.Enum([...mailEvents]),
  at: Type.String({ format: "date-time", "x-message": ISO_TIME }),
  detail: Type.Optional(nullable(Type.String({ maxLength: MAX_DETAIL_CHARACTERS }))),
});

/** Where mail providers report what became of a message: as JSON, or as a delivery status notification (RFC 3464). */
export const mailInbound = (deps: SendingDeps): Inbound<typeof EventBody> => ({
  path: "/mail-events",
  maxBodyBytes: MAX_BYTES,
  body: EventBody,
  rawType: "message/rfc822",
  run: (from, given) => (given instanceof Uint8Array ? takeReport(deps, from, given) : takeEvent(deps, from, given)),
});

function takeEvent(deps: SendingDeps, from: Origin, { message_id, event, at, detail = null }: Static<typeof EventBody>): Promise<void> {
  return takeMailEvent(deps, from, { message_id, event, at: new Date(at).toISOString(), detail });
}

async function takeReport(deps: SendingDeps, from: Origin, bytes: Uint8Array): Promise<void> {
  const report = readReport(bytes);
  if (report === null) {
    const message = "must be a mail with a delivery status notification (RFC 3464)";
    throw new Problem("invalid_request", "", { details: [{ location: "body", field: null, code: "invalid_format", message }] });
  }
  const { header_id, event, at, detail } = report;
  if (header_id !== null && event !== null) await takeMailEvent(deps, from, { message_id: header_id, event, at, detail });
}
