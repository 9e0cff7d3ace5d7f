import { canonicalize, hashOfJson, subjectsOfKinds } from "@countersign/evidence";
import { beforeAll, describe, expect, test } from "vitest";
import { unzipBundle } from "../../../../verify/src/unzip-bundle.ts";
import { verifyBundle } from "../../../../verify/src/verify-bundle.ts";
import type { Send } from "../../../test/client.ts";
import { chainOf } from "../../../test/envelopes.ts";
import { neighbours, pin, type Side, twoVaults } from "../../../test/two-vaults.ts";
import { newMember, vaultedByPipeline, vaultedCopies } from "../../../test/vaulted.ts";
import { ensureInstanceKeys } from "../../seals/instance-keys.ts";
import { rotateKey } from "../../seals/rotate-key.ts";
import type { EnvelopeId, RemoteVaultId } from "../../shared/ids.ts";
import { publishTrust } from "../../transparency/trust.ts";
import { expireActs } from "../acts/end-act.ts";
import { kinds } from "../acts/kinds.ts";
import { exchangeActs } from "./exchange-act.ts";

/** A bank with an installation of its own decides there about records that another installation keeps. */

const pair = twoVaults();
let party_id: string;
const records: EnvelopeId[] = [];

const newParty = (side: Side, vault_id: string, name = "Second Example Bank") =>
  side.org.admin("POST", "/partner/parties", { body: { kind: "vault", name, vault_id } });

beforeAll(async () => {
  const { here } = pair;
  const { status, json } = await newParty(here, here.vault_id);
  expect([status, json.error]).toEqual([201, undefined]);
  party_id = json.data.party_id;
  records.push(...(await vaultedCopies(here.service, here.org, 24)).map(({ envelope_id }) => envelope_id));
}, 60_000);

const newRecord = (): EnvelopeId => records.pop() ?? expect.fail("more records are needed");

interface Proposed {
  readonly act_id: string;
  readonly sha256: string;
  readonly envelope_id: EnvelopeId;
}

async function propose(side: Side, envelope_id: EnvelopeId, more: object, send: Send = side.org.admin): Promise<Proposed> {
  const { control_version: present_version } = (await side.org.admin("GET", `/partner/envelopes/${envelope_id}/vault`)).json.data;
  const body = { kind: "designate", reason: "Sale of the loan", present_version, ...more };
  const { status, json } = await send("POST", `/partner/envelopes/${envelope_id}/acts`, { body });
  expect([status, json.error]).toEqual([201, undefined]);
  return { act_id: json.data.act_id, sha256: json.data.sha256, envelope_id };
}

/** Runs the jobs of both sides that send and take messages. */
const exchange = (side: Side) => exchangeActs(side.service.features.vault);

async function asked(more: object = {}): Promise<Proposed> {
  const act = await propose(pair.here, newRecord(), { party_id, ...more });
  await exchange(pair.here);
  return act;
}

const actAt = async ({ org }: Side, act_id: string) => (await org.admin("GET", `/partner/acts/${act_id}`)).json.data;

async function requestAt({ org }: Side, act_id: string) {
  const { json } = await org.admin("GET", "/partner/remote-requests?limit=100");
  return json.data.find((one: { act_id: string }) => one.act_id === act_id) ?? expect.fail(`there is no request about ${act_id}`);
}

const decide = async (side: Side, { act_id, sha256 }: Proposed, decision = "confirm", send: Send = side.org.admin) =>
  send("POST", `/partner/remote-requests/${(await requestAt(side, act_id)).request_id}/decision`, { body: { decision, sha256 } });

interface MessageFile {
  readonly kind: string;
  readonly bytes: string;
  readonly signature: string;
}

/** Of either side. */
async function messageAt(side: Side, act_id: string, kind: string): Promise<MessageFile> {
  const path = side === pair.here ? `acts/${act_id}` : `remote-requests/${(await requestAt(side, act_id)).request_id}`;
  const { json } = await side.org.admin("GET", `/partner/${path}/messages`);
  return json.data.find((one: MessageFile) => one.kind === kind) ?? expect.fail(`there is no ${kind}`);
}

const post = (side: Side, { bytes, signature }: Pick<MessageFile, "bytes" | "signature">) =>
  side.service.send("POST", "//vault-link/v1/messages", { body: { bytes, signature } });

