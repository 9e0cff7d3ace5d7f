import { expect, test } from "vitest";
import { markingTransactions, refusingInside } from "./no-slow-work.ts";
import { testService } from "./service.ts";

const service = testService();

test("calls that leave the process are refused inside a transaction, and work before and after it", async () => {
  const { org_id } = await service.newOrg();
  const { storage, pdf, proofs, envelopes } = service.features;
  const inTransaction = (call: () => Promise<unknown>) => service.db.tx(org_id, () => call());
  const refused = (name: string) => `${name} was called inside a transaction. Call it before: ARCHITECTURE.md, rule 7`;

  await storage.blobs.check();
  await expect(inTransaction(() => storage.blobs.check())).rejects.toThrow(refused("the blob store.check"));
  await expect(inTransaction(() => pdf.picture(new Uint8Array(), {}))).rejects.toThrow(refused("the PDF pool.picture"));
  await expect(inTransaction(() => envelopes.provider.removeTemplate(org_id, 1))).rejects.toThrow(
    refused("the signing provider.removeTemplate"),
  );
  const turn = { known: true, group: org_id };
  await expect(inTransaction(() => proofs.hash("1931", turn))).rejects.toThrow(refused("the hashing threads.hash"));
  await expect(inTransaction(() => fetch(service.url))).rejects.toThrow(refused("fetch"));
  expect((await fetch(service.url)).status).toBe(200);
  await storage.blobs.check();
});

test("a transaction without an org and a nested one are marked too; a lease is not", async () => {
  const { org_id } = await service.newOrg();
  const peer = refusingInside("the mail server", { send: async () => "sent", close: () => "closed" }, ["close"]);
  const db = markingTransactions(service.db);
  await expect(db.system(() => peer.send())).rejects.toThrow("the mail server.send was called inside a transaction");
  await expect(db.enclosing(org_id, () => peer.send())).rejects.toThrow("the mail server.send was called inside a transaction");
  expect(await db.lease(() => peer.send())).toBe("sent");
  expect(await db.system(async () => peer.close())).toBe("closed");
});
