import { storeText } from "../stored-switch.ts";
import { chosen, chosenZone, ZONE } from "../zone.ts";

/** Returns false if the browser keeps nothing, so that the choice ends with the page. */
export function chooseZone(zone: string): boolean {
  chosen.value = zone;
  return storeText(ZONE, zone);
}

/** What the user can choose. Some browsers leave out UTC. */
export const zones = (): readonly string[] => [...new Set(["", "UTC", ...Intl.supportedValuesOf("timeZone"), chosenZone()])];
