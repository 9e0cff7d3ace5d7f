import type { CreateRemoteVaultRequest, RemoteVault } from "@countersign/client/types";
import { useState } from "preact/hooks";
import { Dialog } from "../../ui/dialog.tsx";
import { call, list } from "../api.ts";
import { reloadOnConflict } from "../envelopes/reload-on-conflict.ts";
import { ApiCall } from "../parts/api-call.tsx";
import { SubmitButton } from "../parts/button.tsx";
import { Card } from "../parts/card.tsx";
import { Confirm } from "../parts/confirm.tsx";
import { Empty } from "../parts/empty.tsx";
import { Facts } from "../parts/facts.tsx";
import { TextField } from "../parts/field.tsx";
import { Form } from "../parts/form.tsx";
import { type Column, PagedTable, pageOf } from "../parts/table.tsx";
import { When } from "../parts/when.tsx";
import { useSending } from "../sending.ts";
import { me } from "../session.ts";
import { useLoad } from "../use-load.ts";

/** The vaults that this organization has pinned. */
export function Vaults({ say }: { readonly say: (words: string) => void }) {
  const wanted = { page: pageOf(), limit: 20 };
  const loaded = useLoad(`vaults ${wanted.page}`, () => list("list_remote_vaults", { query: wanted }));
  const [isPinning, setPinning] = useState(false);
  const [removing, setRemoving] = useState<RemoteVault | null>(null);
  const pin = async (body: CreateRemoteVaultRequest) => {
    const { name } = await call("create_remote_vault", { body });
    setPinning(false);
    await loaded.reload();
    say(`${name} is pinned. Records can move once it has pinned your organization too.`);
  };
  const remove = async ({ vault_id, name }: RemoteVault) => {
    await reloadOnConflict(() => call("delete_remote_vault", { params: { vault_id } }), loaded.reload);
    await loaded.reload();
    say(`${name} was removed. Nothing moves to or from it any more.`);
  };
  const columns: readonly Column<RemoteVault>[] = [
    { head: "Name", cell: ({ name }) => name },
    { head: "Address", cell: ({ url }) => url },
    { head: "Root", cell: ({ root_sha256 }) => <code title={root_sha256}>{root_sha256.slice(0, 16)}…</code>, minor: true },
    { head: "Organization there", cell: ({ org_id }) => <code>{org_id}</code>, minor: true },
    { head: "Pinned", cell: ({ pinned_at }) => <When at={pinned_at} />, minor: true },
    {
      head: "Actions",
      cell: (vault) => (
        <button type="button" class="button" onClick={() => setRemoving(vault)}>
          Remove<span class="hidden-visually"> {vault.name}</span>
        </button>
      ),
    },
  ];
  const pinning = (
    <button type="button" class="button primary" onClick={() => setPinning(true)}>
      Pin a vault
    </button>
  );
  const isEmpty = loaded.data?.meta.total === 0;
  return (
    <>
      {!isEmpty && <div class="buttons">{pinning}</div>}
      <PagedTable
        loaded={loaded}
        caption="Pinned vaults, newest first"
        columns={columns}
        keyOf={({ vault_id }) => vault_id}
        empty={
          <Empty title="No vaults pinned" action={pinning}>
            To exchange records with another installation, pin its address, the fingerprint of its root and the organization there. Get the
            fingerprint from that organization itself, not from its website alone.
          </Empty>
        }
      />
      <Own />
      <ApiCall operation="list_remote_vaults" given={{ query: wanted }} />
      {isPinning && <PinDialog onSend={pin} onClose={() => setPinning(false)} />}
      {removing !== null && (
        <Confirm
          title={`Remove ${removing.name}?`}
          button="Remove"
          kind="danger"
          onConfirm={() => remove(removing)}
          onClose={() => setRemoving(null)}
        >
          <p>
            Nothing moves to or from this vault any more. A vault with a transfer that has not ended, or that may still answer, stays
            pinned.
          </p>
        </Confirm>
      )}
    </>
  );
}

/** What the other organization needs to pin this one. */
function Own() {
  const loaded = useLoad("own root", () => call("get_transparency"));
  if (loaded.data === null) return null;
  const { root_sha256 } = loaded.data;
  return (
    <Card title="What others need to pin your organization">
      <Facts
        facts={[
          ["Address", window.location.origin],
          ["Root (SHA-256)", root_sha256 === null ? "Made with the first document that is vaulted" : <code key="root">{root_sha256}</code>],
          ["Organization ID", <code key="org">{me().org.org_id}</code>],
        ]}
      />
    </Card>
  );
}

interface PinProps {
  readonly onSend: (body: CreateRemoteVaultRequest) => Promise<unknown>;
  readonly onClose: () => void;
}

function PinDialog({ onSend, onClose }: PinProps) {
  const sending = useSending();
  const [given, setGiven] = useState({ name: "", url: "", root_sha256: "", org_id: "" });
  const set = (name: keyof typeof given) => (value: string) => setGiven({ ...given, [name]: value });
  const send = () => {
    const name = given.name.trim();
    const { url, root_sha256, org_id } = given;
    const known = { url: url.trim(), root_sha256: root_sha256.trim().toLowerCase(), org_id: org_id.trim() };
    return onSend({ ...known, ...(name !== "" && { name }) });
  };
  return (
    <Dialog title="Pin a vault" onClose={onClose}>
      <Form sending={sending} onSend={send}>
        <TextField label="Name" name="name" value={given.name} onText={set("name")} sending={sending} optional />
        <TextField
          label="Address"
          name="url"
          type="url"
          value={given.url}
          onText={set("url")}
          sending={sending}
          placeholder="https://vault.example.com"
        />
        <TextField
          label="Root (SHA-256)"
          name="root_sha256"
          value={given.root_sha256}
          onText={set("root_sha256")}
          sending={sending}
          hint="64 hexadecimal digits, which you know from the other organization. The address must show keys that this root has signed."
        />
        <TextField
          label="Organization ID"
          name="org_id"
          value={given.org_id}
          onText={set("org_id")}
          sending={sending}
          placeholder="org_…"
          hint="Of the organization there."
        />
        <div class="buttons end">
          <button type="button" class="button" onClick={onClose}>
            Cancel
          </button>
          <SubmitButton sending={sending}>Pin vault</SubmitButton>
        </div>
      </Form>
    </Dialog>
  );
}
