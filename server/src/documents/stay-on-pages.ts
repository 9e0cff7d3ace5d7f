import type { Area } from "@countersign/pdf/pool";
import type { Warning } from "./warnings.ts";

interface Placed {
  readonly name: string;
  readonly areas: readonly Area[];
}

// Enough to recognize the fields; a long document can lose hundreds.
const MAX_NAMED = 20;

/**
 * Fields of a document whose file was replaced. Areas on pages that still exist stay; a field without any is left out, and a warning names
 * it. The text that a field was placed next to may be elsewhere now, so its anchor is forgotten.
 */
export function stayOnPages<F extends Placed>(fields: readonly F[], pages: number): { fields: F[]; warnings: Warning[] } {
  const stay = fields
    .map((field) => ({ ...field, areas: field.areas.filter(({ page }) => page <= pages), anchor_match: null }))
    .filter(({ areas }) => areas.length > 0);
  const gone = fields.filter(({ areas }) => areas.every(({ page }) => page > pages)).map(({ name }) => `"${name}"`);
  if (gone.length === 0) return { fields: stay, warnings: [] };
  const named = gone.slice(0, MAX_NAMED).join(", ") + (gone.length > MAX_NAMED ? ` and ${gone.length - MAX_NAMED} more` : "");
  return { fields: stay, warnings: [{ code: "fields_removed", message: `Were on pages that the new file does not have: ${named}` }] };
}
