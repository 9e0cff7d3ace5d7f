import { Type } from "typebox";
import { type Endpoint, endpoint, listing, reading, serving } from "../../http/endpoint.ts";
import { about, idOf, named, nullable, OptionalTimestamp, Sha256, Timestamp } from "../../http/shapes.ts";
import type { VaultDeps } from "../copy.ts";
import { RecipientShape } from "../exports/shapes.ts";
import { cancelPaper } from "./cancel-paper.ts";
import { endingKinds, endingStates } from "./ending.ts";
import { findEnding, listEndings } from "./ending-store.ts";
import { presentEnding } from "./present.ts";
import { serveEndingCertificate } from "./serve-ending-certificate.ts";

const Kind = named("RecordEndingKind", Type.Enum([...endingKinds]));
export const EndingStatus = named(
  "RecordEndingStatus",
  Type.Enum([...endingStates], {
    description: "begun: the paper is not printed yet, or the files are not removed yet. cancelled: the record returned to the vault",
  }),
);
const FileView = named(
  "DestroyedFile",
  Type.Object({
    what: Type.String(),
    sha256: Sha256,
    size: Type.Number({ description: "Bytes" }),
    kept: Type.Boolean({ description: "Not removed, because a template or another record uses the same bytes" }),
  }),
);
const EndingView = named(
  "RecordEnding",
  Type.Object({
    ending_id: idOf("recordEnding"),
    kind: Kind,
    status: EndingStatus,
    envelope_id: idOf("envelope"),
    copy_id: idOf("authoritativeCopy"),
    act_id: idOf("act"),
    reason: Type.String(),
    begun_at: about(Timestamp, "When the electronic record ended"),
    done_at: OptionalTimestamp,
    recipient: about(nullable(RecipientShape), "Of paper: who prints it"),
    pdf_sha256: about(nullable(Sha256), "Of paper: the PDF for printing"),
    downloaded_at: about(OptionalTimestamp, "Of paper: when the recipient first downloaded the PDF"),
    files: about(nullable(Type.Array(FileView)), "Of a destruction, once it is done"),
    certificate_sha256: about(nullable(Sha256), "The sealed certificate; null until it is made"),
  }),
);

const hash = "9f2c".repeat(16);
const example = {
  ending_id: "end_01h2xcejqtf2nbrexx3vqjhp41",
  kind: "paper",
  status: "done",
  envelope_id: "env_01h2xcejqtf2nbrexx3vqjhp41",
  copy_id: "ac_01h2xcejqtf2nbrexx3vqjhp41",
  act_id: "act_01h2xcejqtf2nbrexx3vqjhp41",
  reason: "The buyer accepts only paper",
  begun_at: "2026-01-05T09:30:00.000Z",
  done_at: "2026-01-06T08:00:00.000Z",
  recipient: { name: "Second Example Bank", email: "vault@example.com" },
  pdf_sha256: hash,
  downloaded_at: "2026-01-06T07:55:00.000Z",
  files: null,
  certificate_sha256: hash,
};

const mayRead = { anyScope: ["vault:read"], custodian: "closed" } as const;
const oneEnding = { params: { ending_id: "recordEnding" }, missing: "ending_not_found" } as const;

/** How records ended: on paper, or destroyed. They begin with an act (paper_out, destroy). */
export function endingEndpoints(deps: VaultDeps): Endpoint[] {
  return [
    listing({
      name: "list_record_endings",
      summary: "List records that ended",
      description: "Returns conversions to paper and destructions of the organization's records, newest first.",
      resource: "Vault",
      sdk: "vault.endings.list",
      path: "/partner/record-endings",
      access: mayRead,
      query: Type.Partial(Type.Object({ envelope_id: Type.String({ maxLength: 100 }), kind: Kind, status: EndingStatus })),
      item: EndingView,
      examples: { answer: example },
      run: async (caller, { query, page, limit }, read) => {
        const { items, total } = await listEndings(read, caller.org, query, { page, limit });
        return { items: items.map(presentEnding), total };
      },
    }),
    reading({
      name: "get_record_ending",
      summary: "Get how a record ended",
      description: "Returns one conversion to paper or destruction.",
      resource: "Vault",
      sdk: "vault.endings.get",
      path: "/partner/record-endings/:ending_id",
      access: mayRead,
      ...oneEnding,
      answer: [200, EndingView],
      examples: { answer: example },
      run: async (caller, { params }, read) => presentEnding(await findEnding(read, caller.org, params.ending_id)),
    }),
    serving({
      name: "get_record_ending_certificate",
      summary: "Download the certificate of how a record ended",
      description: "Returns the sealed certificate of conversion to paper, or of destruction, as a PDF.",
      resource: "Vault",
      sdk: "vault.endings.certificate.get",
      path: "/partner/record-endings/:ending_id/certificate",
      access: mayRead,
      ...oneEnding,
      types: ["application/pdf"],
      problems: ["ending_not_done", "document_not_ready", "document_unavailable"],
      run: (caller, { params }) => serveEndingCertificate(deps, caller.org, params.ending_id),
    }),
    endpoint({
      name: "cancel_paper",
      summary: "Cancel a conversion to paper",
      description:
        "Returns the record to the vault, before the recipient has downloaded the PDF for printing. Afterwards the paper may exist, and it is 409.",
      resource: "Vault",
      sdk: "vault.endings.cancel",
      method: "POST",
      path: "/partner/record-endings/:ending_id/cancel",
      access: { anyScope: ["vault:release"] },
      ...oneEnding,
      answer: [200, EndingView],
      problems: ["ending_closed", "paper_downloaded", "copy_wrong_state"],
      examples: { answer: { ...example, status: "cancelled", downloaded_at: null, certificate_sha256: null } },
      run: async (caller, { params }) => presentEnding(await cancelPaper(deps, caller, params.ending_id)),
    }),
  ];
}
