import type { Db } from "../../db/connect.ts";
import { newId } from "../../shared/ids.ts";
import { newSlug } from "../../shared/slugs.ts";
import type { SigningProvider } from "../provider.ts";
import { nextTemplateId } from "./store.ts";

/**
 * Our own ceremony. It works from the templates and envelopes in the same database, so a counterpart is a number and nothing that
 * could be left behind or go out of step.
 */
export function builtinProvider(deps: { readonly db: Db }): SigningProvider {
  return {
    name: "builtin",
    createTemplate: (org) =>
      deps.db.tx(org, async (tx) => {
        return { kind: "done", value: { provider_template_id: await nextTemplateId(tx) } };
      }),
    placeFields: async () => ({ kind: "done", value: null }),
    removeTemplate: async () => ({ kind: "done", value: null }),
    // The rows are written in the transaction that sends the envelope: who signs and what is signed cannot go out of step.
    createSubmission: async (_org, { signers }) => ({
      kind: "done",
      value: { submission_id: newId("submission"), slugs: signers.map(() => newSlug()) },
    }),
    cancel: async () => ({ kind: "done", value: null }),
  };
}
