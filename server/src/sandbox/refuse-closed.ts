import { type Envelope, open } from "../envelopes/envelope.ts";
import { wrongStatus } from "../envelopes/store.ts";

/** Throws 409 unless people can act on the envelope now. */
export function refuseClosed(act: string, { status }: Pick<Envelope, "status">): void {
  if (!open.includes(status)) throw wrongStatus(act, status);
}
