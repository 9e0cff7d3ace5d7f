import { createHash, X509Certificate } from "node:crypto";
import { expect as expectValue } from "vitest";
import { finishDocument } from "../../server/src/envelopes/finish-document.ts";
import { storeEnvelope } from "../../server/src/vault/store-envelope.ts";
import { tenant } from "../../server/test/lease.ts";
import { ann, carl, lee, sam, vera } from "../../server/test/recipients.ts";
import { type DraftOfSeveral, draftOfThree, listed, sendDraft } from "../../server/test/three-documents.ts";
import { until } from "../../server/test/until.ts";
import { unzipBundle, verifyBundle } from "../../verify/src/index.ts";
import { expect, type Page, test } from "./browser.ts";
import { adoptTyped, agree, button, field, firstPageThere, placeToSign, sign, title } from "./person.ts";
import { testSigning } from "./signing.ts";
import { en } from "./words.ts";

/** What people see of an envelope with several documents. */

const signing = await testSigning();

async function openAs({ key, envelope_id }: DraftOfSeveral, user_email: string): Promise<Page> {
  const { json } = await key.send("POST", "/embed/token", { body: { envelope_id, user_email, widget_type: "sign" } });
  const page = await signing.newPage();
  await page.setViewportSize({ width: 1_400, height: 900 });
  await page.goto(json.data.embed_url);
  return page;
}

test("the bar above the pages and the list of pages name each document", async () => {
  const one = await draftOfThree(signing.service);
  await sendDraft(one);
  const page = await openAs(one, tenant.email);
  await agree(page);
  const bar = page.getByRole("toolbar", { name: en.reading });
  await expect(bar).toContainText("Lease");
  const list = page.getByRole("navigation", { name: en.pageList });
  for (const name of ["Lease", "House rules", "Handover"]) await expect(list).toContainText(name);
  await list.getByRole("button").nth(3).click();
  await expect(bar).toContainText("Handover");
  await expect(bar).not.toContainText("House rules");
});

test("an approver, two signers, a viewer and a reader finish three documents in three steps, and the evidence of it verifies", async () => {
  const { features } = signing.service;
  const one = await draftOfThree(signing.service);
  const { key, at, org, envelope_id } = one;
  const { role: _, ...approver } = lee;
  const recipients = [
    { ...approver, step: 1 },
    { ...carl, step: 2 },
    { ...ann, step: 2 },
    { ...sam, step: 2 },
    { ...vera, step: 3 },
  ];
  expectValue((await key.send("POST", `${at}/send`, { body: { recipients } })).status).toBe(200);
  const statuses = async () =>
    Object.fromEntries(
      (await key.send("GET", `${at}/recipients`)).json.data.recipients.map((person: { email: string; status: string }) => [
        person.email,
        person.status,
      ]),
    );

  const early = await openAs(one, ann.email);
  await expect(title(early, en.waitingTitle)).toBeVisible();
  const lees = await openAs(one, approver.email);
  await firstPageThere(lees);
  await button(lees, en.approveDo).click();
  await expect(title(lees, en.approvedTitle)).toBeVisible();

  const carls = await openAs(one, carl.email);
  await expect(carls.getByText(en.copyLead("Example Company"))).toBeVisible();
  const anns = await openAs(one, ann.email);
  await agree(anns);
  await field(anns, "Tenant name").fill("Ann Example");
  await placeToSign(anns, "Sign", 1).click();
  await adoptTyped(anns, "signature", "Ann Example");
  await sign(anns);
  const sams = await openAs(one, sam.email);
  await agree(sams);
  await placeToSign(sams, "Sign", 4).click();
  await adoptTyped(sams, "signature", "Sam Sample");
  await sign(sams);
  const veras = await openAs(one, vera.email);
  await firstPageThere(veras);
  await button(veras, en.confirmDo).click();
  await expect(title(veras, en.confirmedTitle)).toBeVisible();
  await finishDocument(features.envelopes, { org_id: org.org_id, envelope_id });
  expectValue(await statuses()).toEqual({
    [approver.email]: "approved",
    [ann.email]: "signed",
    [sam.email]: "signed",
    [vera.email]: "confirmed",
    [carl.email]: "delivered",
  });

  for (const { document_id, name } of await listed(one)) {
    const { bytes } = await key.send("GET", `${at}/documents/${document_id}/file`);
    const [seal] = await features.pdf.verify(Buffer.from(bytes), { roots: [], at: new Date() });
    expectValue([name, seal?.intact]).toEqual([name, true]);
  }
  const vaulting = key.send("POST", `${at}/vault-in-signed`, { body: { certification: { accepted: true, terms_version: "2026-01" } } });
  await until("the accepted terms", async () => {
    const rows = await signing.service.database.owner("select 1 from certification_acceptances where envelope_id = $1", [envelope_id]);
    return rows.length === 1;
  });
  await storeEnvelope(features.vault, { org_id: org.org_id, envelope_id });
  expectValue((await vaulting).status).toBe(200);
  const trust = await fetch(`${signing.service.url}/.well-known/countersign-trust.json`);
  const { root_certificate } = (await trust.json()) as { root_certificate: string };
  const root = createHash("sha256")
    .update(new X509Certificate(Buffer.from(root_certificate, "base64")).raw)
    .digest("hex");
  const { bytes } = await key.send("GET", `${at}/vault/evidence`);
  const { outcome } = await verifyBundle(() => unzipBundle(bytes), { root, tsa_roots: null });
  expectValue(outcome).toBe("VERIFIED");
});
