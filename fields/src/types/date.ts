import type { Fault, FieldType, SettingFault, Settings } from "../field-type.ts";
import { asText, type Check, oneOf, readSettings, refused, tight } from "../parts.ts";

const MUST_BE: Fault = { code: "invalid_format", message: "must be a date in the form YYYY-MM-DD" };

/** A day of the calendar. Converting there and back refuses 30 February, which the parser would move to March. */
function isDate(text: string): boolean {
  const at = /^\d{4}-\d{2}-\d{2}$/.test(text) ? new Date(`${text}T00:00:00Z`) : null;
  return at !== null && !Number.isNaN(at.getTime()) && at.toISOString().startsWith(text);
}

const day: Check = (value) => (typeof value === "string" && isDate(value) ? null : MUST_BE.message);

function together({ fill, earliest, latest, sender_fills }: Settings): readonly SettingFault[] {
  const isBounded = earliest !== undefined || latest !== undefined || sender_fills === true;
  if (fill !== undefined && isBounded) return [{ setting: "fill", message: "cannot be combined with other settings" }];
  if (earliest !== undefined && latest !== undefined && latest < earliest) {
    return [{ setting: "latest", message: "must not be before the earliest day" }];
  }
  return [];
}

export const date: FieldType = {
  type: "date",
  from: ["request", "tag"],
  draw: "text",
  control: "date",
  size_pt: [100, 22],
  required: false,
  settings: (given) => readSettings("date", given, { fill: oneOf("signing_day"), earliest: day, latest: day }, together),
  held({ fill, earliest, latest }, value) {
    if (fill === "signing_day") return refused("is filled in with the day of signing");
    const given = asText(value);
    if (given === null || !isDate(given)) return MUST_BE;
    if (earliest !== undefined && given < earliest) return refused(`must not be before ${earliest}`);
    return latest !== undefined && given > latest ? refused(`must not be after ${latest}`) : given;
  },
  tagDefault: (_, written) => (isDate(tight(written)) ? tight(written) : refused(`"${written}" is not a date like 2026-01-31`)),
  requestDefault(settings, value) {
    return this.held(settings, value);
  },
};
