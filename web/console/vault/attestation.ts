import type {
  Attestation,
  AttestationAuthMethod,
  AttestationDisposition,
  AttestationIdentification,
  AttestationPriorCopyStatus,
} from "@countersign/client/types";
import type { AttestedSource } from "./api.ts";

/** The form about how the original was signed. Empty fields are not stated; that only lowers the score. */
export interface AttestationForm {
  readonly by: { readonly name: string; readonly title: string };
  readonly signers: readonly SignerForm[];
  readonly paper: {
    readonly ink_signed: boolean;
    readonly all_signatures_present: boolean;
    readonly page_count: string;
    readonly original_disposition: AttestationDisposition | "";
    readonly disposition_on: string;
    readonly disposition_by: string;
  };
  readonly external: {
    readonly provider: string;
    readonly transaction_id: string;
    readonly consent_confirmed: boolean;
    readonly prior_copy_status: AttestationPriorCopyStatus | "";
    readonly document_sha256: string;
  };
}

export interface SignerForm {
  readonly name: string;
  readonly email: string;
  readonly role: string;
  readonly signed_on: string;
  readonly identified_by: AttestationIdentification | "";
  readonly auth_methods: readonly AttestationAuthMethod[];
}

export const noSigner: SignerForm = { name: "", email: "", role: "", signed_on: "", identified_by: "", auth_methods: [] };

export const emptyForm = (name: string): AttestationForm => ({
  by: { name, title: "" },
  signers: [noSigner],
  paper: {
    ink_signed: false,
    all_signatures_present: false,
    page_count: "",
    original_disposition: "",
    disposition_on: "",
    disposition_by: "",
  },
  external: { provider: "", transaction_id: "", consent_confirmed: false, prior_copy_status: "", document_sha256: "" },
});

const trimmedOrNull = (text: string): string | null => (text.trim() === "" ? null : text.trim());
const chosen = <T extends string>(choice: T | ""): T | null => (choice === "" ? null : choice);

export const isFilled = (signer: SignerForm): boolean =>
  [signer.name, signer.email, signer.role, signer.signed_on, signer.identified_by].some((text) => text.trim() !== "") ||
  signer.auth_methods.length > 0;

/** Whether anything was answered, which counts only with the name of an attesting person. */
export const isStated = ({ by, signers, paper, external }: AttestationForm): boolean =>
  by.title.trim() !== "" ||
  signers.some(isFilled) ||
  [...Object.values(paper), ...Object.values(external)].some((answer) => (typeof answer === "string" ? answer.trim() !== "" : answer));

/** The request body. Without a name there is no attestation; of paper and external, only the chosen kind is sent. */
export function attestationOf({ by, signers, paper, external }: AttestationForm, source: AttestedSource): Attestation {
  const name = trimmedOrNull(by.name);
  if (name === null) return {};
  const isPaper = source === "paper_upload";
  return {
    attested_by: { name, title: trimmedOrNull(by.title) },
    signers: signers.filter(isFilled).map((signer) => ({
      name: trimmedOrNull(signer.name),
      email: trimmedOrNull(signer.email),
      role: trimmedOrNull(signer.role),
      signed_on: trimmedOrNull(signer.signed_on),
      ...(isPaper ? { identified_by: chosen(signer.identified_by) } : { auth_methods: signer.auth_methods }),
    })),
    ...(isPaper
      ? {
          paper: {
            ink_signed: paper.ink_signed,
            all_signatures_present: paper.all_signatures_present,
            page_count: trimmedOrNull(paper.page_count) === null ? null : Number(paper.page_count),
            original_disposition: chosen(paper.original_disposition),
            disposition_on: trimmedOrNull(paper.disposition_on),
            disposition_by: trimmedOrNull(paper.disposition_by),
          },
        }
      : {
          external: {
            provider: trimmedOrNull(external.provider),
            transaction_id: trimmedOrNull(external.transaction_id),
            consent_confirmed: external.consent_confirmed,
            prior_copy_status: chosen(external.prior_copy_status),
            document_sha256: trimmedOrNull(external.document_sha256)?.toLowerCase() ?? null,
          },
        }),
  };
}

/** The form filled with an existing attestation. The evidence file of the deposit cannot be replaced. */
export function formOf(kept: Attestation): AttestationForm {
  const { attested_by, signers = [], paper, external } = kept;
  const name = attested_by?.name ?? "";
  const empty = emptyForm(name);
  const filled = signers.map(
    (signer): SignerForm => ({
      name: signer.name ?? "",
      email: signer.email ?? "",
      role: signer.role ?? "",
      signed_on: signer.signed_on ?? "",
      identified_by: signer.identified_by ?? "",
      auth_methods: signer.auth_methods ?? [],
    }),
  );
  return {
    by: { name, title: attested_by?.title ?? "" },
    signers: filled.length === 0 ? empty.signers : filled,
    paper: {
      ink_signed: paper?.ink_signed ?? false,
      all_signatures_present: paper?.all_signatures_present ?? false,
      page_count: paper?.page_count?.toString() ?? "",
      original_disposition: paper?.original_disposition ?? "",
      disposition_on: paper?.disposition_on ?? "",
      disposition_by: paper?.disposition_by ?? "",
    },
    external: {
      provider: external?.provider ?? "",
      transaction_id: external?.transaction_id ?? "",
      consent_confirmed: external?.consent_confirmed ?? false,
      prior_copy_status: external?.prior_copy_status ?? "",
      document_sha256: external?.document_sha256 ?? "",
    },
  };
}
