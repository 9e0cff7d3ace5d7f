import { createHash } from "node:crypto";
import { canonicalize } from "@countersign/evidence";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { chainOf } from "../../../test/envelopes.ts";
import { refusedWith } from "../../../test/refused-with.ts";
import { testService } from "../../../test/service.ts";
import {
  accept,
  certify,
  copyState,
  go,
  newSide,
  offer,
  pin,
  propose,
  type Side,
  transferAt,
  twoVaults,
} from "../../../test/two-vaults.ts";
import { flipBit, vaultedByPipeline } from "../../../test/vaulted.ts";
import { ensureInstanceKeys } from "../../seals/instance-keys.ts";
import type { EnvelopeId, VaultTransferId } from "../../shared/ids.ts";
import { resendTransfers } from "./continue-transfer.ts";

/** What can go wrong on the way between two vaults. After each of these, one copy is live, or one side is entitled to it. */

const pair = twoVaults();
const third = testService();
let stranger: Side;

beforeAll(async () => {
  stranger = await newSide(third, "Third Example Bank");
});

let [envelope_id, transfer_id] = ["", ""] as unknown as [EnvelopeId, VaultTransferId];

async function vaulted(side: Side): Promise<EnvelopeId> {
  return vaultedByPipeline(side.service, side.org, { secured_party: { name: "First Example Bank", address: "1 Main Street" } });
}

interface MessageFile {
  readonly kind: string;
  readonly bytes: string;
  readonly signature: string;
}

const messagesAt = async (side: Side, id: string = transfer_id): Promise<MessageFile[]> =>
  (await side.org.admin("GET", `/partner/vault-transfers/${id}/messages`)).json.data;

const messageAt = async (side: Side, kind: string): Promise<MessageFile> =>
  (await messagesAt(side)).find((each) => each.kind === kind) ?? expect.fail(`there is no ${kind}`);

const post = (side: Side, { bytes, signature }: Pick<MessageFile, "bytes" | "signature">) =>
  side.service.send("POST", "//vault-link/v1/messages", { body: { bytes, signature } });

const states = async (): Promise<string[]> => [
  (await transferAt(pair.here, transfer_id)).state,
  (await transferAt(pair.there, transfer_id)).state,
];

const steps: Readonly<Record<string, () => Promise<void>>> = {
  offered: () => go(pair.here, transfer_id, "out"),
  accepted: async () => {
    await accept(pair.there, transfer_id);
    await go(pair.there, transfer_id, "in");
  },
  packed: () => go(pair.here, transfer_id, "out"),
};

/** Signs with the records key of a side, as an operator with the keys could. */
async function signAs({ service }: Side, message: object): Promise<Pick<MessageFile, "bytes" | "signature">> {
  const { records } = await ensureInstanceKeys(service.features.seals);
  const bytes = Buffer.from(canonicalize({ ...message, key_id: records.key_id }));
  return { bytes: bytes.toString("base64"), signature: Buffer.from(await records.sign(bytes)).toString("base64") };
}

const contentOf = ({ bytes }: Pick<MessageFile, "bytes">) => JSON.parse(Buffer.from(bytes, "base64").toString("utf8"));

