import { describe, expect, test } from "vitest";
import { ConflictError, Countersign, isCode, NotFoundError, ValidationError } from "../../client/src/index.ts";
import { unzipBundle, verifyBundle } from "../../verify/src/index.ts";
import { leasePdf } from "./lease.ts";
import { testService } from "./service.ts";
import { vaultedByPipeline } from "./vaulted.ts";

/** The client against the real service. */

const service = testService();

async function newClient() {
  const org = await service.newOrg();
  const { api_key } = await org.newKey();
  return { org, cs: new Countersign({ baseUrl: service.url, apiKey: api_key }) };
}

const lease = { envelope_name: "Lease", customer_email: "ann@example.com", customer_name: "Ann" };

describe("the client", () => {
  test("uploads bytes and streams, with JSON in the form, and gets the fields back", async () => {
    const { cs } = await newClient();
    const areas = [{ page: 1, x: 0.1, y: 0.1, w: 0.2, h: 0.05 }];
    const fields_json = [{ name: "Stamp", type: "text", role: "Tenant", placement: { mode: "absolute", areas } }] as const;
    for (const data of [leasePdf, new Blob([leasePdf]).stream()]) {
      const { template_id, fields } = await cs.templates.create({
        name: "Lease – “really”",
        file: { data, name: "lease.pdf" },
        fields_json,
      });
      expect(fields.map(({ name, areas: placed }) => [name, placed])).toEqual([["Stamp", areas]]);
      expect((await cs.templates.get(template_id)).name).toBe("Lease – “really”");
    }
  });

  test("reports which field is wrong, and recognizes a missing record", async () => {
    const { cs } = await newClient();
    const error = await cs.envelopes.create({ ...lease, customer_email: "ann" }).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ValidationError);
    expect((error as ValidationError).for("customer_email")).toMatchObject([{ location: "body", code: "invalid_format" }]);
    expect((error as ValidationError).code).toBe("invalid_request");
    const missing = await cs.envelopes.get("env_01h2xcejqtf2nbrexx3vqjhp41").catch((thrown: unknown) => thrown);
    expect(missing).toBeInstanceOf(NotFoundError);
    expect(isCode(missing, "envelope_not_found")).toBe(true);
    expect((missing as NotFoundError).requestId).toMatch(/^req_/);
  });

  test("changes a record only if it has not changed since it was read", async () => {
    const { cs } = await newClient();
    const { envelope_id } = await cs.envelopes.create(lease);
    const ifMatch = (await cs.envelopes.get(envelope_id).withResponse()).headers.get("etag") ?? "";
    await cs.envelopes.update(envelope_id, { envelope_name: "Lease of Ann" }, { ifMatch });
    const late = await cs.envelopes.update(envelope_id, { envelope_name: "Lease of Sam" }, { ifMatch }).catch((thrown: unknown) => thrown);
    expect(late).toBeInstanceOf(ConflictError);
    expect(isCode(late, "precondition_failed")).toBe(true);
    expect((await cs.envelopes.get(envelope_id)).envelope_name).toBe("Lease of Ann");
  });

  test("gets the candidates of an e-mail address that two customers share", async () => {
    const { cs } = await newClient();
    for (const client_id of ["17", "18"]) await cs.customers.create({ name: "Ann", email: "ann@example.com", client_id });
    const error = await cs.customers.lookUp({ email: "ann@example.com" }).catch((thrown: unknown) => thrown);
    expect((error as ConflictError).candidates.map(({ client_id }) => client_id)).toEqual(["17", "18"]);
  });

  test("reads the contents of the vault: record, copy, certificate as file and as data, evidence that verifies", async () => {
    const { org, cs } = await newClient();
    const envelope_id = await vaultedByPipeline(service, org);
    expect(await cs.envelopes.waitFor(envelope_id, { until: "completed", timeoutMs: 1 })).toMatchObject({ status: "vaulted" });
    expect((await cs.vault.get(envelope_id)).hash).toMatch(/^[0-9a-f]{64}$/);
    for (const file of [await cs.vault.copy.get(envelope_id), await cs.compliance.certificate.get(envelope_id)]) {
      expect([file.contentType, file.fileName]).toEqual(["application/pdf", expect.stringMatching(/\.pdf$/)]);
      expect(new TextDecoder().decode((await file.bytes()).subarray(0, 5))).toBe("%PDF-");
    }
    const data = await (await cs.compliance.certificate.get(envelope_id, { format: "json" })).json();
    expect(data).toMatchObject({ envelope_id });
    const report = await cs.vault.verify(envelope_id, (zip) => verifyBundle(() => unzipBundle(zip), { root: null, tsa_roots: null }));
    expect(report.outcome).toBe("CONSISTENT, SIGNER NOT PINNED");
  });
});
