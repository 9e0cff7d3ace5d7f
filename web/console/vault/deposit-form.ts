import type { VaultInUploadRequest } from "@countersign/client/types";
import { ApiError } from "../../http.ts";
import { call } from "../api.ts";
import type { Sending } from "../sending.ts";
import type { AttestedSource } from "./api.ts";
import { type AttestationForm, attestationOf } from "./attestation.ts";
import { type DeclaredForm, declaredOf } from "./instrument-fields.tsx";
import { type PartyForm, partyOf } from "./party-fields.tsx";

export interface DepositForm {
  readonly source: AttestedSource;
  readonly declared: DeclaredForm;
  readonly attestation: AttestationForm;
  /** the signing record of the other service */
  readonly evidence: File | null;
  readonly terms: { readonly accepted: boolean; readonly version: string; readonly name: string; readonly email: string };
  readonly party: PartyForm;
}

export interface StepProps {
  readonly form: DepositForm;
  readonly put: (changes: Partial<DepositForm>) => void;
  readonly sending: Sending;
}

export function bodyOf({ source, declared, attestation, terms, party }: DepositForm): VaultInUploadRequest {
  return {
    source,
    certification: {
      accepted: terms.accepted,
      terms_version: terms.version,
      accepted_by: { name: terms.name.trim(), email: terms.email.trim() },
    },
    ...(party.name.trim() !== "" && { secured_party: partyOf(party) }),
    attestation: attestationOf(attestation, source),
    ...declaredOf(declared),
  };
}

/** If an answer is lost, the deposit may still have succeeded. A second one is then refused, which counts as success. */
export async function sendDeposit(envelope_id: string, form: DepositForm): Promise<void> {
  const params = { envelope_id };
  try {
    await call("vault_in_upload", { params, body: withEvidence(form) });
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 409) throw error;
    const { status } = await call("get_envelope_status", { params });
    if (status !== "completed" && status !== "vaulted") throw error;
  }
}

function withEvidence(form: DepositForm) {
  const { evidence } = form;
  const payload = bodyOf(form);
  return evidence === null || form.source === "paper_upload" ? payload : { payload, evidence };
}
