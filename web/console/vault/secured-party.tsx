import type { Assignment } from "@countersign/client/types";
import { useState } from "preact/hooks";
import { call, list } from "../api.ts";
import { Link } from "../link.tsx";
import { SubmitButton } from "../parts/button.tsx";
import { Card } from "../parts/card.tsx";
import { Facts } from "../parts/facts.tsx";
import { Form } from "../parts/form.tsx";
import { RequireRole } from "../parts/require-role.tsx";
import { type Column, PagedTable, pageOf } from "../parts/table.tsx";
import { When } from "../parts/when.tsx";
import { useSending } from "../sending.ts";
import { useLoad } from "../use-load.ts";
import { Assign } from "./assign.tsx";
import { noParty, PartyFields, partyOf } from "./party-fields.tsx";
import type { RecordProps } from "./record-props.ts";

const columns: readonly Column<Assignment>[] = [
  { head: "Secured party", cell: ({ secured_party }) => secured_party.name },
  {
    head: "Consent of the previous party",
    cell: ({ consent }) => consentWords(consent),
  },
  { head: "Statement", cell: ({ consent }) => consent?.statement ?? "–", minor: true },
  { head: "Recorded", cell: ({ recorded_at }) => <When at={recorded_at} /> },
];

function consentWords(consent: Assignment["consent"]): string {
  if (consent === null) return "None needed (first party)";
  if (consent.given_by !== null) return `${consent.given_by.name}, in writing`;
  return consent.method === "correction" ? "None needed (correction)" : "Confirmed act";
}

/** The current secured party and the register of all parties. It changes only with the consent of the current party. */
export function SecuredParty(it: RecordProps) {
  const { envelope_id, copy, done } = it;
  const page = pageOf("register");
  const loaded = useLoad(`register ${page}`, () => list("list_assignments", { params: { envelope_id }, query: { page, limit: 10 } }));
  const isOpen = copy.state === "active" || copy.state === "tampered";
  const changed = async (words: string) => void (await Promise.all([loaded.reload(), done(words)]));
  return (
    <Card title="Secured party">
      {copy.secured_party === null ? (
        <p>
          No secured party is recorded, so check 8 is not satisfied. That is fine for documents that no one holds as security, such as a
          confidentiality agreement.
        </p>
      ) : (
        <CurrentParty {...it} />
      )}
      {isOpen && (
        <RequireRole least="member" to="change the secured party">
          {copy.secured_party === null ? (
            <Designate {...it} done={changed} />
          ) : copy.control.policy === "confirmed" ? (
            <p>
              {copy.secured_party.name} must confirm an assignment itself.{" "}
              <Link to={`/vault/${envelope_id}?tab=control&propose=assign`}>Propose an assignment</Link>
            </p>
          ) : (
            <Assign {...it} done={changed} seq={loaded.data?.meta.total} />
          )}
        </RequireRole>
      )}
      <h3>Register of secured parties</h3>
      <PagedTable
        loaded={loaded}
        caption="Register of secured parties, newest first"
        columns={columns}
        keyOf={({ seq }) => String(seq)}
        pageName="register"
        empty={<p class="quiet">No entries yet.</p>}
      />
    </Card>
  );
}

function CurrentParty({ copy }: RecordProps) {
  const { name = "", role, address, email, identifier } = copy.secured_party ?? {};
  const shown: readonly (readonly [string, string | undefined])[] = [
    ["Name", name],
    ["Role", role],
    ["Address", address],
    ["E-mail address", email],
    ["Identifier", identifier],
  ];
  return <Facts facts={shown.flatMap(([label, value]) => (value === undefined || value === "" ? [] : [[label, value] as const]))} />;
}

/** Names the first secured party. From then on only an assignment changes it. */
function Designate({ envelope_id, done }: RecordProps) {
  const sending = useSending();
  const [party, setParty] = useState(noParty);
  const designate = async () => {
    await call("designate_secured_party", { params: { envelope_id }, body: partyOf(party) });
    await done(`${party.name.trim()} is now the secured party. Run the checks again to update the result.`);
  };
  return (
    <Form sending={sending} onSend={designate}>
      <PartyFields value={party} onChange={setParty} sending={sending} at="" />
      <div class="buttons">
        <SubmitButton sending={sending}>Name the secured party</SubmitButton>
      </div>
    </Form>
  );
}
