import { open } from "./envelope.ts";

/** Which table the columns are of, and which clock: a transaction that waited for a lock has to look at the real one. */
interface Where {
  readonly of?: `${string}.` | "";
  readonly at?: "now()" | "clock_timestamp()";
}

const OPEN = open.map((status) => `'${status}'`).join(", ");

/** SQL: the envelope is past its expiry date, and the sweep that moves it has not run yet. */
export const isDue = ({ of = "", at = "now()" }: Where = {}): string => `${of}status in (${OPEN}) and ${of}expires_at <= ${at}`;

/** SQL: the status that holds now. No one can act on an envelope past its expiry date, also in the minute until the sweep. */
export const statusNow = ({ of = "", at = "now()" }: Where = {}): string =>
  `case when ${isDue({ of, at })} then 'expired' else ${of}status end`;