const contentOf = ({ bytes }: Pick<MessageFile, "bytes">) => JSON.parse(Buffer.from(bytes, "base64").toString("utf8"));

/** Signs with the records key of a side, as an operator with the keys could. */
async function signAs({ service }: Side, message: object): Promise<Pick<MessageFile, "bytes" | "signature">> {
  const { records: key } = await ensureInstanceKeys(service.features.seals);
  const bytes = Buffer.from(canonicalize({ ...message, key_id: key.key_id }));
  return { bytes: bytes.toString("base64"), signature: Buffer.from(await key.sign(bytes)).toString("base64") };
}

/** What the other side would send if one of its admins confirmed. */
async function decisionOn({ act_id, sha256: act_sha256 }: Proposed, more: object = {}) {
  const { asker, decider } = contentOf(await messageAt(pair.here, act_id, "request"));
  const at = new Date().toISOString();
  const decided_by = { user_id: "usr_ann", name: "Ann", email: "ann@bank.example", key_name: null };
  const content = { type: "countersign/link/1/decision", asker, decider, act_id, act_sha256, party_id, decision: "confirm", reason: null };
  return { ...content, decided_at: at, decided_by, at, ...more };
}

describe("a party of kind vault", () => {
  test("names a vault that the organization has pinned, once, and has no people", async () => {
    const { here, there } = pair;
    const found = (await here.org.admin("GET", `/partner/parties/${party_id}`)).json.data;
    expect([found.kind, found.vault_id, found.people]).toEqual(["vault", here.vault_id, []]);
    expect((await here.org.admin("GET", "/partner/parties?kind=vault")).json.meta.total).toBe(1);
    expect((await newParty(here, here.vault_id, "Again")).json.details?.[0]?.code).toBe("party_exists");
    // Another organization's vault looks like one that does not exist.
    for (const vault_id of [there.vault_id, "rv_01h2xcejqtf2nbrexx3vqjhp41"]) {
      const { status, json } = await newParty(here, vault_id);
      expect([status, json.details?.[0]?.field, json.details?.[0]?.code]).toEqual([422, "vault_id", "not_found"]);
    }
    const missing = await here.org.admin("POST", "/partner/parties", { body: { kind: "vault", name: "Bank" } });
    expect([missing.status, missing.json.details?.[0]?.field]).toEqual([422, "vault_id"]);
    const mixed = { kind: "people", name: "Bank", vault_id: here.vault_id };
    expect((await here.org.admin("POST", "/partner/parties", { body: mixed })).status).toBe(422);
    const person = { email: "ann@bank.example", name: "Ann", rights: "approve" };
    expect((await here.org.admin("POST", `/partner/parties/${party_id}/people`, { body: person })).status).toBe(422);
  });

  test("cannot be asked about many records at once, because their list does not travel", async () => {
    const { here } = pair;
    const envelope_ids = [newRecord(), newRecord()];
    const body = { kind: "designate", envelope_ids, party_id, reason: "Pool" };
    const { status, json } = await here.org.admin("POST", "/partner/control-batches", { body });
    expect([status, json.details?.[0]?.code]).toEqual([422, "batch_asks_vault"]);
  });
});

