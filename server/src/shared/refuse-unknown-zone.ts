import { invalidField } from "./problems.ts";

/** A zone of the IANA database, as this version of Node knows it. Throws a 422 for another. */
export function refuseUnknownZone(field: string, timeZone: string): void {
  try {
    new Intl.DateTimeFormat("en", { timeZone });
  } catch (cause) {
    if (cause instanceof RangeError) throw invalidField(field, "invalid_value", "must be a time zone, such as Europe/Berlin");
    throw cause;
  }
}
