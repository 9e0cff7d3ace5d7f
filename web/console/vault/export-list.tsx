import { useState } from "preact/hooks";
import type { Page } from "../api.ts";
import type { Asked } from "../asked.ts";
import { Act } from "../parts/button.tsx";
import { Chip, type Tone } from "../parts/chip.tsx";
import { type Column, Listed } from "../parts/table.tsx";
import { Trouble } from "../parts/trouble.tsx";
import { When } from "../parts/when.tsx";
import { useSending } from "../sending.ts";
import { acknowledgeExport, KeyOnce, saveReceipt } from "./acknowledge.tsx";
import type { Export } from "./api.ts";

const states: Record<Export["status"], readonly [Tone, string]> = {
  escrowed: ["waiting", "Packed"],
  acknowledged: ["good", "Left"],
  cancelled: ["plain", "Taken back"],
  expired: ["plain", "Came back by itself"],
};

// After that the service has erased it.
const KEY_KEPT_MS = 86_400_000;
const hasKey = ({ status, closed_at }: Export): boolean =>
  status === "acknowledged" && closed_at !== null && Date.now() - new Date(closed_at).getTime() < KEY_KEPT_MS;

export function ExportList({ asked }: { asked: Asked<Page<Export>> }) {
  const sending = useSending();
  const [shown, setShown] = useState<{ name: string; secret: string } | null>(null);
  const showKey = async ({ export_id, package_sha256, recipient }: Export) => {
    const { key } = await acknowledgeExport(export_id, package_sha256);
    setShown({ name: recipient.name, secret: key });
  };
  const columns: readonly Column<Export>[] = [
    { head: "Recipient", cell: ({ recipient }) => recipient.name },
    { head: "State", cell: ({ status }) => <Chip tone={states[status][0]}>{states[status][1]}</Chip> },
    { head: "Reason", cell: ({ reason }) => reason },
    { head: "Packed", cell: ({ created_at }) => <When at={created_at} /> },
    { head: "Ended", cell: ({ closed_at }) => <When at={closed_at} otherwise="not yet" /> },
    {
      head: "Files",
      cell: (one) => (
        <div class="buttons">
          {one.receipt !== null && (
            <button type="button" class="button" onClick={() => saveReceipt(one.export_id, one.receipt ?? {})}>
              Receipt
            </button>
          )}
          {hasKey(one) && (
            <Act sending={sending} onAct={() => showKey(one)}>
              Show the key again
            </Act>
          )}
        </div>
      ),
    },
  ];
  return (
    <>
      <Listed
        asked={asked}
        caption="Exports of this document, newest first"
        columns={columns}
        keyOf={({ export_id }) => export_id}
        pageName="exports"
        empty={<p class="quiet">None: the original never left this vault.</p>}
      />
      <Trouble of={sending.error} />
      {shown !== null && <KeyOnce {...shown} onClose={() => setShown(null)} />}
    </>
  );
}
