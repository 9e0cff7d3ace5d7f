import { type Instrument, plainLetters, type RecordType } from "@countersign/evidence";
import { Problem } from "../shared/problems.ts";

/** What a caller declares about a document: what kind of record it is, and which instrument. Only what was given. */
export interface Declared {
  readonly record_type?: RecordType;
  readonly instrument?: { readonly type: string; readonly number: string; readonly date: string };
}

/** Listed member by member, so that nothing else is stored. 422 for a type or number that names nothing. */
export function declaredOf({ record_type, instrument }: { readonly record_type?: RecordType; readonly instrument?: Instrument }): Declared {
  if (instrument !== undefined) refuseNameless(instrument);
  return {
    ...(record_type !== undefined && { record_type }),
    ...(instrument !== undefined && { instrument: { type: instrument.type, number: instrument.number, date: instrument.date } }),
  };
}

function refuseNameless(instrument: Instrument): void {
  const details = (["type", "number"] as const).flatMap((name) => {
    if (plainLetters(instrument[name]) !== "") return [];
    const message = "must contain a letter or a digit";
    return [{ location: "body", field: `instrument.${name}`, code: "invalid_value", message } as const];
  });
  if (details.length > 0) throw new Problem("invalid_request", "", { details });
}
