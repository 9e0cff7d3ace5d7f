import { onePage, text } from "../../pdf/fixtures/pages.ts";
import { writePdf } from "../../pdf/fixtures/writer.ts";
import { form } from "./form.ts";
import type { TestKey } from "./service.ts";

/** A lease with tags for two roles, and helpers for tests of envelopes. */

export const plainPdf = writePdf(onePage());
export const leasePdf = writePdf(
  onePage({
    content: [
      text("Name: {{Tenant name;role=Tenant}}", 72, 700),
      text("{{Rent;role=Tenant;type=number}} {{Start;role=Tenant;type=date}} {{Pet;role=Tenant;type=checkbox}}", 72, 660),
      text("{{Floor;role=Tenant;type=select;options=first,second}}", 72, 620),
      text("{{Tenant signature;role=Tenant;type=signature}}", 72, 560),
      text("{{Landlord signature;role=Landlord;type=signature}}", 72, 500),
    ].join(" "),
  }),
);

export const tenant = { email: "ann@example.com", name: "Ann", role: "Tenant" };
export const landlord = { email: "sam@example.com", name: "Sam", role: "Landlord" };

export async function newTemplate(key: TestKey, bytes: Uint8Array = leasePdf): Promise<string> {
  return (await key.send("POST", "/partner/templates", form({ name: "Lease" }, { bytes }))).json.data.template_id;
}

export const envelopeBody = (more: object = {}) => ({
  envelope_name: "Lease",
  customer_email: "ann@example.com",
  customer_name: "Ann",
  ...more,
});

/** Ready to send to a tenant and a landlord. */
export async function newEnvelope(key: TestKey, template_id: string, more: object = {}): Promise<string> {
  const body = envelopeBody({ template_id, signers: [tenant, landlord], ...more });
  return (await key.send("POST", "/partner/envelopes", { body })).json.data.envelope_id;
}
