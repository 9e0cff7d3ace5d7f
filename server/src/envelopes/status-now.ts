import { open } from "./envelope.ts";

/** Which table the columns are from, and which clock to use: a transaction that waited for a lock needs the real time. */
interface Where {
  readonly of?: `${string}.` | "";
  readonly at?: "now()" | "clock_timestamp()";
}

const OPEN = open.map((status) => `'${status}'`).join(", ");

/** SQL: the envelope is past its expiry date, and the sweep that moves it has not run yet. */
export const isDue = ({ of = "", at = "now()" }: Where = {}): string => `${of}status in (${OPEN}) and ${of}expires_at <= ${at}`;

/** SQL: someone can still act on the envelope. */
export const isOpen = ({ of = "", at = "now()" }: Where = {}): string => `${of}status in (${OPEN}) and ${of}expires_at > ${at}`;

/** SQL: when an envelope expires that has not ended, as the index `envelopes_by_expiry` has it. */
export const expiryOf = ({ of = "" }: Where = {}): string => `case when ${of}status in (${OPEN}) then ${of}expires_at end`;

/** SQL: the current status. No one can act on an envelope past its expiry date, even in the minute before the sweep. */
export const statusNow = ({ of = "", at = "now()" }: Where = {}): string =>
  `case when ${isDue({ of, at })} then 'expired' else ${of}status end`;
