import { describe, expect, test } from "vitest";
import { onePage } from "../../../pdf/fixtures/pages.ts";
import { writePdf } from "../../../pdf/fixtures/writer.ts";
import { form } from "../../test/form.ts";
import { plainPdf } from "../../test/lease.ts";
import { testProvider } from "../../test/provider.ts";
import { ann, draftContract, sam, vera } from "../../test/recipients.ts";
import { refusedWith } from "../../test/refused-with.ts";
import { testService } from "../../test/service.ts";
import { addTo, emptyDraft } from "../../test/three-documents.ts";
import { newId } from "../shared/ids.ts";
import { builtinProvider } from "./builtin/provider.ts";
import { apiTypes, type Field } from "./field.ts";
import { noProvider } from "./none.ts";
import type { SigningProvider } from "./provider.ts";

const service = testService({ SIGNING_PROVIDER: "none" });

const area = { page: 1, x: 0.1, y: 0.1, w: 0.2, h: 0.05 };
const fields: readonly Field[] = apiTypes.map((type) => ({
  name: `A ${type}`,
  type,
  role: "Buyer",
  required: true,
  readonly: false,
  default_value: null,
  options: type === "select" || type === "radio" ? ["a", "b"] : null,
  settings: {},
  field_key: null,
  document_no: 1,
  areas: [area],
  anchor_match: null,
}));

/** What every provider must do. */
function conforms(name: string, make: () => SigningProvider): void {
  describe(`the provider ${name}`, () => {
    const template = { name: "Lease", external_id: null, document: { sha256: "0".repeat(64) }, fields: [] };
    const created = async (provider: SigningProvider, org: Awaited<ReturnType<typeof service.newOrg>>) => {
      const outcome = await provider.createTemplate(org.org_id, template);
      if (outcome.kind !== "done") throw new Error(outcome.kind);
      return outcome.value.provider_template_id;
    };

    test("numbers its templates with integers that never repeat, across organizations", async () => {
      const provider = make();
      const [mine, theirs] = [await service.newOrg(), await service.newOrg()];
      const ids = await Promise.all(Array.from({ length: 10 }, (_, n) => created(provider, n % 2 === 0 ? mine : theirs)));
      expect(ids.every((id) => Number.isSafeInteger(id) && id > 0)).toBe(true);
      expect(new Set(ids).size).toBe(10);
    });

    test("accepts fields of every type, additional fields, and replacements", async () => {
      const provider = make();
      const org = await service.newOrg();
      const id = await created(provider, org);
      for (const how of ["add", "add", "replace"] as const) {
        expect(await provider.placeFields(org.org_id, id, fields, how)).toEqual({ kind: "done", value: null });
      }
      expect(await provider.placeFields(org.org_id, id, [], "replace")).toEqual({ kind: "done", value: null });
    });

    test("creates a submission with a unique link for each signer, and can cancel it any number of times", async () => {
      const provider = make();
      const org = await service.newOrg();
      const signers = ["ann", "sam"].map((name) => ({ email: `${name}@example.com`, name, role: name }));
      const submission = {
        name: "Lease",
        document: { sha256: "0".repeat(64) },
        fields,
        signers,
        signing_order: "sequential",
        expires_in_days: 30,
      } as const;
      const made = await Promise.all(
        [1, 2].map(() => provider.createSubmission(org.org_id, { envelope_id: newId("envelope"), ...submission })),
      );
      const values = made.map((outcome) => (outcome.kind === "done" ? outcome.value : expect.fail(outcome.kind)));
      expect(values.map(({ slugs }) => slugs.length)).toEqual([2, 2]);
      expect(new Set(values.flatMap(({ slugs, submission_id }) => [...slugs, submission_id])).size).toBe(6);
      const { submission_id } = values[0] ?? expect.fail("none");
      for (let n = 0; n < 2; n++) expect(await provider.cancel(org.org_id, submission_id)).toEqual({ kind: "done", value: null });
    });

    test("removes a template; removing it again succeeds", async () => {
      const provider = make();
      const org = await service.newOrg();
      const id = await created(provider, org);
      expect(await provider.removeTemplate(org.org_id, id)).toEqual({ kind: "done", value: null });
      expect(await provider.removeTemplate(org.org_id, id)).toEqual({ kind: "done", value: null });
    });
  });
}

conforms("builtin", () => builtinProvider({ db: service.db }));
conforms("testProvider", testProvider);

test("without a provider, every call says so, and callers see 503", async () => {
  const org = await service.newOrg();
  const answers = [
    await noProvider.createTemplate(org.org_id, { name: "x", external_id: null, document: { sha256: "0".repeat(64) }, fields: [] }),
    await noProvider.placeFields(org.org_id, 1, fields, "add"),
    await noProvider.removeTemplate(org.org_id, 1),
  ];
  expect(answers).toEqual([{ kind: "not_configured" }, { kind: "not_configured" }, { kind: "not_configured" }]);
  const key = await org.newKey();
  const { status, json } = await key.send("POST", "/partner/templates", form({ name: "Lease" }, { bytes: writePdf(onePage()) }));
  expect([status, json]).toEqual([503, refusedWith("No signing provider is configured")]);
});

describe("a provider that knows only signers", () => {
  const provider = testProvider();
  const limited = testService({}, provider);

  test("refuses other kinds and steps before it is asked, and takes signers", async () => {
    const { key, envelope_id } = await draftContract(limited, {}, plainPdf);
    const send = (body: object) => key.send("POST", `/partner/envelopes/${envelope_id}/send`, { body });
    for (const recipients of [
      [ann, vera],
      [ann, sam, { ...sam, email: "eva@example.com", role: "Eva" }].map((one, index) => ({ ...one, step: index === 0 ? 1 : 2 })),
    ]) {
      const { status, headers } = await send({ recipients });
      expect([status, headers["x-error-code"]]).toEqual([422, "provider_cannot"]);
    }
    expect((await send({ recipients: [ann, sam] })).status).toBe(200);
  });

  test("refuses several documents before it is asked, and takes one", async () => {
    const several = await emptyDraft(limited);
    await addTo(several, plainPdf, "Lease");
    const [, second] = await addTo(several, plainPdf, "House rules");
    const { key, at } = several;
    const send = () => key.send("POST", `${at}/send`, { body: { recipients: [ann, sam] } });
    // Asked, it would answer this.
    provider.failing = { kind: "unreachable", reason: "for a test" };
    const { status, headers } = await send();
    provider.failing = null;
    expect([status, headers["x-error-code"]]).toEqual([422, "provider_cannot"]);
    expect((await key.send("GET", `${at}/status`)).json.data.status).toBe("uploaded");
    await key.send("DELETE", `${at}/documents/${second?.document_id}`);
    expect((await send()).status).toBe(200);
  });
});
