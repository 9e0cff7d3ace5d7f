import { createDecipheriv, createHash, createPublicKey, verify } from "node:crypto";
import { canonicalize, chainFacts, replayCustody } from "@countersign/evidence";
import { beforeAll, describe, expect, test } from "vitest";
import { chainOf, sentEnvelope } from "../../../test/envelopes.ts";
import { refusedWith } from "../../../test/refused-with.ts";
import { type TestKey, type TestOrg, testService } from "../../../test/service.ts";
import {
  flipBit,
  keyOfAnother,
  newMember,
  type Person,
  standInBundles,
  type Vaulted,
  vaultedCopy,
  vaultedEnvelope,
} from "../../../test/vaulted.ts";
import { readChain } from "../../audit/read-chain.ts";
import { StoreUnavailable } from "../../storage/blob-store.ts";
import { endDueExports } from "./ended-exports.ts";

const service = testService();

let org: TestOrg;
let key: TestKey;
let ben: Person;
/** of another person than the one who starts the exports */
let other: TestKey;
beforeAll(async () => {
  standInBundles(service);
  org = await service.newOrg();
  key = await org.newKey();
  ben = await newMember(service, org);
  other = await keyOfAnother(service, org);
});

const recipient = { name: "Second Example Bank", email: "vault@example.com" };
const start = ({ envelope_id }: Pick<Vaulted, "envelope_id">, request: object = {}) =>
  key.send("POST", `/partner/envelopes/${envelope_id}/vault-out`, { body: { recipient, reason: "Sold" }, ...request });
const at = (export_id: string, act: string, body: object = {}) => key.send("POST", `/partner/vault-exports/${export_id}/${act}`, { body });
const read = (export_id: string, what = "") => key.send("GET", `/partner/vault-exports/${export_id}${what}`);

async function started(one: Vaulted): Promise<{ export_id: string; package_sha256: string }> {
  const { status, json } = await start(one);
  expect([status, json.error]).toEqual([201, undefined]);
  return json.data;
}

const acknowledge = ({ export_id, package_sha256 }: { export_id: string; package_sha256: string }) =>
  other.send("POST", `/partner/vault-exports/${export_id}/acknowledge`, { body: { package_sha256 } });

const stateOf = async ({ copy_id }: Vaulted) => {
  const [row] = await service.database.owner<{ state: string; custodians: number }>(
    `select state, (select count(*)::int from custodian_permissions p where p.copy_id = c.copy_id and p.state = 'active') as custodians
     from authoritative_copies c where copy_id = $1`,
    [copy_id],
  );
  return [row?.state, row?.custodians];
};
const keyOf = async (export_id: string) =>
  (await service.database.owner<{ key_enc: Buffer | null }>("select key_enc from vault_exports where export_id = $1", [export_id]))[0]
    ?.key_enc;
const lastEntry = async ({ envelope_id }: Vaulted) => (await chainOf(service, org.org_id, envelope_id)).at(-1);

/** Opened by hand, following docs/vault-api.md. */
function open(file: Buffer, hexKey: string, about: object): Buffer {
  expect(file.subarray(0, 6).toString()).toBe("CSVX1\n");
  const decipher = createDecipheriv("aes-256-gcm", Buffer.from(hexKey, "hex"), file.subarray(6, 18));
  decipher.setAAD(Buffer.from(canonicalize(about))).setAuthTag(file.subarray(-16));
  return Buffer.concat([decipher.update(file.subarray(18, -16)), decipher.final()]);
}

test("a package that can no longer be read is not acknowledged: the copy stays and can be packed again", async () => {
  const one = await vaultedCopy(service, org);
  const made = await started(one);
  await flipBit(service, org, made.package_sha256);
  expect((await acknowledge(made)).status).toBe(502);
  expect(await stateOf(one)).toEqual(["escrowed", 1]);
  expect((await at(made.export_id, "cancel")).status).toBe(200);
  expect((await acknowledge(await started(one))).status).toBe(200);
});

