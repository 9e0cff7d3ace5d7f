import { ApiError } from "../../http.ts";
import { getIfChanged } from "../api.ts";
import { ChangedElsewhere } from "../changed-elsewhere.ts";
import { changeIfSame } from "../guards.ts";

interface Renamed {
  readonly document_id: string;
  /** as it was read */
  readonly name: string;
  readonly typed: string;
}

/**
 * Saves the names that were typed, unless one of these documents was renamed elsewhere: then the error. A document that already has its
 * name is done, because the answer to an earlier attempt may have been lost; one that was removed elsewhere needs no name.
 */
export async function saveDocumentNames(envelope_id: string, renamed: readonly Renamed[]): Promise<ChangedElsewhere | null> {
  const read = async () => {
    const now = await getIfChanged("list_envelope_documents", { params: { envelope_id } }, null);
    const nameOf = new Map(now?.data.documents.map(({ document_id, name }) => [document_id, name]));
    const wanted = renamed.filter(({ document_id, typed }) => nameOf.has(document_id) && nameOf.get(document_id) !== typed);
    return { tag: now?.tag ?? null, wanted, isElsewhere: wanted.some(({ document_id, name }) => nameOf.get(document_id) !== name) };
  };
  for (let now = await read(); now.wanted[0] !== undefined; now = await read()) {
    if (now.isElsewhere) return new ChangedElsewhere();
    const [{ document_id, typed }] = now.wanted;
    try {
      await changeIfSame("change_envelope_document", { params: { envelope_id, document_id }, body: { name: typed } }, now.tag);
    } catch (error) {
      // The documents changed since they were read: perhaps only their order, or other documents.
      if (!(error instanceof ApiError) || error.status !== 412) throw error;
    }
  }
  return null;
}
