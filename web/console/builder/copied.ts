import { COPIED_FIELDS, me } from "../session.ts";
import type { Of } from "./api.ts";
import type { Clip } from "./edits.ts";
import { canBeCreated } from "./field.ts";

/** Copied fields. They are kept in the browser until the user logs out, so that they can be pasted in another document or tab. */

interface Copied {
  readonly org_id: string;
  readonly of: Of;
  readonly clip: Clip;
}

export function copyFields(of: Of, clip: Clip): void {
  localStorage.setItem(COPIED_FIELDS, JSON.stringify({ org_id: me().org.org_id, of, clip } satisfies Copied));
}

/** What was copied, on pages that the document has. A field that only a tag can create stays in its document. */
export function copiedFields(of: Of, pages: number): Clip {
  const kept = localStorage.getItem(COPIED_FIELDS);
  if (kept === null) return [];
  const copied = JSON.parse(kept) as Copied;
  if (copied.org_id !== me().org.org_id) return [];
  if (copied.of.kind === of.kind && copied.of.id === of.id) return copied.clip;
  return copied.clip
    .filter(({ field }) => canBeCreated(field))
    .map(({ field, areas }) => ({ field, areas: areas.map((area) => ({ ...area, page: Math.min(area.page, pages) })) }));
}
