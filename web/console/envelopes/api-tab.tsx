import type { Envelope } from "@countersign/client/types";
import { ApiCall } from "../parts/api-call.tsx";
import { Card } from "../parts/card.tsx";
import { Copy } from "../parts/copy.tsx";
import { Facts } from "../parts/facts.tsx";

const Id = ({ id, what }: { id: string; what: string }) => (
  <span class="envelope-id">
    <code class="mono">{id}</code> <Copy text={id} what={what} />
  </span>
);

/** The envelope's ids and API calls. */
export function ApiTab({ envelope }: { envelope: Envelope }) {
  const { envelope_id, customer_id, template_id, external_id } = envelope;
  const calls = [
    ["Status, for frequent polling", "get_envelope_status"],
    ["Signers", "list_signers"],
    ["Document", "get_envelope_document"],
    ["Audit trail", "list_envelope_audit_trail"],
    ["Signing links (created by each call, valid for 15 minutes, recorded in the audit trail)", "list_signing_links"],
  ] as const;
  return (
    <>
      <Card title="IDs">
        <div class="envelope-ids">
          <Facts
            facts={[
              ["Envelope", <Id key="e" id={envelope_id} what="the envelope ID" />],
              ["Customer", customer_id === null ? "–" : <Id key="c" id={customer_id} what="the customer ID" />],
              ["Template", template_id === null ? "–" : <Id key="t" id={template_id} what="the template ID" />],
              ["External ID", external_id === null ? "–" : <Id key="x" id={external_id} what="the external ID" />],
            ]}
          />
        </div>
      </Card>
      <Card title="API calls">
        {calls.map(([name, operation]) => (
          <div key={operation}>
            <h3>{name}</h3>
            <ApiCall operation={operation} given={{ params: { envelope_id } }} open />
          </div>
        ))}
      </Card>
    </>
  );
}
