import { Copy } from "../parts/copy.tsx";
import { en } from "../words/webhooks/en.ts";

const { verify, code } = en.secret;

const snippet = `import { verifyWebhook } from "@countersign/client";

const event = await verifyWebhook(
  body, // the raw request body, before parsing
  request.headers,
  process.env.WEBHOOK_SECRET,
);`;

/** Sample code that verifies the signature of a delivery. */
export function VerifySnippet() {
  return (
    <div class="stack tight">
      <p class="quiet small">
        {verify[0]}
        <code>standardwebhooks</code>
        {verify[1]}
        <code>svix</code>
        {verify[2]}
      </p>
      <div class="code">
        <pre>
          <code>{snippet}</code>
        </pre>
        <Copy text={snippet} what={code} />
      </div>
    </div>
  );
}
