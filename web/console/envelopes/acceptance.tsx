import type { CertificationInput } from "@countersign/client/types";
import { call } from "../api.ts";
import { ErrorNotice } from "../parts/error-notice.tsx";
import { Checkbox, TextField } from "../parts/field.tsx";
import { Skeleton } from "../parts/table.tsx";
import { me } from "../session.ts";
import { useLoad } from "../use-load.ts";

/** Who accepts the certification terms, and which version. Nothing is vaulted without it. */
export interface Acceptance {
  readonly isAccepted: boolean;
  readonly name: string;
  /** the version that was shown when the box was ticked */
  readonly terms_version: string | null;
}

export const noAcceptance = (): Acceptance => ({ isAccepted: false, name: me().user.name, terms_version: null });

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
  const [title, ...paragraphs] = terms.text.split(/\n+/).filter((line) => line.trim() !== "");
  const tick = (isAccepted: boolean) => onChange({ ...value, isAccepted, terms_version: terms.terms_version });
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable area must be reachable by keyboard */}
      <section class="envelope-terms stack tight" tabIndex={0} aria-label={`Certification terms, version ${terms.terms_version}`}>
        <h3>{title?.replace(/^#\s*/, "")}</h3>
        {paragraphs.map((line) => (
          <p key={line}>{line}</p>
        ))}
      </section>
      <div>
        <Checkbox label={`I accept the certification terms, version ${terms.terms_version}`} checked={value.isAccepted} onCheck={tick} />
        {fault === "box" && (
          <p class="error" role="alert">
            Tick the box to accept the terms.
          </p>
        )}
      </div>
      <TextField
        label="Accepted by"
        name="accepted_by"
        autoComplete="name"
        hint={`Recorded with ${me().user.email}, the time and the version of the terms.`}
        maxLength={200}
        value={value.name}
        onText={(name) => onChange({ ...value, name })}
        error={fault === "name" ? "must not be empty" : null}
      />
    </>
  );
}
