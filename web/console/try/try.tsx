import type { NewApiKey, Scope, User } from "@countersign/client/types";
import { useState } from "preact/hooks";
import type { Given } from "../../operation.ts";
import { saveFile } from "../../save-file.ts";
import { call } from "../api.ts";
import { SAMPLE_NAME, SAMPLE_ROLE, samplePdf } from "../home/sample-pdf.ts";
import { Link } from "../link.tsx";
import { type AnyGiven, methodOf, type OperationId, type Operations, pathOf } from "../operations.ts";
import { ActionButton } from "../parts/button.tsx";
import { Card } from "../parts/card.tsx";
import { Copy } from "../parts/copy.tsx";
import { curl } from "../parts/curl.ts";
import { ErrorNotice } from "../parts/error-notice.tsx";
import { RequirePermission } from "../parts/require-permission.tsx";
import { Screen } from "../parts/screen.tsx";
import { useSending } from "../sending.ts";
import { me } from "../session.ts";
import { en } from "../words/try/en.ts";

const FILE = "sample-agreement.pdf";
const KEY_SCOPES: readonly Scope[] = ["envelopes:read", "envelopes:write", "webhooks:read"];

export function TryIt() {
  const [key, setKey] = useState<NewApiKey | null>(null);
  return (
    <Screen
      title={en.title}
      lead={
        <>
          {en.lead}{" "}
          <a href="/docs" target="_blank" rel="noopener">
            {en.reference}
          </a>{" "}
          {en.and}{" "}
          <a href="/api/v2/openapi.json" target="_blank" rel="noopener">
            openapi.json
          </a>
          .
        </>
      }
    >
      <KeyCard made={key} onKey={setKey} />
      <ol class="try-steps">
        {steps(me().user).map((step) => (
          <Step key={step.title} {...step} api_key={key?.api_key ?? "$API_KEY"} />
        ))}
      </ol>
    </Screen>
  );
}

function KeyCard({ made, onKey }: { made: NewApiKey | null; onKey: (made: NewApiKey | null) => void }) {
  const sending = useSending();
  const create = async () => {
    const body = { partner_name: en.keyName(me().user.name).slice(0, 200), scopes: KEY_SCOPES };
    onKey(await call("create_key", { body }));
  };
  if (made !== null) {
    return (
      <Card title={en.madeTitle}>
        <p class="notice" role="status">
          {en.made}
        </p>
        <div class="buttons">
          <Link to={`/keys/${made.key_id}`} class="button">
            {en.openKey}
          </Link>
          <button type="button" class="button" onClick={() => onKey(null)}>
            {en.hideKey}
          </button>
        </div>
      </Card>
    );
  }
  return (
    <Card title={en.keyTitle}>
      <p class="quiet">
        {en.replace} <code>$API_KEY</code> {en.withOwn}
      </p>
      <RequirePermission needs="keys:manage" to={en.toCreate}>
        <div class="buttons">
          <ActionButton sending={sending} onAction={create} kind="primary">
            {en.createKey}
          </ActionButton>
        </div>
      </RequirePermission>
      <ErrorNotice error={sending.error} />
    </Card>
  );
}

interface TryStep {
  readonly title: string;
  readonly words: string;
  readonly operation: OperationId;
  readonly given: AnyGiven;
  readonly form?: readonly string[];
  /** the step uploads a file that must be downloaded first */
  readonly needsFile?: boolean;
}

/** The arguments are type-checked against the operation, so that the commands stay up to date. */
const step = <O extends OperationId>(
  operation: O,
  given: Partial<Given<Operations[O]>>,
  about: Omit<TryStep, "operation" | "given">,
): TryStep => ({ ...about, operation, given });

const params = { envelope_id: "$ENVELOPE_ID" };

const steps = ({ name, email }: User): readonly TryStep[] => [
  step("list_envelopes", { query: { limit: 20 } }, en.steps.list),
  step(
    "create_envelope",
    {
      body: {
        envelope_name: SAMPLE_NAME,
        customer_name: name,
        customer_email: email,
        signers: [{ name, email, role: SAMPLE_ROLE }],
      },
    },
    en.steps.create,
  ),
  step(
    "attach_document",
    { params },
    {
      ...en.steps.upload,
      form: [`file=@${FILE}`],
      needsFile: true,
    },
  ),
  step("send_envelope", { params, body: {} }, en.steps.send),
  step("get_envelope_status", { params }, en.steps.status),
  step("list_endpoints", {}, en.steps.endpoints),
];

function Step({ title, words, operation, given, form, needsFile = false, api_key }: TryStep & { readonly api_key: string }) {
  // The shell replaces $ENVELOPE_ID.
  const path = pathOf(operation, given).replace("%24", "$");
  const text = curl(methodOf(operation), path, given.body, form, api_key);
  return (
    <li class="try-step stack tight">
      <h2>{title}</h2>
      <p class="quiet">{words}</p>
      {needsFile && (
        <div class="buttons">
          <button type="button" class="button" onClick={() => saveFile(new Blob([samplePdf()], { type: "application/pdf" }), FILE)}>
            {en.download(FILE)}
          </button>
        </div>
      )}
      <div class="code">
        <pre>
          <code>{text}</code>
        </pre>
        <Copy text={text} what={en.command(title)} />
      </div>
    </li>
  );
}
