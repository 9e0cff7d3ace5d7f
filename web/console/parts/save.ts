import type { Arguments, Given } from "../../operation.ts";
import { saveFile } from "../../save-file.ts";
import { file } from "../api.ts";
import type { FileId, Operations } from "../operations.ts";

/** Downloads a file from the API. It is saved under the name that the server gives it, or under `otherwise`. */
export async function saveFrom<O extends FileId>(
  operation: O,
  otherwise: string,
  ...given: Arguments<Given<Operations[O]>>
): Promise<void> {
  const { blob, name } = await file(operation, ...given);
  saveFile(blob, name ?? otherwise);
}
