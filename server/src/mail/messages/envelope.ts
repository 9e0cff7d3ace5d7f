import { oneLine } from "../plain-text.ts";

/** What every message about an envelope names. */
export interface EnvelopeFacts {
  readonly envelope_name: string;
  readonly org_name: string;
}

// A name is free text of up to thousands of characters; in a sentence its beginning is enough to know it by.
const NAME_CHARACTERS = 80;

export function named(name: string): string {
  return oneLine(name, NAME_CHARACTERS);
}

const dateAndTime = new Intl.DateTimeFormat("en-GB", { dateStyle: "long", timeStyle: "short", timeZone: "UTC" });

/** "4 March 2026 at 05:06 UTC": nobody's own time zone is known here. */
export function utc(at: Date): string {
  return `${dateAndTime.format(at)} UTC`;
}
