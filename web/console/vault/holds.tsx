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
import type { RecordProps } from "./record-props.ts";

/** Legal holds. Several can be active at the same time; each is released separately. */
export function Holds({ envelope_id, copy, people, done }: RecordProps) {
  const sending = useSending();
  const params = { envelope_id };
  const page = pageOf("holds");
  const loaded = useLoad(`holds ${page}`, () => list("list_legal_holds", { params, query: { page, limit: 10 } }));
  const [reason, setReason] = useState("");
  const [releasing, setReleasing] = useState<LegalHold | null>(null);
  const place = async () => {
    await call("place_legal_hold", { params, body: { reason } });
    setReason("");
    await Promise.all([loaded.reload(), done("Hold placed. The original stays here until the hold is released.")]);
  };
  const release = async ({ hold_id }: LegalHold) => {
    await call("release_legal_hold", { params: { envelope_id, hold_id } });
    await Promise.all([loaded.reload(), done("Hold released.")]);
  };
  const columns: readonly Column<LegalHold>[] = [
    { head: "Reason", cell: (hold) => hold.reason },
    { head: "State", cell: ({ released_at }) => (released_at === null ? <Chip tone="waiting">Active</Chip> : <Chip>Released</Chip>) },
    { head: "Placed", cell: ({ placed_at }) => <When at={placed_at} /> },
    { head: "By", cell: ({ placed_by }) => people.actorOf(placed_by) },
    { head: "Released", cell: ({ released_at }) => <When at={released_at} otherwise="not yet" />, minor: true },
    {
      head: "Actions",
      cell: (hold) =>
        hold.released_at === null &&
        hasRole("member") && (
          <button type="button" class="button" aria-label={`Release hold “${hold.reason}”`} onClick={() => setReleasing(hold)}>
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
        empty={<p class="quiet">No legal holds. While a hold is active, the original can neither be exported nor destroyed.</p>}
      />
      {["active", "escrowed", "papering", "tampered"].includes(copy.state) && (
        <RequireRole least="member" to="place and release holds">
          <Form sending={sending} onSend={place}>
            <div class="one-line">
              <TextField label="Reason for the hold" name="reason" value={reason} onText={setReason} maxLength={500} sending={sending} />
              <SubmitButton sending={sending} kind="plain">
                Place hold
              </SubmitButton>
            </div>
          </Form>
        </RequireRole>
      )}
      {releasing !== null && (
        <Confirm title="Release hold?" button="Release hold" onConfirm={() => release(releasing)} onClose={() => setReleasing(null)}>
          <p>“{releasing.reason}” no longer keeps the original here. Other holds and the retention still apply.</p>
        </Confirm>
      )}
    </Card>
  );
}
