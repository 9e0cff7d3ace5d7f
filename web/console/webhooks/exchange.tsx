import type { WebhookAttemptWithRequest } from "@countersign/client/types";
import { useState } from "preact/hooks";
import { Chip } from "../parts/chip.tsx";
import { Copy } from "../parts/copy.tsx";
import { Countdown } from "../parts/countdown.tsx";
import { When } from "../parts/when.tsx";
import { en } from "../words/webhooks/en.ts";

const words = en.attempt;

/** One attempt: the request and the response, as far as they are stored. */
export function Exchange({ of, payload }: { of: WebhookAttemptWithRequest; payload: string }) {
  return (
    <>
      <section class="stack tight">
        <h2>{words.title(of.attempt_count)}</h2>
        <p>
          <When at={of.attempted_at ?? of.created_at} />
          {words.triggered(words.triggers[of.trigger], of.duration_ms)}
          {of.next_retry_at !== null && (
            <>
              {" "}
              {words.next} <Countdown at={of.next_retry_at} over={en.now} />.
            </>
          )}
        </p>
        {of.error !== null && <p class="notice bad">{words.errors[of.error]}</p>}
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
      <h2>{words.request}</h2>
      {of.request === null ? (
        <p class="quiet">{words.notSent}</p>
      ) : (
        <Headers first={`${of.request.method} ${of.url}`} headers={of.request.headers} />
      )}
      <fieldset class="choices">
        <legend class="hidden-visually">{words.format}</legend>
        <button type="button" class="choice" aria-pressed={!isRaw} onClick={() => setRaw(false)}>
          {words.formatted}
        </button>
        <button type="button" class="choice" aria-pressed={isRaw} onClick={() => setRaw(true)}>
          {words.asSent(new TextEncoder().encode(payload).length)}
        </button>
      </fieldset>
      <div class="code">
        <pre>
          <code>{isRaw ? payload : pretty(payload)}</code>
        </pre>
        <Copy text={payload} what={words.payload} />
      </div>
      {of.request !== null && <p class="quiet small">{words.signature}</p>}
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
        {words.response} <Chip tone={of.status === "succeeded" ? "good" : "bad"}>{of.response_code}</Chip>
      </h2>
      {of.response_body === null || of.response_body === "" ? (
        <p class="quiet">{words.noBody}</p>
      ) : (
        <div class="code">
          <pre>
            <code>{of.response_body}</code>
          </pre>
        </div>
      )}
      {of.response_body_truncated && <p class="quiet small">{words.truncated}</p>}
    </section>
  );
}
