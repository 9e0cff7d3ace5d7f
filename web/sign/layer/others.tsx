import { words } from "../../i18n/i18n.ts";
import type { PageSize } from "../../pages/viewer.tsx";
import type { Area, Field, Other, Value } from "../api.ts";
import { opened } from "../ceremony.ts";
import { MarkView } from "../signature/mark-view.tsx";
import { placed } from "./place.ts";

/** What stands in the document already: of others who signed, or of the sender. */
export function Others({ page }: { page: PageSize }) {
  const now = opened.value;
  const locked = (now?.fields ?? []).filter(({ readonly }) => readonly);
  return (
    <>
      {(now?.others ?? []).map((other, index) => (
        <Standing key={index} standing={other} page={page} />
      ))}
      {locked.map((field) => (
        <Standing key={field.field_id} standing={{ ...field, mark_sha256: null, name: null }} page={page} />
      ))}
    </>
  );
}

function Standing({
  standing,
  page,
}: {
  standing: Pick<Other, "type" | "areas" | "options" | "value" | "mark_sha256" | "name">;
  page: PageSize;
}) {
  const { areas, mark_sha256, name } = standing;
  const mark = opened.value?.marks?.find(({ sha256 }) => sha256 === mark_sha256)?.mark ?? null;
  return (
    <>
      {areas.map((area, index) =>
        area.page !== page.n ? null : (
          <div key={index} class="standing" style={placed(area, page)}>
            {mark === null ? shown(standing, index) : <MarkView mark={mark} label={words.value.markAlt(name ?? "")} />}
          </div>
        ),
      )}
    </>
  );
}

/** As it is written into the document. */
export function shown(
  { type, options, areas, value }: Pick<Field, "type" | "options"> & { areas: readonly Area[]; value: Value },
  index: number,
): string {
  if (value === null) return "";
  if (type === "checkbox") return value === true ? "✓" : "";
  if (type === "radio" && options?.length === areas.length) return options[index] === value ? "●" : "";
  return String(value);
}