describe("a transfer", () => {
  beforeEach(async () => {
    envelope_id = await vaulted(pair.here);
    transfer_id = await offer(pair.here, envelope_id);
  });

  test("is taken as often as its messages are repeated, in any order, and always with the same answer", { timeout: 120_000 }, async () => {
    const { here, there } = pair;
    for (const step of Object.values(steps)) await step();
    await go(there, transfer_id, "in");
    await go(here, transfer_id, "out");
    await go(there, transfer_id, "in");
    expect(await states()).toEqual(["confirmed", "done"]);
    const all = new Map([...(await messagesAt(here)), ...(await messagesAt(there))].map((each) => [each.kind, each]));
    expect([...all.keys()].sort()).toEqual(["accept", "offer", "package", "ready", "receipt", "release"]);
    for (const kinds of [[...all.keys()], [...all.keys()].reverse()]) {
      for (const kind of kinds) {
        const to = ["offer", "package", "release"].includes(kind) ? there : here;
        const { status, json } = await post(to, all.get(kind) as MessageFile);
        expect([kind, status, json.data.state]).toEqual([kind, 200, to === there ? "done" : "confirmed"]);
      }
    }
    const copies = await there.service.database.owner("select from authoritative_copies where lineage_id like $1", [`${here.root}/%`]);
    expect(copies.length).toBeGreaterThanOrEqual(1);
    expect(await copyState(here, envelope_id)).toBe("transferred");
  });

  test("does not begin with a message that must come later", async () => {
    const { here, there } = pair;
    await steps.offered?.();
    const offered = contentOf(await messageAt(here, "offer"));
    const {
      envelope_id: _env,
      copy_id: _copy,
      envelope_name: _name,
      copy_size: _size,
      secured_party: _party,
      expires_at: _end,
      ...parties
    } = offered;
    const early = await signAs(here, { ...parties, type: "countersign/link/1/package", package_sha256: "0".repeat(64), package_size: 1 });
    const { status, json } = await post(there, early);
    expect([status, json]).toEqual([422, refusedWith("This message arrived before the step that must come first")]);
    const unknown = await signAs(here, {
      ...contentOf(early),
      transfer_id: transfer_id.replace(/.$/, (last) => (last === "0" ? "1" : "0")),
    });
    expect((await post(there, unknown)).status).toBe(404);
  });

  test("goes on after either side died at any step, by the job that resends", { timeout: 180_000 }, async () => {
    const { here, there } = pair;
    // Whatever a step committed, the process is gone before it sent anything: a proxy that is away stands for it.
    const away = async (side: Side, run: () => Promise<void>) => {
      const { vault_id } = side;
      await side.service.database.owner("update remote_vaults set url = 'http://127.0.0.1:1' where vault_id = $1", [vault_id]);
      await run();
      const other = side === here ? there : here;
      await side.service.database.owner("update remote_vaults set url = $2 where vault_id = $1", [vault_id, other.service.url]);
      await side.service.database.owner("update vault_transfers set next_at = now() where settled_at is null");
    };
    const resend = (side: Side) => resendTransfers(side.service.features.vault);
    await away(here, () => go(here, transfer_id, "out"));
    expect((await there.org.admin("GET", `/partner/vault-transfers/${transfer_id}`)).status).toBe(404);
    await resend(here);
    await accept(there, transfer_id);
    await away(there, () => go(there, transfer_id, "in"));
    expect(await states()).toEqual(["offered", "accepted"]);
    await resend(there);
    await away(here, () => go(here, transfer_id, "out"));
    expect(await states()).toEqual(["packed", "accepted"]);
    expect(await copyState(here, envelope_id)).toBe("escrowed");
    await resend(here);
    await away(there, () => go(there, transfer_id, "in"));
    expect((await states())[1]).toBe("packed");
    await resend(there);
    expect(await states()).toEqual(["ready", "ready"]);
    await away(here, () => go(here, transfer_id, "out"));
    // The release is committed and lost: the receiver is entitled, and asks.
    expect(await states()).toEqual(["released", "ready"]);
    expect(await copyState(here, envelope_id)).toBe("transferred");
    await there.service.database.owner("update vault_transfers set next_at = now() where settled_at is null");
    await resend(there);
    expect(await states()).toEqual(["confirmed", "done"]);
  });

  test("is taken back by a person until the release, and not after it", { timeout: 120_000 }, async () => {
    const { here, there } = pair;
    await steps.offered?.();
    await steps.accepted?.();
    await steps.packed?.();
    const path = `/partner/vault-transfers/${transfer_id}/cancel`;
    const { status, json } = await here.org.admin("POST", path);
    expect([status, json.data.state]).toEqual([200, "cancelled"]);
    expect(await copyState(here, envelope_id)).toBe("active");
    await go(here, transfer_id, "out");
    expect(await states()).toEqual(["cancelled", "cancelled"]);
    const again = await here.org.admin("POST", path);
    expect([again.status, again.json]).toEqual([409, refusedWith("The vault transfer is cancelled, which does not allow this")]);
    const keys = await here.service.database.owner<{ k_enc: Buffer | null }>("select k_enc from vault_transfers where transfer_id = $1", [
      transfer_id,
    ]);
    expect(keys).toEqual([{ k_enc: null }]);
    // What was ready before the cancellation does not bring it back.
    const late = await messagesAt(there);
    for (const message of late.filter(({ kind }) => kind === "ready" || kind === "accept")) {
      expect((await post(here, message)).json.data.state).toBe("cancelled");
    }
  });

  test("ends after fourteen days, and the copy is active again", async () => {
    const { here } = pair;
    await steps.offered?.();
    await here.service.database.owner("update vault_transfers set expires_at = now() - interval '1 second', next_at = now()");
    await resendTransfers(here.service.features.vault);
    expect(await states()).toEqual(["cancelled", "cancelled"]);
    expect((await transferAt(here, transfer_id)).reason).toBe("expired");
    const types = (await chainOf(here.service, here.org.org_id, envelope_id)).map(({ type }) => type);
    expect(types.slice(-1)).toEqual(["vault.transfer_cancelled"]);
  });

  test("is refused by a person, before and after the release, and the sender has the original", { timeout: 120_000 }, async () => {
    const { here, there } = pair;
    await steps.offered?.();
    await steps.accepted?.();
    await go(here, transfer_id, "out");
    await go(there, transfer_id, "in");
    // The release is committed and signed, and has not reached the receiver yet.
    await there.service.database.owner("update remote_vaults set url = 'http://127.0.0.1:1'");
    await here.service.database.owner("update remote_vaults set url = 'http://127.0.0.1:1'");
    await go(here, transfer_id, "out");
    await there.service.database.owner("update remote_vaults set url = $1", [here.service.url]);
    await here.service.database.owner("update remote_vaults set url = $1", [there.service.url]);
    expect(await states()).toEqual(["released", "ready"]);
    const { status } = await there.org.admin("POST", `/partner/vault-transfers/${transfer_id}/refuse`);
    expect(status).toBe(200);
    await go(there, transfer_id, "in");
    expect(await states()).toEqual(["refused", "refused"]);
    expect(await copyState(here, envelope_id)).toBe("active");
    const release = await messageAt(here, "release");
    expect((await post(there, release)).json.data.state).toBe("refused");
    // Custody went on, and the record can be offered again.
    const { custodian } = (await here.org.admin("GET", `/partner/envelopes/${envelope_id}/vault`)).json.data;
    expect(custodian.user_id).toBe(here.org.user_id);
    await offer(here, envelope_id);
  });

  test("whose package was changed is refused, and the copy stays", { timeout: 120_000 }, async () => {
    const { here, there } = pair;
    await steps.offered?.();
    await steps.accepted?.();
    await here.service.database.owner("update remote_vaults set url = 'http://127.0.0.1:1'");
    await go(here, transfer_id, "out");
    await here.service.database.owner("update remote_vaults set url = $1", [there.service.url]);
    const announced = contentOf(await messageAt(here, "package"));
    // The sender announces another hash than that of the package it serves, with its own signature.
    await here.service.database.owner("delete from link_messages where transfer_id = $1 and kind = 'package'", [transfer_id]);
    const wrong = { ...announced, package_size: announced.package_size - 1 };
    expect((await post(there, await signAs(here, wrong))).status).toBe(200);
    await go(there, transfer_id, "in");
    expect((await transferAt(there, transfer_id)).last_error).toBe("the package has another size than announced");
    await flipBit(here.service, here.org, announced.package_sha256);
    await there.service.database.owner("update vault_transfers set next_at = now()");
    await resendTransfers(there.service.features.vault);
    expect((await transferAt(there, transfer_id)).state).toBe("packed");
    expect(await copyState(here, envelope_id)).toBe("escrowed");
    expect((await here.org.admin("POST", `/partner/vault-transfers/${transfer_id}/cancel`)).status).toBe(200);
    expect(await copyState(here, envelope_id)).toBe("active");
  });

  test.each([
    ["no package at all", "package_damaged"],
    ["the package of another record", "another_record"],
  ])("whose sender serves %s is refused, and the sender has the original", { timeout: 120_000 }, async (what, reason) => {
    const { here, there } = pair;
    await steps.offered?.();
    await steps.accepted?.();
    await here.service.database.owner("update remote_vaults set url = 'http://127.0.0.1:1'");
    await go(here, transfer_id, "out");
    const announced = contentOf(await messageAt(here, "package"));
    const [blob] = await here.service.database.owner<{ sha256: string; size: number }>(
      what === "no package at all"
        ? "select sha256, size from authoritative_copies where envelope_id = $1"
        : `select package_sha256 as sha256, package_size as size from vault_transfers where direction = 'out' and envelope_id <> $1
           and package_sha256 is not null and state = 'confirmed' limit 1`,
      [envelope_id],
    );
    if (blob === undefined) expect.fail("there is no other package");
    // A sender that lies: what it announces and serves is not what it packed.
    await here.service.database.owner("update vault_transfers set package_sha256 = $2, package_size = $3 where transfer_id = $1", [
      transfer_id,
      blob.sha256,
      blob.size,
    ]);
    await here.service.database.owner("update remote_vaults set url = $1", [there.service.url]);
    const lie = await signAs(here, { ...announced, package_sha256: blob.sha256, package_size: Number(blob.size) });
    expect((await post(there, lie)).status).toBe(200);
    await go(there, transfer_id, "in");
    expect([(await transferAt(there, transfer_id)).reason, ...(await states())]).toEqual([reason, "refused", "refused"]);
    expect(await copyState(here, envelope_id)).toBe("active");
  });

  test("serves its package to the receiver alone", { timeout: 120_000 }, async () => {
    const { here, there } = pair;
    await steps.offered?.();
    await steps.accepted?.();
    await go(here, transfer_id, "out");
    const { package_size: _size, ...announced } = contentOf(await messageAt(here, "package"));
    const ask = (body: object) => here.service.send("POST", "//vault-link/v1/packages", { body });
    const fetched = { ...announced, type: "countersign/link/1/fetch", offset: 0, at: new Date().toISOString() };
    const { status, json } = await ask(await signAs(there, fetched));
    expect([status, json.data.offset, json.data.piece.length > 1000]).toEqual([200, 0, true]);
    expect((await ask(await signAs(here, fetched))).status).toBe(422);
    const old = { ...fetched, at: new Date(Date.now() - 2 * 3_600_000).toISOString() };
    expect((await ask(await signAs(there, old))).status).toBe(422);
    expect((await ask(await signAs(there, { ...fetched, package_sha256: "0".repeat(64) }))).status).toBe(422);
    expect((await ask(await messageAt(there, "accept"))).status).toBe(422);
    expect((await post(here, await signAs(there, fetched))).status).toBe(422);
  });

  test("to a third vault is a message for another: 422, and nothing opens", { timeout: 120_000 }, async () => {
    const { here, there } = pair;
    for (const step of Object.values(steps)) await step();
    await go(there, transfer_id, "in");
    await go(here, transfer_id, "out");
    for (const kind of ["offer", "package", "release"]) {
      const { status, json } = await post(stranger, await messageAt(here, kind));
      const says = kind === "release" ? "The release is for another vault" : "The message is for another vault";
      expect([status, json]).toEqual([422, refusedWith(says)]);
    }
    const release = contentOf(await messageAt(here, "release"));
    const receiver = { root: stranger.root, org_id: stranger.org.org_id };
    const moved = await signAs(here, { ...release, receiver });
    expect((await post(stranger, moved)).status).toBe(403);
  });

  test("contradicted by a signed message about another record or package is refused with 422", async () => {
    const { here, there } = pair;
    await steps.offered?.();
    const offered = contentOf(await messageAt(here, "offer"));
    const { status, json } = await post(there, await signAs(here, { ...offered, copy_sha256: createHash("sha256").digest("hex") }));
    expect([status, json]).toEqual([422, refusedWith("The message contradicts what is known of this transfer or act")]);
  });

  test("is signed: another key, another byte or no signature is 422", async () => {
    const { here, there } = pair;
    await steps.offered?.();
    const message = await messageAt(here, "offer");
    const says = "The message is not signed by a key of the vault that it names";
    const forged = await signAs(there, contentOf(message));
    for (const body of [forged, { ...message, signature: forged.signature }, { ...message, signature: "AAAA" }]) {
      const { status, json } = await post(there, body);
      expect([status, json]).toEqual([422, refusedWith(says)]);
    }
    for (const bytes of [
      "AAAA",
      Buffer.from("{}").toString("base64"),
      Buffer.from(` ${JSON.stringify(contentOf(message))}`).toString("base64"),
    ]) {
      const { status, json } = await post(there, { ...message, bytes });
      expect([status, json]).toEqual([422, refusedWith("This is not a message between vaults in canonical form")]);
    }
    expect((await post(there, { ...message, bytes: "not base64!" })).status).toBe(422);
    expect((await post(there, { ...message, bytes: "A".repeat(70_000) })).status).toBe(413);
  });

  test("cannot be offered twice at once, nor under a hold", async () => {
    const { here } = pair;
    expect((await propose(here, envelope_id)).headers["x-error-code"]).toBe("vault_transfer_pending");
    expect((await here.org.admin("POST", `/partner/vault-transfers/${transfer_id}/cancel`)).status).toBe(200);
    await here.org.admin("POST", `/partner/envelopes/${envelope_id}/vault/legal-hold`, { body: { reason: "Suit" } });
    expect((await propose(here, envelope_id)).headers["x-error-code"]).toBe("copy_on_hold");
    const unknown = { ...here, vault_id: pair.there.vault_id };
    expect((await propose(unknown, envelope_id)).headers["x-error-code"]).toBe("remote_vault_not_found");
  });

  test("is withdrawn if a hold is placed before it is packed", async () => {
    const { here, there } = pair;
    await steps.offered?.();
    await here.org.admin("POST", `/partner/envelopes/${envelope_id}/vault/legal-hold`, { body: { reason: "Suit" } });
    await steps.accepted?.();
    await go(here, transfer_id, "out");
    expect(await states()).toEqual(["cancelled", "cancelled"]);
    expect([(await transferAt(here, transfer_id)).reason, await copyState(here, envelope_id)]).toEqual(["copy_on_hold", "active"]);
    expect(there.org).toBeDefined();
  });

  test("is withdrawn if another party came to control the record, or got a pledge on it, before it is packed", async () => {
    const { here } = pair;
    await steps.offered?.();
    const at = `/partner/envelopes/${envelope_id}`;
    const { party_id } = (await here.org.admin("POST", "/partner/parties", { body: { kind: "people", name: "Example Lender" } })).json.data;
    const { control_version } = (await here.org.admin("GET", `${at}/vault`)).json.data;
    const body = { kind: "pledge", reason: "Security", present_version: control_version, party_id };
    expect((await here.org.admin("POST", `${at}/acts`, { body })).json.data.state).toBe("effective");
    await steps.accepted?.();
    await go(here, transfer_id, "out");
    expect(await states()).toEqual(["cancelled", "cancelled"]);
    expect([(await transferAt(here, transfer_id)).reason, await copyState(here, envelope_id)]).toEqual(["control_changed", "active"]);
  });

  test("is accepted only with a customer and a member of the organization", async () => {
    const { here, there } = pair;
    await steps.offered?.();
    const path = `/partner/vault-transfers/${transfer_id}/accept`;
    const right = { customer_id: there.customer_id, custodian_user_id: there.org.user_id };
    for (const wrong of [{ customer_id: here.customer_id }, { custodian_user_id: here.org.user_id }]) {
      expect((await there.org.admin("POST", path, { body: { ...right, ...wrong } })).status).toBe(422);
    }
    expect((await here.org.admin("POST", path, { body: right })).status).toBe(404);
    const key = await there.org.newKey({ scopes: ["vault:read"] });
    expect((await key.send("POST", path, { body: right })).status).toBe(403);
  });

  test("of a record that this installation already holds is 409 and names no organization", async () => {
    const { here, there } = pair;
    await steps.offered?.();
    const other = await there.service.newOrg("Another organization");
    const own = await vaultedByPipeline(there.service, other);
    const { lineage_id } = (await there.org.admin("GET", `/partner/vault-transfers/${transfer_id}`)).json.data;
    await there.service.database.owner("update authoritative_copies set lineage_id = $2 where envelope_id = $1", [own, lineage_id]);
    const body = { customer_id: there.customer_id, custodian_user_id: there.org.user_id };
    const { status, json } = await there.org.admin("POST", `/partner/vault-transfers/${transfer_id}/accept`, { body });
    expect([status, json]).toEqual([409, refusedWith("This installation already holds the original of this record")]);
    expect(JSON.stringify(json)).not.toContain(other.org_id);
    expect(here.org).toBeDefined();
  });
});

