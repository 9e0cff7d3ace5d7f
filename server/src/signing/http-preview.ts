import { type Endpoint, endpoint } from "../http/endpoint.ts";
import * as examples from "./examples.ts";
import { presentPreview } from "./present.ts";
import { previewSigning } from "./preview-signing.ts";
import { PreviewBody, PreviewView } from "./shapes.ts";
import type { SigningDeps } from "./submission.ts";

const shown = {
  resource: "Fields",
  stability: "beta",
  method: "POST",
  access: { anyScope: ["envelopes:read"] },
  body: PreviewBody,
  answer: [200, PreviewView],
  examples: { request: examples.previewRequest, answer: examples.previewed },
} as const;

/** The signing page before anything is sent, for the person who prepares it. */
export function previewEndpoints(deps: SigningDeps): Endpoint[] {
  return [
    endpoint({
      ...shown,
      name: "preview_envelope",
      summary: "Preview the signing page of a draft",
      description:
        "Returns what the person with this role would see on the signing page if the draft was sent now. With `values` it also says which of them could not be signed. Nothing is stored, and the audit trail does not record it.",
      sdk: "envelopes.preview",
      path: "/partner/envelopes/:envelope_id/preview",
      params: { envelope_id: "envelope" },
      missing: "envelope_not_found",
      problems: ["envelope_wrong_status", "envelope_without_document"],
      run: async ({ org }, { params, body }) => {
        const find = deps.prepared.envelope(org, params.envelope_id);
        return presentPreview(await previewSigning(deps, org, find, body), deps.texts, body.lang);
      },
    }),
    endpoint({
      ...shown,
      name: "preview_template",
      summary: "Preview the signing page of a template",
      description:
        "Returns what the person with this role would see on the signing page of an envelope from this template. With `values` it also says which of them could not be signed. Nothing is stored.",
      sdk: "templates.preview",
      path: "/partner/templates/:template_id/preview",
      params: { template_id: "template" },
      missing: "template_not_found",
      problems: ["template_without_document"],
      run: async ({ org }, { params, body }) => {
        const find = deps.prepared.template(org, params.template_id);
        return presentPreview(await previewSigning(deps, org, find, body), deps.texts, body.lang);
      },
    }),
  ];
}
