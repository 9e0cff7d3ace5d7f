import type { Envelope } from "@countersign/client/types";
import { ApiCall } from "../parts/api-call.tsx";
import { Card } from "../parts/card.tsx";
import { Copy } from "../parts/copy.tsx";
import { Facts } from "../parts/facts.tsx";
import { en as words } from "../words/envelope-api/en.ts";

const Id = ({ id, what }: { id: string; what: string }) => (
  <span class="envelope-id">
    <code class="mono">{id}</code> <Copy text={id} what={what} />
  </span>
);

/** The envelope's ids and API calls. */
export function ApiTab({ envelope }: { envelope: Envelope }) {
  const { envelope_id, customer_id, template_id, external_id } = envelope;
  const calls = [
    [words.status, "get_envelope_status"],
    [words.signers, "list_signers"],
    [words.document, "get_envelope_document"],
    [words.trail, "list_envelope_audit_trail"],
    [words.links, "list_signing_links"],
  ] as const;
  return (
    <>
      <Card title={words.ids}>
        <div class="envelope-ids">
          <Facts
            facts={[
              [words.envelope, <Id key="e" id={envelope_id} what={words.what.envelope} />],
              [words.customer, customer_id === null ? "–" : <Id key="c" id={customer_id} what={words.what.customer} />],
              [words.template, template_id === null ? "–" : <Id key="t" id={template_id} what={words.what.template} />],
              [words.external, external_id === null ? "–" : <Id key="x" id={external_id} what={words.what.external} />],
            ]}
          />
        </div>
      </Card>
      <Card title={words.calls}>
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
