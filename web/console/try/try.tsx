import type { NewApiKey, Scope, User } from "@countersign/client/types";
import { useState } from "preact/hooks";
import type { Given } from "../../operation.ts";
import { saveFile } from "../../ui/save-file.ts";
import { call } from "../api.ts";
import { SAMPLE_NAME, SAMPLE_ROLE, samplePdf } from "../home/sample-pdf.ts";
import { Link } from "../link.tsx";
import { type AnyGiven, methodOf, type OperationId, type Operations, pathOf } from "../operations.ts";
import { curl } from "../parts/api-call.tsx";
import { Act } from "../parts/button.tsx";
import { Card } from "../parts/card.tsx";
import { Copy } from "../parts/copy.tsx";
import { Only } from "../parts/only.tsx";
import { Screen } from "../parts/screen.tsx";
import { Trouble } from "../parts/trouble.tsx";
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
          The API from a terminal, line by line. The whole of it is described in the{" "}
          <a href="/docs" target="_blank" rel="noopener">
            API reference
          </a>{" "}
          and in{" "}
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
  const make = async () => {
    const body = { partner_name: `Try it of ${me().user.name}`.slice(0, 200), scopes: KEY_SCOPES };
    onKey(await call("create_key", { body }));
  };
  if (made !== null) {
    return (
      <Card title="A key is in the lines below">
        <p class="notice" role="status">
          It works until you deactivate it, and it is on this page this once: leave the page, and it is not shown again. Keep the lines to
          yourself.
        </p>
        <div class="buttons">
          <Link to={`/keys/${made.key_id}`} class="button">
            Look at the key
          </Link>
          <button type="button" class="button" onClick={() => onKey(null)}>
            Take it out of the lines
          </button>
        </div>
      </Card>
    );
  }
  return (
    <Card title="A key to try it with">
      <p class="quiet">
        The lines below say <code>$API_KEY</code> where a key belongs. Fill in a key of your own, or have one made that may only work with
        envelopes and look at webhooks.
      </p>
      <Only least="admin" to="create keys">
        <div class="buttons">
          <Act sending={sending} onAct={make} kind="primary">
            Make a key for me
          </Act>
        </div>
      </Only>
      <Trouble of={sending.error} />
    </Card>
  );
}

interface TryStep {
  readonly title: string;
  readonly words: string;
  readonly operation: OperationId;
  readonly given: AnyGiven;
  readonly form?: readonly string[];
  /** there is a file to fetch before */
  readonly needsFile?: boolean;
}

/** What is given is checked against the operation, so that no line can grow old. */
const step = <O extends OperationId>(
  operation: O,
  given: Partial<Given<Operations[O]>>,
  about: Omit<TryStep, "operation" | "given">,
): TryStep => ({ ...about, operation, given });

const params = { envelope_id: "$ENVELOPE_ID" };

const steps = ({ name, email }: User): readonly TryStep[] => [
  step("list_envelopes", { query: { limit: 20 } }, { title: "List envelopes", words: "The newest first, twenty on a page." }),
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
    { title: "Create an envelope", words: "You are the one who signs. Take envelope_id out of the answer: ENVELOPE_ID=env_…" },
  ),
  step(
    "attach_document",
    { params },
    {
      title: "Give it the sample",
      words: "A page with tags where people sign: the upload places the fields.",
      form: [`file=@${FILE}`],
      needsFile: true,
    },
  ),
  step("send_envelope", { params, body: {} }, { title: "Send it", words: "The signer gets a mail with a link." }),
  step(
    "get_envelope_status",
    { params },
    { title: "Ask how far it is", words: "For programs that ask often; webhooks tell you without asking." },
  ),
  step("list_endpoints", {}, { title: "List webhook endpoints", words: "Who is told what happens." }),
];

function Step({ title, words, operation, given, form, needsFile = false, api_key }: TryStep & { readonly api_key: string }) {
  // The shell fills in what begins with a dollar sign.
  const path = pathOf(operation, given).replace("%24", "$");
  const text = curl(methodOf(operation), path, given.body, form, api_key);
  return (
    <li class="try-step stack tight">
      <h2>{title}</h2>
      <p class="quiet">{words}</p>
      {needsFile && (
        <div class="buttons">
          <button type="button" class="button" onClick={() => saveFile(new Blob([samplePdf()], { type: "application/pdf" }), FILE)}>
            Save {FILE}
          </button>
        </div>
      )}
      <div class="code">
        <pre>
          <code>{text}</code>
        </pre>
        <Copy text={text} what={`the lines: ${title}`} />
      </div>
    </li>
  );
}