describe("a request", () => {
  test("is shown to the members of the organization that is asked, in the words of the act, and its admins get an e-mail", async () => {
    const { here, there } = pair;
    const act = await asked();
    const request = await requestAt(there, act.act_id);
    expect(request).toMatchObject({
      state: "open",
      summary: "Confirm that the record “Contract” is assigned to Second Example Bank",
      org_name: "First Example Bank",
      vault_id: there.vault_id,
      party_name: "Second Example Bank",
      sha256: act.sha256,
      decision: null,
      outcome: null,
    });
    expect(request.document).toEqual((await actAt(here, act.act_id)).document);
    expect((await there.org.admin("GET", `/partner/remote-requests/${request.request_id}`)).json.data).toEqual(request);
    const [mail] = await there.service.database.owner<{ payload: { org_id: string; subject: string; text: string } }>(
      "select payload from outbox where task = 'orgs.notify-admins' and payload ->> 'text' like '%' || $1 || '%'",
      [request.request_id],
    );
    expect([mail?.payload.org_id, mail?.payload.subject]).toEqual([
      there.org.org_id,
      "First Example Bank asks Second Example Bank to confirm a request",
    ]);
    expect(mail?.payload.text).toContain(
      "The request came from another installation, which your organization pinned as Second Example Bank.",
    );
  });

  test("is decided over the hash of its document, by a member, once; and the act takes effect at the other installation", async () => {
    const { here, there } = pair;
    const act = await asked();
    const wrong = await decide(there, { ...act, sha256: "0".repeat(64) });
    expect([wrong.status, wrong.json.details?.[0]?.field]).toEqual([422, "sha256"]);
    const { send } = await newMember(there.service, there.org);
    expect((await decide(there, act, "confirm", send)).status).toBe(403);
    const { status, json } = await decide(there, act);
    expect([status, json.data.state, json.data.decided_by.email]).toEqual([200, "decided", there.org.email.toLowerCase()]);
    expect((await decide(there, act)).json.details?.[0]?.code).toBe("not_asked");
    expect((await actAt(here, act.act_id)).state).toBe("proposed");
    await exchange(there);
    const now = await actAt(here, act.act_id);
    expect([now.state, now.approvals]).toEqual([
      "effective",
      [
        {
          role: "party",
          party_id,
          by: { kind: "vault", id: here.vault_id },
          email: there.org.email.toLowerCase(),
          decision: "confirm",
          method: "vault_key",
          is_member: false,
          approvers_replaced: false,
          at: expect.any(String),
        },
      ],
    ]);
    const about = (await chainOf(here.service, here.org.org_id, act.envelope_id)).filter(({ data }) => data.act_id === act.act_id);
    expect(about.map(({ type, actor }) => [type, actor.kind])).toEqual([
      ["act.proposed", "user"],
      ["act.confirmed", "vault"],
      ["act.effective", "vault"],
    ]);
    const { control } = (await here.org.admin("GET", `/partner/envelopes/${act.envelope_id}/vault`)).json.data;
    expect(control.controller).toEqual({ party_id, name: "Second Example Bank", confirmation: "confirmed" });
    await exchange(here);
    expect(await requestAt(there, act.act_id)).toMatchObject({ state: "closed", outcome: "effective", delivered: true, last_error: null });
    const entries = (await there.org.admin("GET", "/org/audit-trail?limit=100")).json.data.filter(
      (entry: { data?: { act_id?: string } }) => entry.data?.act_id === act.act_id,
    );
    expect(entries.map(({ type }: { type: string }) => type).sort()).toEqual([
      "remote_request.closed",
      "remote_request.decided",
      "remote_request.received",
    ]);
  });

  test("can be refused, with a reason that travels; nothing changes", async () => {
    const { here, there } = pair;
    const act = await asked();
    const { request_id } = await requestAt(there, act.act_id);
    const body = { decision: "refuse", sha256: act.sha256, reason: "Not our loan" };
    expect((await there.org.admin("POST", `/partner/remote-requests/${request_id}/decision`, { body })).status).toBe(200);
    await exchange(there);
    expect((await actAt(here, act.act_id)).state).toBe("refused");
    const refused = (await chainOf(here.service, here.org.org_id, act.envelope_id)).find(({ type }) => type === "act.refused");
    expect(refused?.data.reason).toBe("Not our loan");
  });

  test("can be decided with a key, whose creator and name are told; a key whose creator is no member decides nothing", async () => {
    const { here, there } = pair;
    const act = await asked();
    const key = await there.org.newKey({ scopes: ["control:approve", "vault:read"] });
    expect((await decide(there, act, "confirm", key.send)).json.data.decided_by.key_name).not.toBeNull();
    await exchange(there);
    expect((await actAt(here, act.act_id)).state).toBe("effective");
    const other = await asked();
    await there.service.database.owner("update api_keys set created_by = null where key_id = $1", [key.key_id]);
    expect((await decide(there, other, "confirm", key.send)).json.details?.[0]?.code).toBe("no_principal");
  });

  test("of an act that was cancelled, expired or superseded is closed, also if that is heard before the request", async () => {
    const { here, there } = pair;
    const [cancelled, expired, first] = [await asked(), await asked(), await asked()];
    const second = await propose(here, first.envelope_id, { party_id });
    await exchange(here);
    expect((await here.org.admin("POST", `/partner/acts/${cancelled.act_id}/cancel`)).status).toBe(200);
    await here.service.database.owner("update control_acts set expires_at = now() where act_id = $1", [expired.act_id]);
    await expireActs(here.service.features.vault);
    await decide(there, second);
    await exchange(there);
    await exchange(here);
    const outcomes = await Promise.all([cancelled, expired, first].map(async ({ act_id }) => (await requestAt(there, act_id)).outcome));
    expect(outcomes).toEqual(["cancelled", "expired", "superseded"]);
    const late = await decide(there, cancelled);
    expect([late.status, late.json.details?.[0]?.code]).toEqual([409, "act_closed"]);

    // The end of an act arrives, and its request afterwards.
    const act = await propose(here, newRecord(), { party_id });
    const { act: document, ...request } = contentOf(await messageAt(here, cancelled.act_id, "request"));
    const mine = { ...document, act_id: act.act_id, ...(await actAt(here, act.act_id)).document };
    const shown = { ...request, act: mine, act_id: act.act_id, act_sha256: act.sha256, at: new Date().toISOString() };
    const closing = await signAs(here, { ...shown, type: "countersign/link/1/closing", outcome: "cancelled" });
    expect((await post(there, closing)).json.data.state).toBe("closed");
    await exchange(here);
    expect(await requestAt(there, act.act_id)).toMatchObject({ state: "closed", outcome: "cancelled" });
  });

  test("travels as a file where the installations cannot reach each other, and the address that did not take it is shown", async () => {
    const { here, there } = pair;
    const move = (url: string) =>
      here.service.database.owner("update remote_vaults set url = $1 where vault_id = $2", [url, here.vault_id]);
    const [known] = await here.service.database.owner<{ url: string }>("select url from remote_vaults where vault_id = $1", [
      here.vault_id,
    ]);
    await move("http://127.0.0.1:9");
    const act = await asked();
    expect((await actAt(here, act.act_id)).needs[0].unreachable).toEqual(["http://127.0.0.1:9"]);
    const file = await messageAt(here, act.act_id, "request");
    const body = { bytes: file.bytes, signature: file.signature };
    const handed = () => there.org.admin("POST", "/partner/remote-requests/messages", { body });
    expect((await handed()).json.data).toEqual({ act_id: act.act_id, state: "open", reply: null });
    await decide(there, act);
    await exchange(there);
    const { reply } = (await handed()).json.data;
    expect(contentOf(reply)).toMatchObject({ type: "countersign/link/1/decision", decision: "confirm" });
    expect((await actAt(here, act.act_id)).state).toBe("effective");
    await move(known?.url ?? "");
  });

  test("that was taken is not shown as unreached when the installation is away later", async () => {
    const { here } = pair;
    const { owner } = here.service.database;
    const act = await asked();
    const [known] = await owner<{ url: string }>("select url from remote_vaults where vault_id = $1", [here.vault_id]);
    await owner("update remote_vaults set url = 'http://127.0.0.1:9' where vault_id = $1", [here.vault_id]);
    await owner("update asked_vaults set next_at = now() where act_id = $1", [act.act_id]);
    await exchange(here);
    const [row] = await owner("select last_error is not null as failed from asked_vaults where act_id = $1", [act.act_id]);
    expect([row, (await actAt(here, act.act_id)).needs[0].unreachable]).toEqual([{ failed: true }, []]);
    await owner("update remote_vaults set url = $1 where vault_id = $2", [known?.url, here.vault_id]);
  });

  test("is heard also by an installation that cannot be reached from outside: the answer to a repeated request has the decision", async () => {
    const { here, there } = pair;
    const act = await asked();
    const move = (url: string) =>
      there.service.database.owner("update remote_vaults set url = $1 where vault_id = $2", [url, there.vault_id]);
    await move("http://127.0.0.1:9");
    await decide(there, act);
    await exchange(there);
    expect(await requestAt(there, act.act_id)).toMatchObject({ delivered: false, last_error: expect.stringMatching(/\w/) });
    await here.service.database.owner("update asked_vaults set next_at = now() where act_id = $1", [act.act_id]);
    await exchange(here);
    expect((await actAt(here, act.act_id)).state).toBe("effective");
    expect(await requestAt(there, act.act_id)).toMatchObject({ state: "closed", outcome: "effective" });
    await move(here.service.url);
  });
});

