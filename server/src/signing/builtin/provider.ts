import type { Db } from "../../db/connect.ts";
import { newId } from "../../shared/ids.ts";
import { newSlug } from "../../shared/slugs.ts";
import type { SigningProvider } from "../provider.ts";
import { recipientKinds } from "../submission.ts";
import { nextTemplateId } from "./store.ts";

/**
 * The built-in provider. It uses the templates and envelopes in the same database, so a counterpart is only a number. Nothing can be
 * left over or get out of sync.
 */
export function builtinProvider(deps: { readonly db: Db }): SigningProvider {
  return {
    name: "builtin",
    capabilities: { kinds: recipientKinds, steps: true, documents: true },
    createTemplate: (org) =>
      deps.db.tx(org, async (tx) => {
        return { kind: "done", value: { provider_template_id: await nextTemplateId(tx) } };
      }),
    placeFields: async () => ({ kind: "done", value: null }),
    removeTemplate: async () => ({ kind: "done", value: null }),
    // The rows are written in the transaction that sends the envelope, so signers and document cannot get out of sync.
    createSubmission: async (_org, { signers }) => ({
      kind: "done",
      value: { submission_id: newId("submission"), slugs: signers.map(() => newSlug()) },
    }),
    cancel: async () => ({ kind: "done", value: null }),
  };
}
