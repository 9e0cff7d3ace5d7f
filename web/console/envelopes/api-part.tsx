import { ApiCall } from "../parts/api-call.tsx";
import { Card } from "../parts/card.tsx";
import { Copy } from "../parts/copy.tsx";
import { Facts } from "../parts/facts.tsx";
import { type Envelope, pathOf } from "./api.ts";

const Id = ({ id, what }: { id: string; what: string }) => (
  <span class="envelope-id">
    <code class="mono">{id}</code> <Copy text={id} what={what} />
  </span>
);

/** The same by the API. */
export function ApiPart({ envelope }: { envelope: Envelope }) {
  const { envelope_id, customer_id, template_id, external_id } = envelope;
  const calls = [
    ["Status, for programs that ask often", "/status"],
    ["Signers", "/signers"],
    ["Document", "/document"],
    ["Audit trail", "/audit-trail"],
    ["Signing links: new ones each time, good for 15 minutes, and recorded", "/signing-links"],
  ] as const;
  return (
    <>
      <Card title="Ids">
        <div class="envelope-ids">
          <Facts
            facts={[
              ["Envelope", <Id key="e" id={envelope_id} what="the envelope's id" />],
              ["Customer", customer_id === null ? "–" : <Id key="c" id={customer_id} what="the customer's id" />],
              ["Template", template_id === null ? "–" : <Id key="t" id={template_id} what="the template's id" />],
              ["External id", external_id === null ? "–" : <Id key="x" id={external_id} what="the external id" />],
            ]}
          />
        </div>
      </Card>
      <Card title="Calls">
        {calls.map(([name, below]) => (
          <div key={below}>
            <h3>{name}</h3>
            <ApiCall path={pathOf(envelope_id, below)} open />
          </div>
        ))}
      </Card>
    </>
  );
}