describe("a vault export", () => {
  test("is packed, downloaded and acknowledged; then the key opens the package and the copy has left", async () => {
    const one = await vaultedEnvelope(service, org);
    const begun = await start(one);
    const { data } = begun.json;
    expect([begun.status, data]).toEqual([
      201,
      {
        export_id: expect.stringMatching(/^exp_/),
        envelope_id: one.envelope_id,
        status: "escrowed",
        recipient,
        package_path: `${org.org_id}/vault/${one.envelope_id}/${data.export_id}.csvx`,
        package_sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
        package_size: expect.any(Number),
        expires_at: expect.any(String),
      },
    ]);
    expect(await stateOf(one)).toEqual(["escrowed", 1]);
    const before = (await read(data.export_id)).json.data;
    expect(before).toEqual({
      ...data,
      copy_id: one.copy_id,
      reason: "Sold",
      act_id: null,
      initiated_by: { kind: "key", id: key.key_id },
      created_at: expect.any(String),
      downloaded_at: null,
      closed_at: null,
      receipt: null,
    });
    expect(Date.parse(before.expires_at) - Date.parse(before.created_at)).toBe(14 * 86_400_000);

    const file = await read(data.export_id, "/package");
    expect([file.status, file.headers["content-type"]]).toEqual([200, "application/octet-stream"]);
    expect([createHash("sha256").update(file.bytes).digest("hex"), file.bytes.length]).toEqual([data.package_sha256, data.package_size]);
    expect(await lastEntry(one)).toMatchObject({
      type: "vault.document.accessed",
      data: { what: "package", by: key.key_id, export_id: data.export_id },
    });

    const acknowledged = await acknowledge(data);
    expect(acknowledged.status).toBe(200);
    const { key: hexKey, receipt } = acknowledged.json.data;
    const inside = open(file.bytes, hexKey, { export_id: data.export_id, copy_id: one.copy_id, sha256: one.sha256 });
    const copy = await service.features.storage.blobs.read(org.org_id, one.sha256);
    expect(inside.subarray(0, copy.length).equals(copy), "the complete bundle").toBe(true);
    expect(() => open(file.bytes, hexKey, { export_id: data.export_id, copy_id: one.copy_id, sha256: "0".repeat(64) })).toThrow();
    expect(await stateOf(one)).toEqual(["exported", 0]);

    const chain = await service.db.tx(org.org_id, (tx) => readChain(tx, org.org_id, one.envelope_id));
    const { seq, hash, at: when } = chain.at(-1)?.entry ?? expect.fail("no entry");
    expect(receipt.document).toEqual({
      type: "countersign/export-receipt/1",
      org_id: org.org_id,
      envelope_id: one.envelope_id,
      export_id: data.export_id,
      copy_id: one.copy_id,
      sha256: one.sha256,
      package_sha256: data.package_sha256,
      recipient,
      acknowledged_at: expect.any(String),
      chain_head: { seq, hash, at: when },
      key_id: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
    const [records] = await service.database.owner<{ public_key: Buffer }>(
      "select public_key from instance_keys where purpose = 'records'",
    );
    const publicKey = createPublicKey({ key: records?.public_key ?? Buffer.alloc(0), format: "der", type: "spki" });
    expect(receipt.document.key_id).toBe(
      createHash("sha256")
        .update(records?.public_key ?? "")
        .digest("hex"),
    );
    const isSigned = (document: object) =>
      verify(null, Buffer.from(canonicalize(document)), publicKey, Buffer.from(receipt.signature, "hex"));
    expect([isSigned(receipt.document), isSigned({ ...receipt.document, sha256: "0".repeat(64) })]).toEqual([true, false]);

    const { permissions, fault } = replayCustody(chainFacts(chain, { org_id: org.org_id, subject: one.envelope_id }).milestones);
    expect([fault, permissions.map(({ state }) => state)]).toEqual([null, ["released"]]);
    const record = await key.send("GET", `/partner/envelopes/${one.envelope_id}`);
    expect([record.json.data.status, record.json.data.vaulted], "the envelope stays vaulted").toEqual(["vaulted", true]);
    expect((await read(data.export_id)).json.data).toMatchObject({ status: "acknowledged", receipt });
  });

  test("acknowledged again returns the same response for a day without a second entry; then only the recipient gets the key", async () => {
    const one = await vaultedCopy(service, org);
    const begun = await started(one);
    const first = await acknowledge(begun);
    const entries = (await chainOf(service, org.org_id, one.envelope_id)).length;
    const headers = { "idempotency-key": "ignored" };
    const second = await other.send("POST", `/partner/vault-exports/${begun.export_id}/acknowledge`, {
      body: { package_sha256: begun.package_sha256 },
      headers,
    });
    expect([second.status, second.text]).toEqual([200, first.text]);
    expect(await service.database.owner("select from idempotent_answers where idempotency_key = 'ignored'")).toEqual([]);
    expect(await endDueExports(service.features.vault)).toBe(0);

    await service.database.owner("update vault_exports set closed_at = closed_at - interval '25 hours' where export_id = $1", [
      begun.export_id,
    ]);
    const late = await acknowledge(begun);
    expect([late.status, late.json.error]).toEqual([
      403,
      "Since 24 hours after the acknowledgement, only the recipient gets the export key, with the link in the e-mail",
    ]);
    expect(await endDueExports(service.features.vault)).toBe(0);
    expect(await keyOf(begun.export_id)).not.toBeNull();
    expect(await chainOf(service, org.org_id, one.envelope_id)).toHaveLength(entries);
  });

  test("from before recipients were people loses its key a day after the acknowledgement, as it was promised then", async () => {
    const one = await vaultedCopy(service, org);
    const begun = await started(one);
    await service.database.owner("update vault_exports set person_id = null where export_id = $1", [begun.export_id]);
    expect((await acknowledge(begun)).status).toBe(200);
    await service.database.owner("update vault_exports set closed_at = closed_at - interval '25 hours' where export_id = $1", [
      begun.export_id,
    ]);
    const late = await acknowledge(begun);
    expect([late.status, late.json.error], "also before the job").toEqual([
      409,
      "The export key was available for 24 hours and has been deleted",
    ]);
    expect(await endDueExports(service.features.vault)).toBe(1);
    expect(await keyOf(begun.export_id)).toBeNull();
  });

  test("is not acknowledged by the person who started it, whatever key they use", async () => {
    const begun = await started(await vaultedCopy(service, org));
    const second = await org.newKey();
    for (const { send } of [key, second]) {
      const { status, headers } = await send("POST", `/partner/vault-exports/${begun.export_id}/acknowledge`, {
        body: { package_sha256: begun.package_sha256 },
      });
      expect([status, headers["x-error-code"]]).toEqual([403, "same_principal"]);
    }
    expect((await acknowledge(begun)).status).toBe(200);
  });

  test("is not acknowledged with the hash of another file", async () => {
    const one = await vaultedCopy(service, org);
    const { export_id } = await started(one);
    const wrong = await acknowledge({ export_id, package_sha256: "0".repeat(64) });
    expect([wrong.status, wrong.json.details]).toEqual([
      422,
      [{ location: "body", field: "package_sha256", code: "invalid_value", message: "must be the SHA-256 of the package" }],
    ]);
    expect(await stateOf(one)).toEqual(["escrowed", 1]);
  });

  test("that is cancelled returns the copy to the vault, and its package can never be opened", async () => {
    const one = await vaultedCopy(service, org);
    const begun = await started(one);
    expect(await keyOf(begun.export_id)).not.toBeNull();
    const cancelled = await at(begun.export_id, "cancel");
    expect([cancelled.status, cancelled.json.data.status]).toEqual([200, "cancelled"]);
    expect([await stateOf(one), await keyOf(begun.export_id)]).toEqual([["active", 1], null]);
    expect(await lastEntry(one)).toMatchObject({ type: "vault.export_cancelled", data: { export_id: begun.export_id } });
    for (const late of [await acknowledge(begun), await at(begun.export_id, "cancel"), await read(begun.export_id, "/package")]) {
      expect([late.status, late.json.error]).toEqual([409, "The export is cancelled, which does not allow this"]);
    }
    await started(one);
  });

  test("that is not acknowledged within 14 days expires for everyone at that moment", async () => {
    const one = await vaultedCopy(service, org);
    const begun = await started(one);
    await service.database.owner("update vault_exports set expires_at = now() - interval '1 second' where export_id = $1", [
      begun.export_id,
    ]);
    expect((await read(begun.export_id)).json.data.status).toBe("expired");
    for (const late of [await acknowledge(begun), await at(begun.export_id, "cancel")]) {
      expect([late.status, late.json.error]).toEqual([409, "The export is expired, which does not allow this"]);
    }
    expect(await endDueExports(service.features.vault)).toBe(1);
    expect(await endDueExports(service.features.vault)).toBe(0);
    expect([await stateOf(one), await keyOf(begun.export_id)]).toEqual([["active", 1], null]);
    expect(await lastEntry(one)).toMatchObject({ type: "vault.export_expired", actor: { kind: "system" } });
  });

  test("once acknowledged is final: no second export, no transfer, no cancellation", async () => {
    const one = await vaultedCopy(service, org);
    const begun = await started(one);
    await acknowledge(begun);
    const body = { to_user_id: ben.user_id };
    const transfer = await key.send("POST", `/partner/envelopes/${one.envelope_id}/custody-transfers`, { body });
    for (const late of [await start(one), transfer]) {
      expect([late.status, late.json.error]).toEqual([409, "The authoritative copy is exported, which does not allow this"]);
    }
    expect((await at(begun.export_id, "cancel")).status).toBe(409);
    expect((await read(begun.export_id, "/package")).status, "the package can still be downloaded").toBe(200);
  });

  test("needs a vaulted envelope, no other export, no pending transfer and no hold", async () => {
    const sent = await start(await sentEnvelope(service, org, { status: "completed" }));
    expect([sent.status, sent.json.error]).toEqual([409, "The envelope is not vaulted"]);
    const one = await vaultedCopy(service, org);
    const body = { to_user_id: ben.user_id };
    const { json } = await key.send("POST", `/partner/envelopes/${one.envelope_id}/custody-transfers`, { body });
    expect((await start(one)).json.error).toMatch(/custody transfer of this copy is pending/);
    await key.send("POST", `/partner/custody-transfers/${json.data.permission_id}/cancel`);
    const hold = await key.send("POST", `/partner/envelopes/${one.envelope_id}/vault/legal-hold`, { body: { reason: "Lawsuit" } });
    expect((await start(one)).json.error).toMatch(/legal hold/);
    await key.send("DELETE", `/partner/envelopes/${one.envelope_id}/vault/legal-hold/${hold.json.data.hold_id}`);
    const begun = await started(one);
    expect((await start(one)).json.error).toBe("The authoritative copy is escrowed, which does not allow this");
    expect((await key.send("POST", `/partner/envelopes/${one.envelope_id}/custody-transfers`, { body })).status).toBe(409);

    const late = await key.send("POST", `/partner/envelopes/${one.envelope_id}/vault/legal-hold`, { body: { reason: "Lawsuit" } });
    expect(late.status, "a hold can be placed at any time").toBe(201);
    expect((await acknowledge(begun)).json.error).toMatch(/legal hold/);
    expect(await stateOf(one)).toEqual(["escrowed", 1]);
    expect((await at(begun.export_id, "cancel")).status).toBe(200);
  });

  test("is refused if the custodian changed while the copy was packed", async () => {
    const one = await vaultedCopy(service, org);
    const { exportBundle } = service.features.vault;
    const passOn = async (...args: Parameters<typeof exportBundle>) => {
      await service.database.owner("update authoritative_copies set custody_version = custody_version + 1 where copy_id = $1", [
        one.copy_id,
      ]);
      return exportBundle(...args);
    };
    Object.assign(service.features.vault, { exportBundle: passOn });
    const { status, json } = await start(one);
    Object.assign(service.features.vault, { exportBundle });
    expect([status, json.error]).toEqual([409, "Custody changed in the meantime. Review it and try again"]);
    expect(await stateOf(one)).toEqual(["active", 1]);
  });

  test("repeated with its Idempotency-Key is a single export", async () => {
    const one = await vaultedCopy(service, org);
    const headers = { "idempotency-key": `out ${one.envelope_id}` };
    const [first, second] = [await start(one, { headers }), await start(one, { headers })];
    expect([second.status, second.headers["idempotent-replayed"], second.text]).toEqual([201, "true", first.text]);
  });

  test("needs the right to release: a member's session and other keys are refused", async () => {
    const { envelope_id } = await vaultedCopy(service, org);
    const other = await org.newKey({ scopes: ["vault:read", "vault:write", "custody:write"] });
    for (const send of [ben.send, other.send]) {
      const { status, json } = await send("POST", `/partner/envelopes/${envelope_id}/vault-out`, { body: { recipient, reason: "x" } });
      expect([status, json]).toEqual([403, refusedWith("Missing required scope: vault:release")]);
    }
  });
});

describe("changed bytes", () => {
  test("are found during packing: nothing leaves and the copy is marked", async () => {
    const own = await service.newOrg();
    const one = await vaultedCopy(service, own);
    await flipBit(service, own, one.sha256);
    const body = { recipient, reason: "Sold" };
    const { status, json } = await own.admin("POST", `/partner/envelopes/${one.envelope_id}/vault-out`, { body });
    expect([status, json.error]).toEqual([409, "The authoritative copy is tampered, which does not allow this"]);
    expect(await stateOf(one)).toEqual(["tampered", 1]);
  });

  test("found during escrow block the acknowledgement but not cancelling, and the repaired copy returns to the vault", async () => {
    const one = await vaultedCopy(service, org);
    const begun = await started(one);
    await service.database.owner(
      "update authoritative_copies set state = 'tampered', state_before_tamper = 'escrowed' where copy_id = $1",
      [one.copy_id],
    );
    expect((await acknowledge(begun)).json.error).toBe("The authoritative copy is tampered, which does not allow this");
    expect((await at(begun.export_id, "cancel")).status).toBe(200);
    const rows = await service.database.owner("select state, state_before_tamper from authoritative_copies where copy_id = $1", [
      one.copy_id,
    ]);
    expect(rows).toEqual([{ state: "tampered", state_before_tamper: "active" }]);
  });

  test("are not reported when the store cannot be read: that is an outage, and nothing is marked", async () => {
    const one = await vaultedCopy(service, org);
    const { exportBundle } = service.features.vault;
    Object.assign(service.features.vault, { exportBundle: () => Promise.reject(new StoreUnavailable("down for a test")) });
    const { status, headers } = await start(one);
    Object.assign(service.features.vault, { exportBundle });
    expect([status, headers["retry-after"]]).toEqual([503, "5"]);
    expect(await stateOf(one)).toEqual(["active", 1]);
  });
});

test("the list shows exports newest first, filtered by envelope and status", async () => {
  const own = await service.newOrg();
  const [one, two] = [await vaultedCopy(service, own), await vaultedCopy(service, own)];
  const body = { recipient, reason: "Sold" };
  const ids: string[] = [];
  for (const { envelope_id } of [one, two]) {
    ids.push((await own.admin("POST", `/partner/envelopes/${envelope_id}/vault-out`, { body })).json.data.export_id);
  }
  await own.admin("POST", `/partner/vault-exports/${ids[0]}/cancel`);
  const listed = async (query: string) =>
    (await own.admin("GET", `/partner/vault-exports${query}`)).json.data.map(({ export_id }: { export_id: string }) => export_id);
  expect(await listed("")).toEqual([...ids].reverse());
  expect(await listed("?status=cancelled")).toEqual([ids[0]]);
  expect(await listed(`?envelope_id=${two.envelope_id}`)).toEqual([ids[1]]);
});
