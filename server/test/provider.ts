import { newId } from "../src/shared/ids.ts";
import { newSlug } from "../src/shared/slugs.ts";
import type { Field } from "../src/signing/field.ts";
import type { Outcome, SigningProvider } from "../src/signing/provider.ts";

/** A provider that keeps its counterparts where a test can see them, and fails on demand. */
export interface TestProvider extends SigningProvider {
  readonly counterparts: Map<number, { readonly name: string; fields: Field[] }>;
  /** the result of every call from now on; null if calls succeed */
  failing: Exclude<Outcome<never>, { kind: "done" }> | null;
}

export function testProvider(): TestProvider {
  let last = 0;
  const provider: TestProvider = {
    name: "test",
    capabilities: { kinds: ["signer"], steps: false, documents: false },
    counterparts: new Map(),
    failing: null,
    async createTemplate(_org, { name, fields }) {
      if (provider.failing !== null) return provider.failing;
      provider.counterparts.set(++last, { name, fields: [...fields] });
      return { kind: "done", value: { provider_template_id: last } };
    },
    async placeFields(_org, id, fields, how) {
      if (provider.failing !== null) return provider.failing;
      const counterpart = provider.counterparts.get(id);
      if (counterpart === undefined) return { kind: "rejected", reason: "no such template" };
      counterpart.fields = how === "add" ? [...counterpart.fields, ...fields] : [...fields];
      return { kind: "done", value: null };
    },
    async removeTemplate(_org, id) {
      if (provider.failing !== null) return provider.failing;
      provider.counterparts.delete(id);
      return { kind: "done", value: null };
    },
    async createSubmission(_org, { signers }) {
      if (provider.failing !== null) return provider.failing;
      return { kind: "done", value: { submission_id: newId("submission"), slugs: signers.map(() => newSlug()) } };
    },
    cancel: async () => provider.failing ?? { kind: "done", value: null },
  };
  return provider;
}