describe("what does not fit is refused", () => {
  const refused = async (message: object, by: Side = pair.there) => {
    const { status, json } = await post(pair.here, await signAs(by, message));
    return [status, json.details?.[0]?.code];
  };

  test("a decision that came before changes nothing, and another one after it contradicts", async () => {
    const { here, there } = pair;
    const act = await asked();
    await decide(there, act);
    await exchange(there);
    const sent = await messageAt(there, act.act_id, "decision");
    expect((await post(here, sent)).json.data).toEqual({ act_id: act.act_id, state: "effective", reply: null });
    expect((await actAt(here, act.act_id)).approvals).toHaveLength(1);
    expect(await refused(await decisionOn(act, { decision: "refuse" }))).toEqual([422, "message_contradicts"]);
  });

  test("a decision about another act, with another hash, for another party, or about an act that has ended", async () => {
    const { here } = pair;
    const [act, other, ended] = [await asked(), await asked(), await asked()];
    await here.org.admin("POST", `/partner/acts/${ended.act_id}/cancel`);
    expect(await refused(await decisionOn(act, { act_id: "act_01h2xcejqtf2nbrexx3vqjhp41" }))).toEqual([404, "act_not_found"]);
    expect(await refused(await decisionOn(act, { act_sha256: other.sha256 }))).toEqual([422, "message_contradicts"]);
    expect(await refused(await decisionOn(act, { party_id: "pty_01h2xcejqtf2nbrexx3vqjhp41" }))).toEqual([404, "act_not_found"]);
    expect(await refused(await decisionOn(ended))).toEqual([409, "act_closed"]);
    expect((await actAt(here, act.act_id)).approvals).toEqual([]);
  });

  test("a decision of another vault, under another root, for another installation, or with a signature of another key", async () => {
    const { here, there } = pair;
    const act = await asked();
    const { asker, decider } = await decisionOn(act);
    const another = { ...there, org: await there.service.newOrg("Third Example Bank") };
    await pin(here, another);
    expect(await refused(await decisionOn(act, { decider: { ...decider, org_id: another.org.org_id } }))).toEqual([
      422,
      "message_contradicts",
    ]);
    const root = "0".repeat(64);
    expect(await refused(await decisionOn(act, { decider: { ...decider, root } }))).toEqual([403, "vault_not_pinned"]);
    expect(await refused(await decisionOn(act, { asker: { ...asker, root } }))).toEqual([422, "message_not_for_this_vault"]);
    expect(await refused(await decisionOn(act), here)).toEqual([422, "message_not_signed"]);
    const changed = await signAs(there, await decisionOn(act));
    const bytes = Buffer.from(changed.bytes, "base64").toString("utf8").replace("ann@", "eve@");
    const { status, json } = await post(here, { ...changed, bytes: Buffer.from(bytes).toString("base64") });
    expect([status, json.details?.[0]?.code]).toEqual([422, "message_not_signed"]);
    expect((await actAt(here, act.act_id)).approvals).toEqual([]);
  });

  test("a decision of the person who proposed the act; and one of another member of that organization is recorded as such", async () => {
    const { here } = pair;
    const act = await asked();
    const decided_by = { user_id: "usr_ann", name: "Ann", email: here.org.email.toLowerCase(), key_name: null };
    expect(await refused(await decisionOn(act, { decided_by }))).toEqual([403, "same_principal"]);
    const { user_id } = await newMember(here.service, here.org);
    const [member] = await here.service.database.owner<{ email: string }>("select email from users where user_id = $1", [user_id]);
    const email = (member?.email ?? "").toLowerCase();
    const taken = await post(here, await signAs(pair.there, await decisionOn(act, { decided_by: { ...decided_by, email } })));
    expect(taken.json.data.state).toBe("effective");
    expect((await actAt(here, act.act_id)).approvals).toMatchObject([{ email, is_member: true }]);
  });

  test("a refused decision shows its code where it was made, and is no sign that the request was not delivered", async () => {
    const { here, there } = pair;
    const act = await asked();
    const rename = (email: string) =>
      there.service.database.owner("update users set email = $1 where user_id = $2", [email, there.org.user_id]);
    await rename(here.org.email);
    expect((await decide(there, act)).status).toBe(200);
    await rename(there.org.email);
    await exchange(there);
    expect(await requestAt(there, act.act_id)).toMatchObject({ state: "decided", delivered: false, last_error: "same_principal" });
    await here.service.database.owner("update asked_vaults set next_at = now() where act_id = $1", [act.act_id]);
    await exchange(here);
    const [known] = await here.service.database.owner<{ last_error: string }>("select last_error from asked_vaults where act_id = $1", [
      act.act_id,
    ]);
    expect(known?.last_error).toBe("same_principal");
    expect(await actAt(here, act.act_id)).toMatchObject({ state: "proposed", approvals: [], needs: [{ unreachable: [] }] });
  });

  test("a request of a vault that is not pinned, about another act than its hash names, not fitting its kind, or to another organization", async () => {
    const { here, there } = pair;
    const other = await asked();
    // Its own request is not sent yet.
    const act = await propose(here, newRecord(), { party_id });
    const { document } = await actAt(here, act.act_id);
    const known = contentOf(await messageAt(here, other.act_id, "request"));
    const request = { ...known, act: document, act_id: act.act_id, act_sha256: act.sha256 };
    const stranger = await there.service.newOrg("Third Example Bank");
    const codeOf = async (message: object) => (await post(there, await signAs(here, message))).json.details?.[0]?.code;
    expect(await codeOf({ ...request, act_sha256: other.sha256 })).toBe("message_malformed");
    expect(await codeOf({ ...request, act: { ...document, reason: "Another one" } })).toBe("message_malformed");
    expect(await codeOf({ ...request, decider: { ...known.decider, org_id: stranger.org_id } })).toBe("message_malformed");
    expect(await codeOf({ ...request, words: "Sign here" })).toBe("message_malformed");
    expect(await codeOf({ ...request, org_name: "" })).toBe("message_malformed");
    const exported = { ...document, kind: "export_out" };
    expect(await codeOf({ ...request, act: exported, act_sha256: hashOfJson(exported) })).toBe("message_malformed");
    const unpinned = await here.service.newOrg("Fourth Example Bank");
    const theirs = { ...document, org_id: unpinned.org_id };
    const unknown = { act: theirs, act_sha256: hashOfJson(theirs) };
    expect(await codeOf({ ...request, ...unknown, asker: { ...known.asker, org_id: unpinned.org_id } })).toBe("vault_not_pinned");
    const { json } = await there.org.admin("GET", "/partner/remote-requests?limit=100");
    expect(json.data.filter((one: { act_id: string }) => one.act_id === act.act_id)).toEqual([]);
  });
});

