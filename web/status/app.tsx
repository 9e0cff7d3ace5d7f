import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import { FileCheck } from "./file-check.tsx";
import type { Status } from "./status.ts";
import { Utc } from "./utc.tsx";
import { states } from "./words.tsx";

export function App({ found }: { readonly found: Status | null }) {
  const [status, setStatus] = useState(found);
  const title = status === null ? "No record at this address" : states[status.state].title;
  useEffect(() => {
    document.title = `${title} · Status of a record`;
  }, [title]);
  return (
    <main>
      <p class="brand">
        <svg viewBox="0 0 32 32" aria-hidden="true" focusable="false">
          <rect width="32" height="32" rx="9" />
          <path d="M9 17l5 5 9-12" />
        </svg>
        Countersign <span>Status of a record</span>
      </p>
      {status === null ? <Missing title={title} /> : <Found status={status} onChanged={setStatus} />}
      <footer class="quiet small">
        <p>
          This page reports what the installation at {location.host} has recorded. It is not a legal opinion.{" "}
          <a href="/verify/">Verify an evidence bundle</a>
        </p>
      </footer>
    </main>
  );
}

function Missing({ title }: { readonly title: string }) {
  return (
    <section class="card stack tight">
      <h1>{title}</h1>
      <p>Compare the address with the one that is printed on the certificate. It ends in 32 characters, 0 to 9 and a to f.</p>
      <p class="quiet">Every address that names no record gets this answer.</p>
    </section>
  );
}

function Found({ status, onChanged }: { readonly status: Status; readonly onChanged: (now: Status) => void }) {
  const { tone, title, Meaning } = states[status.state];
  const { as_of, certificate, parties } = status;
  return (
    <>
      <section class={`card state ${tone}`}>
        <StateIcon tone={tone} />
        <div class="stack tight">
          <h1>{title}</h1>
          <p>
            <Meaning {...status} />
          </p>
          <p class="quiet small">
            As of <Utc at={as_of.at} />. Reload the page to ask again.
          </p>
        </div>
      </section>
      <section class="card stack tight">
        <h2>Record</h2>
        <dl class="facts">
          {parties !== null && <Fact name="Organization">{parties.organization}</Fact>}
          {parties !== null && <Fact name="Secured party">{parties.secured_party ?? "None is named."}</Fact>}
          <Fact name="SHA-256 of the document">
            <code>{status.document_sha256}</code>
          </Fact>
          <Fact name="Latest certificate">
            Revision {certificate.revision}, evaluated on <Utc at={certificate.evaluated_at} />
          </Fact>
          <Fact name="SHA-256 of that certificate (PDF)">
            <code>{certificate.pdf_sha256}</code>
          </Fact>
          <Fact name="Size of the installation's log">{as_of.tree_size.toLocaleString("en")} entries</Fact>
        </dl>
        <p class="small">
          <a href={`${location.pathname}.json`}>The same as JSON, signed by the installation</a>
        </p>
      </section>
      <FileCheck onChecked={onChanged} />
    </>
  );
}

function Fact({ name, children }: { readonly name: string; readonly children: ComponentChildren }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

// A closed lock, an arrow that leaves, a cross: the words beside it say the same.
const strokes = {
  plain: "M8 11V8.5a4 4 0 0 1 8 0V11M7 11h10v6.5H7z",
  gone: "M6.5 12h10M13 8l4 4-4 4",
  bad: "M8 8l8 8M16 8l-8 8",
} as const;

function StateIcon({ tone }: { readonly tone: keyof typeof strokes }) {
  return (
    <svg viewBox="0 0 24 24" aria-hidden="true" focusable="false">
      <circle cx="12" cy="12" r="12" />
      <path d={strokes[tone]} />
    </svg>
  );
}
