import { list } from "../api.ts";
import { Card } from "../parts/card.tsx";
import { RequireRole } from "../parts/require-role.tsx";
import { pageOf } from "../parts/table.tsx";
import { hasRole } from "../session.ts";
import { useLoad } from "../use-load.ts";
import { Endings } from "./endings.tsx";
import { ExportList } from "./export-list.tsx";
import { Packed } from "./packed.tsx";
import type { RecordProps } from "./record-props.ts";
import { StartExport } from "./start-export.tsx";

/** Exports the original to another vault in two steps: pack, then confirm receipt. It can be withdrawn between the two. */
export function Exports(it: RecordProps) {
  return (
    <RequireRole least="admin" to="see and start exports">
      {hasRole("admin") && <ForAdmins {...it} />}
    </RequireRole>
  );
}

function ForAdmins(it: RecordProps) {
  const { envelope_id, copy } = it;
  const page = pageOf("exports");
  const loaded = useLoad(`exports ${page}`, () => list("list_vault_exports", { query: { envelope_id, page, limit: 10 } }));
  const open = loaded.data?.data.find(({ status }) => status === "escrowed");
  const changed: RecordProps["done"] = async (words, tone) => void (await Promise.all([loaded.reload(), it.done(words, tone)]));
  return (
    <>
      {open !== undefined && <Packed key={open.export_id} {...it} done={changed} open={open} />}
      {open === undefined && copy.state === "active" && <StartExport {...it} done={changed} />}
      {copy.state === "tampered" && open === undefined && <p class="notice bad">The stored document is damaged and cannot be exported.</p>}
      <Endings {...it} />
      <Card title="Exports">
        <ExportList loaded={loaded} {...it} />
      </Card>
    </>
  );
}
