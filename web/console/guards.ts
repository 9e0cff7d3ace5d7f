import { readJson } from "../http.ts";
import type { Answer, Given } from "../operation.ts";
import { once, request } from "./api.ts";
import type { AnyGiven, DataId, Operations } from "./operations.ts";

/** Calls that are safe against a change elsewhere. Few screens need them, so they are not loaded at login. */

/** Changes a record only if it still has this tag; 412 otherwise. Null: whatever its state is. */
export function changeIfSame<O extends DataId>(
  operation: O,
  given: Given<Operations[O]>,
  tag: string | null,
): Promise<Answer<Operations[O]>>;
export async function changeIfSame(operation: DataId, given: AnyGiven, tag: string | null): Promise<unknown> {
  const match = tag === null ? {} : { "if-match": tag };
  return (await once(operation, given, (more) => readJson<{ data: unknown }>(request(operation, given, { ...more, ...match })))).data;
}
