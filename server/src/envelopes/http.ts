import { Type } from "typebox";
import { findCustomer } from "../customers/store.ts";
import { type Endpoint, listing, uploading } from "../http/endpoint.ts";
import { idOf, Name, nullable, Timestamp } from "../http/shapes.ts";
import { acceptDocument } from "../templates/accept-file.ts";
import { Warnings } from "../templates/field-shapes.ts";
import { type EnvelopeDeps, statuses } from "./envelope.ts";
import { presentListed, presentUploaded } from "./present.ts";
import { SignerInput, SignerInputs } from "./signer-input.ts";
import { listEnvelopes } from "./store.ts";
import { prepareDocument, saveDocument } from "./upload-document.ts";

const Status = Type.Enum([...statuses]);
const ListedView = Type.Object({
  envelope_id: idOf("envelope"),
  envelope_name: Type.String(),
  status: Status,
  customer_id: nullable(Type.String()),
  external_id: nullable(Type.String()),
  created_at: Timestamp,
  updated_at: Timestamp,
});

const YesOrNo = Type.Enum(["true", "false"]);

const UploadedView = Type.Object({
  customer_id: idOf("customer"),
  envelope_id: idOf("envelope"),
  name: Type.String(),
  signers: Type.Array(SignerInput),
  path: Type.String(),
  hash: Type.String({ pattern: "^[0-9a-f]{64}$", description: "SHA-256 of the stored file: of a PDF, after it was cleaned" }),
  size: Type.Integer(),
  contentType: Type.Enum(["application/pdf", "image/png", "image/jpeg"]),
  auto_vault_enabled: Type.Boolean(),
  kba_required: Type.Boolean(),
  warnings: Warnings,
});

const signers = [
  { email: "ann@example.com", name: "Ann", role: "Buyer" },
  { email: "sam@example.com", name: "Sam", role: "Seller" },
];
const uploadedExample = {
  customer_id: "cust_01h2xcejqtf2nbrexx3vqjhp41",
  envelope_id: "env_01h2xcejqtf2nbrexx3vqjhp41",
  name: "Lease",
  signers,
  path: "org_01h2xcejqtf2nbrexx3vqjhp41/documents/env_01h2xcejqtf2nbrexx3vqjhp41/Lease",
  hash: "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
  size: 48_213,
  contentType: "application/pdf",
  auto_vault_enabled: true,
  kba_required: false,
};

export function envelopeEndpoints(deps: EnvelopeDeps): Endpoint[] {
  return [
    uploading({
      name: "upload_document",
      summary: "Store a document of a customer; it becomes an envelope that can be sent",
      path: "/partner/customers/:customer_id/documents",
      access: { anyScope: ["envelopes:write"] },
      params: { customer_id: "customer" },
      missing: "customer_not_found",
      exists: (caller, { customer_id }, read) => findCustomer(read, caller.org, customer_id),
      form: {
        parts: Type.Object({
          name: Type.Optional(Name),
          signers: Type.Optional(SignerInputs),
          auto_vault_enabled: Type.Optional(YesOrNo),
          kba_required: Type.Optional(YesOrNo),
        }),
        json: { signers: "invalid" },
        accept: acceptDocument,
      },
      answer: [201, UploadedView],
      problems: [
        "not_a_document",
        "unknown_roles",
        "pdf_unreadable",
        "pdf_encrypted",
        "pdf_too_complex",
        "pdf_dynamic_xfa",
        "pdf_busy",
        "storage_away",
      ],
      examples: {
        request: { file: "(the bytes of lease.pdf)", name: "Lease", signers: JSON.stringify(signers), auto_vault_enabled: "true" },
        answer: uploadedExample,
      },
      prepare: (caller, { params, form, file }) => prepareDocument(deps, caller, params.customer_id, form, file),
      run: async (caller, _input, document) => presentUploaded(await saveDocument(deps, caller, document)),
    }),
    listing({
      name: "list_envelopes",
      summary: "Envelopes, newest first",
      path: "/partner/envelopes",
      access: { anyScope: ["envelopes:read"] },
      query: Type.Object({ customer_id: Type.Optional(Type.String({ maxLength: 100 })), status: Type.Optional(Status) }),
      item: ListedView,
      limits: { limit: 20, max: 100 },
      run: async (caller, { query, page, limit }, read) => {
        const { items, total } = await listEnvelopes(read, caller.org, query, { page, limit });
        return { items: items.map(presentListed), total };
      },
    }),
  ];
}