describe("a vault", () => {
  test("is pinned only if its trust document is signed by the root that the caller knows", async () => {
    const { here, there } = pair;
    const body = { url: there.service.url, root_sha256: here.root, org_id: there.org.org_id };
    const wrong = await stranger.org.admin("POST", "/partner/remote-vaults", { body });
    expect([wrong.status, wrong.json.details]).toEqual([
      422,
      [{ location: "body", field: "root_sha256", code: "invalid_value", message: "must be the root that signed the trust document there" }],
    ]);
    for (const url of ["http://127.0.0.1:1", "http://example.com", "ftp://127.0.0.1", `${there.service.url}/?a=b`]) {
      const { status, json } = await stranger.org.admin("POST", "/partner/remote-vaults", { body: { ...body, url } });
      expect([url, status, json.details[0].field]).toEqual([url, 422, "url"]);
    }
    const key = await here.org.newKey();
    expect((await key.send("POST", "/partner/remote-vaults", { body })).status).toBe(401);
    const twice = { url: there.service.url, root_sha256: there.root, org_id: there.org.org_id };
    expect((await here.org.admin("POST", "/partner/remote-vaults", { body: twice })).status).toBe(409);
  });

  test("that has not pinned the sender answers 403, like an organization that does not exist", async () => {
    const { here } = pair;
    const side: Side = { ...here, vault_id: await pin(here, stranger) };
    const id = await offer(side, await vaulted(here));
    await go(here, id, "out");
    expect((await transferAt(here, id)).last_error).toBe("vault_not_pinned");
    const removed = `/partner/remote-vaults/${side.vault_id}`;
    expect((await here.org.admin("DELETE", removed)).status).toBe(409);
    await here.org.admin("POST", `/partner/vault-transfers/${id}/cancel`);
    expect((await here.org.admin("DELETE", removed)).json.data.state).toBe("removed");
    expect((await here.org.admin("DELETE", removed)).status).toBe(404);
    expect((await stranger.org.admin("DELETE", removed)).status).toBe(404);
  });

  test("hands messages over as files, for the organization that they name only", { timeout: 120_000 }, async () => {
    const { here, there } = pair;
    transfer_id = await offer(here, await vaulted(here));
    await here.service.database.owner("update remote_vaults set url = 'http://127.0.0.1:1' where state = 'pinned'");
    await go(here, transfer_id, "out");
    await here.service.database.owner("update remote_vaults set url = $1 where state = 'pinned'", [there.service.url]);
    const { bytes, signature } = await messageAt(here, "offer");
    const path = "/partner/vault-transfers/messages";
    const other = await there.service.newOrg("Another organization");
    const wrong = await other.admin("POST", path, { body: { bytes, signature } });
    expect([wrong.status, wrong.json]).toEqual([422, refusedWith("The message is for another vault")]);
    const { status, json } = await there.org.admin("POST", path, { body: { bytes, signature } });
    expect([status, json.data]).toEqual([200, { transfer_id, state: "offered", reply: null }]);
  });
});

test("transfers are listed by direction, state and time, and each scope sees its own direction", async () => {
  const { here, there } = pair;
  const list = async (side: Side, query: string) => (await side.org.admin("GET", `/partner/vault-transfers?${query}`)).json;
  expect((await list(here, "direction=in")).meta.total).toBe(0);
  const all = (await list(there, "direction=in")).meta.total;
  expect(all).toBeGreaterThan(3);
  expect((await list(there, "state=done")).meta.total).toBeGreaterThan(0);
  expect((await list(there, `updated_since=${encodeURIComponent(new Date(Date.now() + 60_000).toISOString())}`)).meta.total).toBe(0);
  const key = await there.org.newKey({ scopes: ["vault:release"] });
  expect((await key.send("GET", "/partner/vault-transfers")).json.meta.total).toBe(0);
  await certify(there, (await list(there, "state=done")).data[0].envelope_id);
});
