import { saveFile } from "../../ui/save-file.ts";
import { file, type Query } from "../api.ts";

/** Fetches a file of the API and saves it under the name that the service gives it, or else this one. */
export async function saveFrom(path: string, otherwise: string, query?: Query): Promise<void> {
  const { blob, name } = await file(path, query);
  saveFile(blob, name ?? otherwise);
}
