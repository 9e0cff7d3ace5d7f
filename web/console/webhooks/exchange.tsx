import type { WebhookAttemptWithRequest } from "@countersign/client/types";
import { useState } from "preact/hooks";
import { Chip } from "../parts/chip.tsx";
import { Copy } from "../parts/copy.tsx";
import { Countdown } from "../parts/countdown.tsx";
import { When } from "../parts/when.tsx";
import { errorWords, triggerWords } from "./words.tsx";

/** One attempt: the request and the response, as far as they are stored. */
export function Exchange({ of, payload }: { of: WebhookAttemptWithRequest; payload: string }) {
  return (
    <>
      <section class="stack tight">
        <h2>Attempt {of.attempt_count}</h2>
        <p>
          <When at={of.attempted_at ?? of.created_at} />, triggered by {triggerWords[of.trigger]}
          {of.duration_ms !== null && `; took ${of.duration_ms.toLocaleString()} ms`}.
          {of.next_retry_at !== null && (
            <>
              {" "}
              Next retry <Countdown at={of.next_retry_at} over="now" />.
            </>
          )}
        </p>
        {of.error !== null && <p class="notice bad">{errorWords[of.error]}</p>}
      </section>
      <Request of={of} payload={payload} />
      <Response of={of} />
    </>
  );
}

function Request({ of, payload }: { of: WebhookAttemptWithRequest; payload: string }) {
  const [isRaw, setRaw] = useState(false);
  return (
    <section class="stack tight">
      <h2>Request</h2>
      {of.request === null ? (
        <p class="quiet">Nothing was sent. This payload would have been sent:</p>
      ) : (
        <Headers first={`${of.request.method} ${of.url}`} headers={of.request.headers} />
      )}
      <fieldset class="choices">
        <legend class="hidden-visually">Payload format</legend>
        <button type="button" class="choice" aria-pressed={!isRaw} onClick={() => setRaw(false)}>
          Formatted
        </button>
        <button type="button" class="choice" aria-pressed={isRaw} onClick={() => setRaw(true)}>
          As sent, {new TextEncoder().encode(payload).length.toLocaleString()} bytes
        </button>
      </fieldset>
      <div class="code">
        <pre>
          <code>{isRaw ? payload : pretty(payload)}</code>
        </pre>
        <Copy text={payload} what="the payload as sent" />
      </div>
      {of.request !== null && <p class="quiet small">Each attempt has its own signature, which is not stored.</p>}
    </section>
  );
}

const pretty = (json: string): string => JSON.stringify(JSON.parse(json), null, 2);

function Headers({ first, headers }: { first: string; headers: Readonly<Record<string, string>> }) {
  return (
    <div class="code">
      <pre>
        <code>{[first, ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`)].join("\n")}</code>
      </pre>
    </div>
  );
}

function Response({ of }: { of: WebhookAttemptWithRequest }) {
  if (of.response_code === null) return null;
  return (
    <section class="stack tight">
      <h2>
        Response <Chip tone={of.status === "succeeded" ? "good" : "bad"}>{of.response_code}</Chip>
      </h2>
      {of.response_body === null || of.response_body === "" ? (
        <p class="quiet">No body.</p>
      ) : (
        <div class="code">
          <pre>
            <code>{of.response_body}</code>
          </pre>
        </div>
      )}
      {of.response_body_truncated && <p class="quiet small">The response was longer. Only its first 16 KiB are stored.</p>}
    </section>
  );
}
