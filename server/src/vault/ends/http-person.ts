import { Type } from "typebox";
import { acting, type Endpoint, endpoint, serving } from "../../http/endpoint.ts";
import { about, idOf, named, nullable, OptionalTimestamp, Sha256, Timestamp } from "../../http/shapes.ts";
import type { VaultDeps } from "../copy.ts";
import { EndingStatus } from "./http.ts";
import { confirmPrinting, findPaperFor, listPapersFor, servePaper, servePaperCertificate } from "./person-papers.ts";
import { presentPaper } from "./present.ts";

const PaperView = named(
  "PersonPaper",
  Type.Object({
    ending_id: idOf("recordEnding"),
    status: EndingStatus,
    envelope_id: idOf("envelope"),
    envelope_name: Type.String(),
    org_name: Type.String(),
    reason: Type.String(),
    sha256: about(Sha256, "SHA-256 of the electronic original"),
    pdf_sha256: about(nullable(Sha256), "Of the PDF for printing; null until it is made"),
    begun_at: about(Timestamp, "When the electronic record ended"),
    downloaded_at: OptionalTimestamp,
    done_at: OptionalTimestamp,
    has_certificate: Type.Boolean(),
  }),
);

const person = { person: true } as const;
const onePaper = { params: { ending_id: "recordEnding" }, missing: "ending_not_found" } as const;

/** What recipients of paper originals call. */
export function personPaperEndpoints(deps: VaultDeps): Endpoint[] {
  return [
    acting({
      name: "list_person_papers",
      summary: "List the paper originals that you print",
      path: "/p/api/papers",
      access: person,
      answer: [200, Type.Array(PaperView)],
      run: async (who) => (await listPapersFor(deps, who)).map(presentPaper),
    }),
    acting({
      name: "get_person_paper",
      summary: "Get a paper original that you print",
      path: "/p/api/papers/:ending_id",
      access: person,
      ...onePaper,
      answer: [200, PaperView],
      run: async (who, { params }) => presentPaper(await findPaperFor(deps, who, params.ending_id)),
    }),
    serving({
      name: "get_person_paper_document",
      summary: "Download the PDF for printing",
      description: "Returns the PDF until you confirm that it is printed. Each download is recorded in the audit trail of the record.",
      path: "/p/api/papers/:ending_id/document",
      access: person,
      ...onePaper,
      types: ["application/pdf"],
      problems: ["ending_closed", "document_not_ready", "document_unavailable", "copy_wrong_state"],
      run: (who, { params }) => servePaper(deps, who, params.ending_id),
    }),
    endpoint({
      name: "confirm_printing",
      summary: "Confirm that a paper original is printed",
      description: "From then on the paper is the original. Repeating the request changes nothing.",
      method: "POST",
      path: "/p/api/papers/:ending_id/confirm",
      access: person,
      ...onePaper,
      answer: [200, PaperView],
      problems: ["ending_closed", "not_downloaded", "copy_wrong_state", "copy_on_hold", "same_principal"],
      run: async (who, { params }) => presentPaper(await confirmPrinting(deps, who, params.ending_id)),
    }),
    serving({
      name: "get_person_paper_certificate",
      summary: "Download the certificate of conversion",
      path: "/p/api/papers/:ending_id/certificate",
      access: person,
      ...onePaper,
      types: ["application/pdf"],
      problems: ["ending_not_done", "document_not_ready", "document_unavailable"],
      run: (who, { params }) => servePaperCertificate(deps, who, params.ending_id),
    }),
  ];
}
