import { list } from "../api.ts";
import { Card } from "../parts/card.tsx";
import { RequirePermission } from "../parts/require-permission.tsx";
import { pageOf } from "../parts/table.tsx";
import { may } from "../session.ts";
import { useLoad } from "../use-load.ts";
import { en } from "../words/vault/en.ts";
import { Endings } from "./endings.tsx";
import { ExportList } from "./export-list.tsx";
import { Packed } from "./packed.tsx";
import type { RecordProps } from "./record-props.ts";
import { StartExport } from "./start-export.tsx";

const w = en.exports;

/** Exports the original to another vault in two steps: pack, then confirm receipt. It can be withdrawn between the two. */
export function Exports(it: RecordProps) {
  return (
    <RequirePermission needs="vault:release" to={w.seeAndStart}>
      {may("vault:release") && <ForAdmins {...it} />}
    </RequirePermission>
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
      {copy.state === "tampered" && open === undefined && <p class="notice bad">{w.theStoredDocument}</p>}
      <Endings {...it} />
      <Card title={w.exports}>
        <ExportList loaded={loaded} {...it} />
      </Card>
    </>
  );
}