test("what each kind of act is about is the same in the messages as in the acts", () => {
  const subjects = Object.entries(kinds).map(([kind, { takes }]) => [
    kind,
    takes.map((member) => member.replace(/^(party|user|vault)_id$/, "$1")),
  ]);
  expect(subjectsOfKinds).toEqual(Object.fromEntries(subjects));
});

describe("evidence", () => {
  const verify = (bytes: Uint8Array, root: string) => verifyBundle(() => unzipBundle(bytes), { root, tsa_roots: null });

  async function judged({ org }: Side, envelope_id: EnvelopeId) {
    const { status, json } = await org.admin("POST", `/partner/envelopes/${envelope_id}/compliance`);
    expect([status, json.error]).toEqual([200, undefined]);
    return json.data.checks;
  }

  test("proves the decision offline, under the pinned root, also after the other installation has new keys and a new root", async () => {
    const { here, there } = pair;
    const envelope_id = await vaultedByPipeline(here.service, here.org);
    const act = await propose(here, envelope_id, { party_id });
    await exchange(here);
    const deps = there.service.features.seals;
    for (const purpose of ["records", "root"] as const)
      await rotateKey(deps, { purpose, old_key_lost: false, record: async () => undefined });
    // As it is fetched a minute later: the document is signed anew at most once a minute.
    const trust = await publishTrust(there.service.features.log, 0)();
    await here.service.database.owner("update remote_vaults set trust = $1 where vault_id = $2", [trust, here.vault_id]);
    await decide(there, act);
    await exchange(there);
    expect((await actAt(here, act.act_id)).state).toBe("effective");
    const [grade, reason] = await judged(here, envelope_id).then((checks) => [checks[7].grade, checks[7].grade_reason]);
    expect([grade, reason]).toEqual([
      "proven",
      `Confirmed by ${there.org.email.toLowerCase()} at another installation, which signed this act (root ${there.root.slice(0, 16)}…). That this installation acts for the party was not verified: the depositing organization pinned its root.`,
    ]);
    const { bytes } = await here.org.admin("GET", `/partner/envelopes/${envelope_id}/vault/evidence`);
    const report = await verify(bytes, here.root);
    expect([report.outcome, report.steps.filter(({ passed }) => !passed)]).toEqual(["VERIFIED", []]);
    expect(JSON.stringify(report)).toContain(`root ${there.root}`);
    const files = unzipBundle(bytes);
    const changed = files.map((file) => {
      const text = Buffer.from(file.bytes).toString("utf8");
      const at = file.name.endsWith("facts.json") ? text.indexOf('"proof":{"bytes":"') : -1;
      return at < 0
        ? file
        : { ...file, bytes: Buffer.from(`${text.slice(0, at + 40)}${text[at + 40] === "A" ? "B" : "A"}${text.slice(at + 41)}`) };
    });
    expect(changed.filter((file, index) => file !== files[index])).toHaveLength(1);
    expect((await verifyBundle(() => changed, { root: here.root, tsa_roots: null })).outcome).toBe("FAILED");
    // The custodian whom the party designates there is proven in the same way.
    await designateCustodian(here, envelope_id);
  }, 60_000);

  async function designateCustodian(side: Side, envelope_id: EnvelopeId): Promise<void> {
    const act = await propose(side, envelope_id, { kind: "designate_custodian", user_id: side.org.user_id });
    await exchange(side);
    await decide(pair.there, act);
    await exchange(pair.there);
    const checks = await judged(side, envelope_id);
    expect([checks[2].id, checks[2].grade]).toEqual(["custodian", "proven"]);
  }

  test("is at most attested if both organizations are at one installation", async () => {
    const { here } = pair;
    const { own, other } = await neighbours(here.service, await here.service.newOrg("Fifth Example Bank"));
    const next = (await newParty(own, own.vault_id, "Sixth Example Bank")).json.data.party_id;
    const envelope_id = await vaultedByPipeline(here.service, own.org);
    const act = await propose(own, envelope_id, { party_id: next });
    await exchange(own);
    await decide(other, act);
    await exchange(other);
    const checks = await judged(own, envelope_id);
    expect([checks[7].grade, checks[7].grade_reason]).toEqual([
      "attested",
      `Confirmed by ${other.org.email.toLowerCase()} for Sixth Example Bank at an organization of the same installation, which signed its own request.`,
    ]);
  }, 60_000);
});

