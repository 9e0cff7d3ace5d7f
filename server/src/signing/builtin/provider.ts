import type { Db } from "../../db/connect.ts";
import { sql } from "../../db/sql.ts";
import { newId } from "../../shared/ids.ts";
import { newSlug } from "../../shared/slugs.ts";
import type { SigningProvider } from "../provider.ts";

/**
 * Our own ceremony. It works from the templates and envelopes in the same database, so a counterpart is a number and nothing that
 * could be left behind or go out of step.
 */
export function builtinProvider(deps: { readonly db: Db }): SigningProvider {
  return {
    name: "builtin",
    createTemplate: (org) =>
      deps.db.tx(org, async (tx) => {
        const { rows } = await tx.query<{ id: number }>(sql`select nextval('provider_template_ids')::int as id`);
        return { kind: "done", value: { provider_template_id: rows[0]?.id ?? noNumber() } };
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

function noNumber(): never {
  throw new Error("a sequence gave no number");
}
