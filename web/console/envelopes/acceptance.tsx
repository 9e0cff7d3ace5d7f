import type { CertificationInput, CertificationTerms } from "@countersign/client/types";
import { useEffect, useRef } from "preact/hooks";
import { call } from "../api.ts";
import { ErrorNotice } from "../parts/error-notice.tsx";
import { Checkbox, TextField } from "../parts/field.tsx";
import { Skeleton } from "../parts/skeleton.tsx";
import { me } from "../session.ts";
import { useLoad } from "../use-load.ts";
import { en as words } from "../words/acceptance/en.ts";

/** Who accepts the certification terms, and which version. Nothing is vaulted without it. */
export interface Acceptance {
  readonly isAccepted: boolean;
  readonly name: string;
  /** the version that was shown when the box was ticked */
  readonly terms_version: string | null;
}

type Fault = "box" | "name" | null;

export function faultOf({ isAccepted, name }: Acceptance): Fault {
  if (!isAccepted) return "box";
  return name.trim() === "" ? "name" : null;
}

/** As the API expects it. */
export const certificationOf = ({ isAccepted, name, terms_version }: Acceptance): CertificationInput => ({
  accepted: isAccepted,
  terms_version: terms_version ?? "",
  accepted_by: { name: name.trim(), email: me().user.email },
});

interface AcceptanceFieldProps {
  readonly value: Acceptance;
  readonly onChange: (value: Acceptance) => void;
  readonly fault?: Fault;
}

/** The full terms, the checkbox, and the name of the person who accepts. */
export function AcceptanceField({ value, onChange, fault = null }: AcceptanceFieldProps) {
  const { data: terms, error, isSlow, reload } = useLoad("", () => call("get_certification_terms"));
  if (error !== null) return <ErrorNotice error={error} onRetry={reload} />;
  if (terms === null) return isSlow ? <Skeleton lines={3} /> : null;
  return <ShownTerms terms={terms} value={value} onChange={onChange} fault={fault} />;
}

const inputOf = { box: "input[type=checkbox]", name: "input[name=accepted_by]" } as const;

/** Puts the focus where the mistake is. */
export const focusFault = (within: HTMLElement | null, fault: Fault): void =>
  fault === null ? undefined : within?.querySelector<HTMLElement>(inputOf[fault])?.focus();

function ShownTerms({ terms, value, onChange, fault = null }: AcceptanceFieldProps & { readonly terms: CertificationTerms }) {
  const inputs = useRef<HTMLDivElement>(null);
  // The user may have gone on before the terms were loaded.
  useEffect(() => focusFault(inputs.current, fault), []);
  const [title, ...paragraphs] = terms.text.split(/\n+/).filter((line) => line.trim() !== "");
  const tick = (isAccepted: boolean) => onChange({ ...value, isAccepted, terms_version: terms.terms_version });
  return (
    <div class="stack" ref={inputs}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable area must be reachable by keyboard */}
      <section class="envelope-terms stack tight" tabIndex={0} aria-label={words.terms(terms.terms_version)}>
        <h3>{title?.replace(/^#\s*/, "")}</h3>
        {paragraphs.map((line) => (
          <p key={line}>{line}</p>
        ))}
      </section>
      <div>
        <Checkbox label={words.accept(terms.terms_version)} checked={value.isAccepted} onCheck={tick} />
        {fault === "box" && (
          <p class="error" role="alert">
            {words.notTicked}
          </p>
        )}
      </div>
      <TextField
        label={words.by}
        name="accepted_by"
        autoComplete="name"
        hint={words.byHint(me().user.email)}
        maxLength={200}
        value={value.name}
        onText={(name) => onChange({ ...value, name })}
        error={fault === "name" ? words.empty : null}
      />
    </div>
  );
}