describe("unpinning", () => {
  const unpin = (side: Side, vault_id: RemoteVaultId) => side.org.admin("DELETE", `/partner/remote-vaults/${vault_id}`);

  test("is refused while a party that the vault stands for is asked or controls a record, and closes what that vault asks", async () => {
    const { here } = pair;
    const { own, other } = await neighbours(here.service, await here.service.newOrg("Seventh Example Bank"));
    const next = (await newParty(own, own.vault_id)).json.data.party_id;
    const [one, two] = await vaultedCopies(here.service, own.org, 2);
    const [act, open] = [
      await propose(own, one?.envelope_id as EnvelopeId, { party_id: next }),
      await propose(own, two?.envelope_id as EnvelopeId, { party_id: next }),
    ];
    await exchange(own);
    expect((await unpin(own, own.vault_id)).json.details?.[0]?.code).toBe("vault_in_use");
    await decide(other, act);
    await exchange(other);
    await own.org.admin("POST", `/partner/acts/${open.act_id}/cancel`);
    // It controls the first record now.
    expect((await unpin(own, own.vault_id)).json.details?.[0]?.code).toBe("vault_in_use");
    await exchange(own);

    const asking = await propose(own, two?.envelope_id as EnvelopeId, { party_id: next });
    await exchange(own);
    expect((await unpin(other, other.vault_id)).status).toBe(200);
    expect(await requestAt(other, asking.act_id)).toMatchObject({ state: "closed", outcome: "unpinned" });
    const late = await decide(other, asking);
    expect([late.status, late.json.details?.[0]?.code]).toEqual([409, "act_closed"]);
  });
});
