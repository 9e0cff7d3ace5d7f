import { oneLine } from "../plain-text.ts";

/** What every message about an envelope needs. */
export interface EnvelopeFacts {
  readonly envelope_name: string;
  readonly org_name: string;
}

// A name can have thousands of characters. Within a sentence its beginning is enough.
const NAME_CHARACTERS = 80;

export function named(name: string): string {
  return oneLine(name, NAME_CHARACTERS);
}

const dateAndTime = new Intl.DateTimeFormat("en-GB", { dateStyle: "long", timeStyle: "short", timeZone: "UTC" });

/** "4 March 2026 at 05:06 UTC". The reader's time zone is not known. */
export function utc(at: Date): string {
  return `${dateAndTime.format(at)} UTC`;
}
