import { query } from "../navigation.ts";

let search = "";

/** Keeps the filters of the list, so that the way back from an envelope leads to what the user saw. */
export function rememberList(): void {
  search = query.peek().toString();
}

export const lastList = (): string => (search === "" ? "/envelopes" : `/envelopes?${search}`);
