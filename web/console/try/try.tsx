import type { NewApiKey, Scope, User } from "@countersign/client/types";
import { useState } from "preact/hooks";
import type { Given } from "../../operation.ts";
import { saveFile } from "../../save-file.ts";
import { call } from "../api.ts";
import { SAMPLE_NAME, SAMPLE_ROLE, samplePdf } from "../home/sample-pdf.ts";
import { Link } from "../link.tsx";
import { type AnyGiven, methodOf, type OperationId, type Operations, pathOf } from "../operations.ts";
import { curl } from "../parts/api-call.tsx";
import { ActionButton } from "../parts/button.tsx";
import { Card } from "../parts/card.tsx";
import { Copy } from "../parts/copy.tsx";
import { ErrorNotice } from "../parts/error-notice.tsx";
import { RequireRole } from "../parts/require-role.tsx";
import { Screen } from "../parts/screen.tsx";
import { useSending } from "../sending.ts";
import { me } from "../session.ts";

const FILE = "sample-agreement.pdf";
const KEY_SCOPES: readonly Scope[] = ["envelopes:read", "envelopes:write", "webhooks:read"];

export function TryIt() {
  const [key, setKey] = useState<NewApiKey | null>(null);
  return (
    <Screen
      title="Try it"
      lead={
        <>
          Try the API from a terminal, step by step. For details, see the{" "}
          <a href="/docs" target="_blank" rel="noopener">
            API reference
          </a>{" "}
          and{" "}
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
    const body = { partner_name: `Try it: ${me().user.name}`.slice(0, 200), scopes: KEY_SCOPES };
    onKey(await call("create_key", { body }));
  };
  if (made !== null) {
    return (
      <Card title="Your key is in the commands below">
        <p class="notice" role="status">
          The key works until you deactivate it. It is shown only until you leave this page. Do not share the commands.
        </p>
        <div class="buttons">
          <Link to={`/keys/${made.key_id}`} class="button">
            Open key
          </Link>
          <button type="button" class="button" onClick={() => onKey(null)}>
            Hide key
          </button>
        </div>
      </Card>
    );
  }
  return (
    <Card title="API key">
      <p class="quiet">
        Replace <code>$API_KEY</code> in the commands below with your own key, or create a key that can only work with envelopes and read
        webhooks.
      </p>
      <RequireRole least="admin" to="create keys">
        <div class="buttons">
          <ActionButton sending={sending} onAction={create} kind="primary">
            Create key
          </ActionButton>
        </div>
      </RequireRole>
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
  step("list_envelopes", { query: { limit: 20 } }, { title: "List envelopes", words: "Newest first, 20 per page." }),
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
    { title: "Create an envelope", words: "You are the signer. Copy envelope_id from the response: ENVELOPE_ID=env_…" },
  ),
  step(
    "attach_document",
    { params },
    {
      title: "Upload the sample document",
      words: "The page contains tags. The upload turns them into fields.",
      form: [`file=@${FILE}`],
      needsFile: true,
    },
  ),
  step("send_envelope", { params, body: {} }, { title: "Send the envelope", words: "The signer gets an e-mail with a link." }),
  step(
    "get_envelope_status",
    { params },
    { title: "Get the status", words: "Suitable for frequent polling. With webhooks you do not need to poll." },
  ),
  step("list_endpoints", {}, { title: "List webhook endpoints", words: "The endpoints that receive your events." }),
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
            Download {FILE}
          </button>
        </div>
      )}
      <div class="code">
        <pre>
          <code>{text}</code>
        </pre>
        <Copy text={text} what={`the command: ${title}`} />
      </div>
    </li>
  );
}
