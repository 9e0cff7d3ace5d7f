import type { LegalHold } from "@countersign/client/types";
import { useState } from "preact/hooks";
import { call, list } from "../api.ts";
import { SubmitButton } from "../parts/button.tsx";
import { Card } from "../parts/card.tsx";
import { Chip } from "../parts/chip.tsx";
import { Confirm } from "../parts/confirm.tsx";
import { TextField } from "../parts/field.tsx";
import { Form } from "../parts/form.tsx";
import { RequireRole } from "../parts/require-role.tsx";
import { type Column, PagedTable, pageOf } from "../parts/table.tsx";
import { When } from "../parts/when.tsx";
import { useSending } from "../sending.ts";
import { hasRole } from "../session.ts";
import { useLoad } from "../use-load.ts";
import type { Recorded } from "./recorded.ts";

/** What keeps it here whatever happens: holds stack, and each is released by itself. */
export function Holds({ envelope_id, copy, people, done }: Recorded) {
  const sending = useSending();
  const params = { envelope_id };
  const page = pageOf("holds");
  const loaded = useLoad(`holds ${page}`, () => list("list_legal_holds", { params, query: { page, limit: 10 } }));
  const [reason, setReason] = useState("");
  const [leaving, setLeaving] = useState<LegalHold | null>(null);
  const place = async () => {
    await call("place_legal_hold", { params, body: { reason } });
    setReason("");
    await Promise.all([loaded.reload(), done("The hold is placed: the original stays here until it is released.")]);
  };
  const release = async ({ hold_id }: LegalHold) => {
    await call("release_legal_hold", { params: { envelope_id, hold_id } });
    await Promise.all([loaded.reload(), done("The hold is released.")]);
  };
  const columns: readonly Column<LegalHold>[] = [
    { head: "Reason", cell: (hold) => hold.reason },
    { head: "State", cell: ({ released_at }) => (released_at === null ? <Chip tone="waiting">Stands</Chip> : <Chip>Released</Chip>) },
    { head: "Placed", cell: ({ placed_at }) => <When at={placed_at} /> },
    { head: "By", cell: ({ placed_by }) => people.actorOf(placed_by) },
    { head: "Released", cell: ({ released_at }) => <When at={released_at} otherwise="not yet" />, minor: true },
    {
      head: "Act",
      cell: (hold) =>
        hold.released_at === null &&
        hasRole("member") && (
          <button type="button" class="button" aria-label={`Release the hold “${hold.reason}”`} onClick={() => setLeaving(hold)}>
            Release
          </button>
        ),
    },
  ];
  return (
    <Card title="Legal holds">
      <PagedTable
        loaded={loaded}
        caption="Legal holds, newest first"
        columns={columns}
        keyOf={({ hold_id }) => hold_id}
        pageName="holds"
        empty={<p class="quiet">None. While a hold stands the original can neither leave nor be destroyed, whatever its retention says.</p>}
      />
      {copy.state !== "exported" && copy.state !== "destroyed" && (
        <RequireRole least="member" to="place and release holds">
          <Form sending={sending} onSend={place}>
            <div class="one-line">
              <TextField label="Reason for a hold" name="reason" value={reason} onText={setReason} maxLength={500} sending={sending} />
              <SubmitButton sending={sending} kind="plain">
                Place a hold
              </SubmitButton>
            </div>
          </Form>
        </RequireRole>
      )}
      {leaving !== null && (
        <Confirm title="Release this hold?" button="Release the hold" onConfirm={() => release(leaving)} onClose={() => setLeaving(null)}>
          <p>“{leaving.reason}” no longer keeps the original here. Other holds, and the retention, still do.</p>
        </Confirm>
      )}
    </Card>
  );
}
