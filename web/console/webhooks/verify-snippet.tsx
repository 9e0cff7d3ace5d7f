import { Copy } from "../parts/copy.tsx";

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
        Your receiver verifies each delivery with the secret, for example in Node. The packages <code>standardwebhooks</code> and{" "}
        <code>svix</code> do the same in other languages.
      </p>
      <div class="code">
        <pre>
          <code>{snippet}</code>
        </pre>
        <Copy text={snippet} what="the code" />
      </div>
    </div>
  );
}
