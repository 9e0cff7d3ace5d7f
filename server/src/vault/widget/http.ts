import { PageTextView, presentText, WidthQuery, widthOf } from "../../documents/pages.ts";
import { acting, type Endpoint, endpoint, listing, serving } from "../../http/endpoint.ts";
import { CERTIFICATE_FILE_TYPE } from "../served-files.ts";
import { CertificateQuery, CertificateView } from "../shapes.ts";
import * as examples from "./examples.ts";
import { listAccesses } from "./list-accesses.ts";
import { openVault } from "./open-vault.ts";
import { presentVault, presentVerification } from "./present.ts";
import { handOutCertificate, handOutCopy, handOutEvidence } from "./served-files.ts";
import { AccessView, VaultView, VerificationView, VerifyBody } from "./shapes.ts";
import { readPage, showPage } from "./show-page.ts";
import { verifyNow } from "./verify-now.ts";
import type { WidgetDeps } from "./visit.ts";

const ofToken = { access: { widget: "vault" }, params: { envelope_id: "envelope" }, missing: "envelope_not_found" } as const;
const ofPage = {
  access: { widget: "vault", counts: "page" },
  params: { envelope_id: "envelope", page: "number" },
  missing: "page_not_found",
} as const;
const documentProblems = ["document_unavailable", "pdf_busy", "storage_away"] as const;
const copyProblems = ["envelope_not_vaulted", "copy_wrong_state", ...documentProblems] as const;

/** The endpoints of the vault widget, used with its token. */
export function vaultWidgetEndpoints(deps: WidgetDeps): Endpoint[] {
  return [...readEndpoints(deps), ...downloadEndpoints(deps), ...verifyEndpoints(deps)];
}

function readEndpoints(deps: WidgetDeps): Endpoint[] {
  return [
    acting({
      name: "open_vault",
      summary: "Open the vault page of a document",
      path: "/embed/vault/:envelope_id",
      ...ofToken,
      answer: [200, VaultView],
      problems: ["envelope_not_vaulted"],
      examples: { answer: examples.vault },
      run: async (who) => presentVault(await openVault(deps, who), who.holder),
    }),
    serving({
      name: "get_vault_page",
      summary: "Get a page of the marked copy as an image",
      path: "/embed/vault/:envelope_id/pages/:page",
      ...ofPage,
      query: WidthQuery,
      types: ["image/png", "image/webp"],
      problems: copyProblems,
      run: async (who, { params, query }) => {
        const { mime, bytes } = await showPage(deps, who, { page: Number(params.page), width_px: widthOf(query.w) });
        return { type: mime, bytes };
      },
    }),
    acting({
      name: "get_vault_page_text",
      summary: "Get the text of a page of the marked copy",
      path: "/embed/vault/:envelope_id/pages/:page/text",
      ...ofPage,
      answer: [200, PageTextView],
      problems: copyProblems,
      examples: {
        answer: {
          page: 1,
          blocks: ["Lease", "COPY"],
          places: [
            { top: 0.09, is_heading: true },
            { top: 0.12, is_heading: false },
          ],
          has_text: true,
        },
      },
      run: async (who, { params }) => presentText(await readPage(deps, who, Number(params.page))),
    }),
    listing({
      name: "list_vault_widget_accesses",
      summary: "List accesses to the document",
      path: "/embed/vault/:envelope_id/access-log",
      ...ofToken,
      item: AccessView,
      problems: ["envelope_not_vaulted"],
      run: (who, { page, limit }, read) => listAccesses(read, who, { page, limit }),
    }),
  ];
}

function downloadEndpoints(deps: WidgetDeps): Endpoint[] {
  return [
    serving({
      name: "get_vault_widget_copy",
      summary: "Download the marked copy",
      path: "/embed/vault/:envelope_id/copy",
      ...ofToken,
      types: ["application/pdf"],
      problems: copyProblems,
      run: (who) => handOutCopy(deps, who),
    }),
    serving({
      name: "get_vault_widget_certificate",
      summary: "Download the latest compliance certificate",
      path: "/embed/vault/:envelope_id/certificate",
      ...ofToken,
      query: CertificateQuery,
      answer: [200, CertificateView],
      types: ["application/pdf", CERTIFICATE_FILE_TYPE],
      problems: ["envelope_not_vaulted", "document_unavailable"],
      run: (who, { query }) => handOutCertificate(deps, who, query.format ?? "pdf"),
    }),
    serving({
      name: "get_vault_widget_evidence",
      summary: "Download the evidence bundle",
      path: "/embed/vault/:envelope_id/evidence",
      ...ofToken,
      types: ["application/zip"],
      problems: ["evidence_for_parties", ...copyProblems],
      run: (who) => handOutEvidence(deps, who),
    }),
  ];
}

function verifyEndpoints(deps: WidgetDeps): Endpoint[] {
  return [
    endpoint({
      name: "verify_vault_record",
      summary: "Verify the stored document now",
      method: "POST",
      path: "/embed/vault/:envelope_id/verify",
      ...ofToken,
      body: VerifyBody,
      answer: [200, VerificationView],
      problems: ["envelope_not_vaulted", "copy_wrong_state", "pdf_busy", "storage_away"],
      // A repeated request verifies again: a stored response would say nothing about the present.
      idempotent: false,
      examples: { request: {}, answer: examples.verification },
      run: async (who, { body }) => presentVerification(await verifyNow(deps, who, body.sha256 ?? null)),
    }),
  ];
}
