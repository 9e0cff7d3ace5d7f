import type { Sending } from "../sending.ts";
import type { AttestedSource } from "./api.ts";
import type { AttestationForm } from "./attestation.ts";

/** Props of each part of the attestation form. */
export interface AttestationFieldsProps {
  readonly source: AttestedSource;
  readonly value: AttestationForm;
  readonly onChange: (value: AttestationForm) => void;
  readonly sending: Sending;
  /** prefix of the fields in the request body */
  readonly at: "" | "attestation.";
  /** without it, nothing needs to be attested */
  readonly isRequired?: boolean;
}
