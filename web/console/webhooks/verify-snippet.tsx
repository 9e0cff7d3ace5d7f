import { Copy } from "../parts/copy.tsx";

const snippet = `import { verifyWebhook } from "@countersign/client";

const event = await verifyWebhook(
  body, // the bytes as they came, before any parser
  request.headers,
  process.env.WEBHOOK_SECRET,
);`;

/** How a receiver knows that a delivery is ours. */
export function VerifySnippet() {
  return (
    <div class="stack tight">
      <p class="quiet small">
        Your receiver checks each delivery with it, here in Node. The packages <code>standardwebhooks</code> and <code>svix</code> do the
        same in other languages.
      </p>
      <div class="code">
        <pre>
          <code>{snippet}</code>
        </pre>
        <Copy text={snippet} what="the lines" />
      </div>
    </div>
  );
}
