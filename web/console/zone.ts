import { signal } from "@preact/signals";
import { readText } from "./stored-switch.ts";

/** The time zone in which the user reads and enters times: the one that they chose in their account, otherwise that of their computer. */

export const ZONE = "countersign.time-zone";

const ofComputer = (): string => new Intl.DateTimeFormat().resolvedOptions().timeZone;

function isKnown(zone: string): boolean {
  try {
    new Intl.DateTimeFormat("en", { timeZone: zone });
    return true;
  } catch (error) {
    // Another version of the browser stored it.
    if (error instanceof RangeError) return false;
    throw error;
  }
}

let kept: string | null = null;

/** Read when a time is first needed. */
function keptZone(): string {
  const stored = kept ?? readText(ZONE);
  kept = stored !== "" && isKnown(stored) ? stored : "";
  return kept;
}

/** What the user has chosen since the page was loaded. */
export const chosen = signal<string | null>(null);

/** Empty: that of the computer. */
export const chosenZone = (): string => chosen.value ?? keptZone();

/** The computer's zone is read each time: a traveller's computer changes it while the console is open. */
export const timeZone = (): string => chosenZone() || ofComputer();
