import type { Sending } from "../sending.ts";
import type { AttestedSource } from "./api.ts";
import type { AttestationForm } from "./attestation.ts";

/** What each part of the attestation's form is given. */
export interface AttestationFieldsProps {
  readonly source: AttestedSource;
  readonly value: AttestationForm;
  readonly onChange: (value: AttestationForm) => void;
  readonly sending: Sending;
  /** where it stands in the body */
  readonly at: "" | "attestation.";
}
