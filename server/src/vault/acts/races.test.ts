import { firstFault } from "@countersign/evidence";
import { beforeAll, describe, expect, test } from "vitest";
import { ALL } from "../../../../testing/all.ts";
import type { Send } from "../../../test/client.ts";
import { type TestOrg, testService } from "../../../test/service.ts";
import { newCustomer, pin, rootOf, type Side } from "../../../test/two-vaults.ts";
import { newMember, type Person, standInBundles, type Vaulted, vaultedCopies } from "../../../test/vaulted.ts";
import { readChain } from "../../audit/read-chain.ts";
import type { ActId } from "../../shared/ids.ts";
import { finishAct } from "./finish-act.ts";
import { recordKinds } from "./kinds.ts";

/**
 * Acts of every kind that are open on one record, whose last confirmations arrive at once. One takes effect; the others were proposed on what
 * has just changed, and end. Everything comes over HTTP, from those whom the acts ask.
 */

const service = testService();

interface Cast {
  readonly org: TestOrg;
  readonly propose: Send;
  /** by party: the organization that decides for it */
  readonly parties: ReadonlyMap<string, Send>;
  readonly bank: string;
  readonly buyer: string;
  readonly pledgee: string;
  readonly custodian: Person;
  readonly next: Person;
  readonly admin: Person;
  readonly vault_id: string;
}
let cast: Cast;

beforeAll(async () => {
  standInBundles(service);
  // Records that may be destroyed are as old as their retention; without this, none could be made here.
  await service.database.owner("alter table authoritative_copies disable trigger later_only");
  const org = await service.newOrg("Acme Leasing");
  const { send: propose } = await org.newKey({ rate_limit_rpm: 10_000 });
  const parties = new Map<string, Send>();
  const orgs: TestOrg[] = [];
  for (const name of ["First Example Bank", "Second Example Bank", "Pledge Example Bank"]) {
    const other = await service.newOrg(name);
    const { json } = await propose("POST", "/partner/parties", { body: { kind: "org", name, org_id: other.org_id } });
    parties.set(json.data.party_id, (await other.newKey({ rate_limit_rpm: 10_000 })).send);
    orgs.push(other);
  }
  const [bank = "", buyer = "", pledgee = ""] = [...parties.keys()];
  const root = await rootOf(service);
  const side = { service, org, root } as Side;
  const vault_id = await pin(side, { ...side, org: orgs[0] as TestOrg, customer_id: await newCustomer({ org }) });
  const [custodian, next] = [await newMember(service, org), await newMember(service, org)];
  cast = { org, propose, parties, bank, buyer, pledgee, custodian, next, admin: await newMember(service, org, "admin"), vault_id };
});

type Kind = (typeof recordKinds)[number];

/** What each kind is about. `recover` is for a record that has left: links/recover.test.ts. */
const subjects: Partial<Record<Kind, () => object>> = {
  designate: () => ({ party_id: cast.bank }),
  correct_party: () => ({ party_id: cast.buyer }),
  assign: () => ({ party_id: cast.buyer }),
  release: () => ({ party_id: cast.buyer }),
  participate: () => ({ party_id: cast.buyer, share_bp: 50 }),
  pledge: () => ({ party_id: cast.buyer }),
  release_pledge: () => ({ party_id: cast.pledgee }),
  designate_custodian: () => ({ user_id: cast.custodian.user_id }),
  move_custody: () => ({ user_id: cast.next.user_id }),
  acknowledge_control: () => ({ user_id: cast.custodian.user_id }),
  release_hold: () => ({}),
  transfer_out: () => ({ vault_id: cast.vault_id }),
  export_out: () => ({ recipient: { name: "Bea", email: "bea@outside.example" } }),
  paper_out: () => ({ recipient: { name: "Bea", email: "bea@outside.example" } }),
  destroy: () => ({}),
};
const apart: readonly Kind[] = ["recover"];
const kinds = Object.keys(subjects) as Kind[];

const leaving: readonly Kind[] = ["export_out", "paper_out", "destroy"];

/**
 * Of one record, one transfer of custody is pending at a time. A hold or a pending transfer stands in the way of an end, a pledge in that of
 * destroying.
 */
const canBothBeOpen = (one: Kind, other: Kind): boolean => {
  const has = (kind: Kind): boolean => one === kind || other === kind;
  if (one === "move_custody" && other === "move_custody") return false;
  if (has("destroy") && has("release_pledge")) return false;
  return !(leaving.some(has) && (has("release_hold") || has("move_custody")));
};
const everyPair = kinds.flatMap((one, index) =>
  kinds.slice(index).flatMap((other) => (canBothBeOpen(one, other) ? [[one, other] as const] : [])),
);
/** Without `--all`, each kind against itself and against the next. */
const areNear = ([one, other]: readonly [Kind, Kind]): boolean => kinds.indexOf(other) - kinds.indexOf(one) <= 1;
const pairs = ALL ? everyPair : everyPair.filter(areNear);
/** how many acts race on one version */
const RACERS = ALL ? 100 : 25;

interface Act {
  readonly act_id: string;
  readonly sha256: string;
  readonly state: string;
  readonly needs: readonly {
    readonly role: string;
    readonly party_id: string | null;
    readonly user_id: string | null;
    readonly asked: boolean;
  }[];
}

interface Opened extends Vaulted {
  readonly version: number;
  readonly hold_id: string | null;
}

const ok = async (answer: Promise<{ status: number; json: { error?: string; data?: unknown } }>, status = 201) => {
  const { status: found, json } = await answer;
  expect([found, json.error]).toEqual([status, undefined]);
  // biome-ignore lint/suspicious/noExplicitAny: the body of a response
  return json.data as any;
};

const versionOf = async ({ envelope_id }: Vaulted): Promise<number> =>
  (await ok(cast.propose("GET", `/partner/envelopes/${envelope_id}/vault`), 200)).control_version;

async function proposed(one: Vaulted, kind: Kind, present_version: number, more: object): Promise<Act> {
  return ok(cast.propose("POST", `/partner/envelopes/${one.envelope_id}/acts`, { body: { kind, reason: "x", present_version, ...more } }));
}

/** Who decides for a need of an act. */
function deciderOf({ party_id, user_id }: Act["needs"][number]): Send {
  if (party_id !== null) return cast.parties.get(party_id) ?? expect.fail("no one decides for this party");
  if (user_id === null) return cast.admin.send;
  return user_id === cast.next.user_id ? cast.next.send : cast.custodian.send;
}

const confirm = (act: Act, need: Act["needs"][number]) =>
  deciderOf(need)("POST", `/partner/acts/${act.act_id}/decision`, { body: { decision: "confirm", sha256: act.sha256 } });

/** A record whose secured party is known and has not confirmed, with a pledge and a hold if the kinds need them. */
async function recordFor(one: Vaulted, wanted: readonly Kind[]): Promise<Opened> {
  const { envelope_id } = one;
  expect((await proposed(one, "correct_party", 1, { party_id: cast.bank })).state).toBe("effective");
  if (wanted.includes("release_pledge")) {
    const act = await proposed(one, "pledge", 2, { party_id: cast.pledgee });
    for (const need of act.needs) await ok(confirm(act, need), 200);
  }
  if (wanted.includes("destroy")) {
    const past = "retention_until = now() - interval '1 day', lock_until = now() - interval '1 day'";
    await service.database.owner(`update authoritative_copies set ${past} where envelope_id = $1`, [envelope_id]);
  }
  const hold = wanted.includes("release_hold")
    ? await ok(cast.propose("POST", `/partner/envelopes/${envelope_id}/vault/legal-hold`, { body: { reason: "Suit" } }))
    : null;
  return { ...one, version: await versionOf(one), hold_id: hold?.hold_id ?? null };
}

/**
 * Proposed and confirmed by all but the last. A party decides once for all roles in which it is asked. What then needs slow work, a job does;
 * it runs here, in the same race.
 */
async function almostConfirmed(one: Opened, kind: Kind): Promise<() => ReturnType<typeof confirm>> {
  const more = kind === "release_hold" ? { hold_id: one.hold_id } : (subjects[kind]?.() ?? {});
  const act = await proposed(one, kind, one.version, more);
  expect([kind, act.state]).toEqual([kind, "proposed"]);
  const asked = act.needs.filter((need, index) => {
    return need.asked && act.needs.findIndex((other) => other.party_id === need.party_id && other.user_id === need.user_id) === index;
  });
  for (const need of asked.slice(0, -1)) await ok(confirm(act, need), 200);
  const last = asked.at(-1) ?? expect.fail(`${kind} asks no one`);
  return async () => {
    const answer = await confirm(act, last);
    if (answer.json.data?.state === "confirmed")
      await finishAct(service.features.vault, { org_id: cast.org.org_id, act_id: act.act_id as ActId });
    return answer;
  };
}

async function outcomeOf(one: Opened) {
  const { org_id } = cast.org;
  const { json } = await cast.propose("GET", `/partner/acts?envelope_id=${one.envelope_id}&limit=200`);
  const acts: { kind: string; state: string; document: { present_version: number } }[] = json.data;
  const racing = acts.filter(({ document }) => document.present_version === one.version);
  const links = await service.db.tx(org_id, (tx) => readChain(tx, org_id, one.envelope_id));
  return {
    states: racing.map(({ state }) => state).sort(),
    won: racing.find(({ state }) => state === "effective")?.kind ?? "none",
    raised: (await versionOf(one)) - one.version,
    fault: firstFault(links, { org_id, subject: one.envelope_id }),
  };
}

const withSecuredParty = { secured_party: { name: "TBD" } };
const copies = (count: number) => vaultedCopies(service, cast.org, count, { custodian: cast.custodian.user_id, ...withSecuredParty });

// More at once than there are connections would only wait.
const AT_ONCE = 6;

describe("racing acts", () => {
  test("every kind is in the race, or can only be open alone", () => {
    expect(recordKinds.filter((kind) => !kinds.includes(kind))).toEqual(apart);
  });

  test(`of ${pairs.length} pairs of kinds, whose last confirmations arrive at once, one takes effect each`, {
    timeout: 300_000,
  }, async () => {
    const records = await copies(pairs.length);
    const seen = new Set<string>();
    const race = async (index: number): Promise<void> => {
      const [first, second] = pairs[index] as readonly [Kind, Kind];
      const one = await recordFor(records[index] as Vaulted, [first, second]);
      const last = [await almostConfirmed(one, first), await almostConfirmed(one, second)];
      const answers = await Promise.all(last.map((send) => send()));
      const name = `${first} and ${second}`;
      // An export that was confirmed can still be overtaken while its package is made.
      const expected = first === "export_out" || second === "export_out" ? [200, expect.any(Number)] : [200, 409];
      expect([name, answers.map(({ status }) => status).sort()]).toEqual([name, expected]);
      const outcome = await outcomeOf(one);
      expect([name, outcome]).toEqual([name, { states: ["effective", "superseded"], raised: 1, won: expect.any(String), fault: null }]);
      seen.add(outcome.won);
    };
    for (let from = 0; from < pairs.length; from += AT_ONCE) {
      await Promise.all(pairs.slice(from, from + AT_ONCE).map((_pair, index) => race(from + index)));
    }
    // Each kind took effect at least against itself. One that cannot race itself may lose the few races that it has without `--all`.
    const winners = kinds.filter((kind) => ALL || canBothBeOpen(kind, kind));
    expect(winners.filter((kind) => !seen.has(kind))).toEqual([]);
  });

  /** A hundred requests for one record wait for each other. Those that wait longer than five seconds for a connection are 503, and ask again. */
  async function answered(send: () => ReturnType<typeof confirm>): ReturnType<typeof confirm> {
    for (;;) {
      const answer = await send();
      if (answer.status !== 503) return answer;
    }
  }

  test(`of ${RACERS} acts of all kinds on one version, one takes effect and the others are superseded`, { timeout: 300_000 }, async () => {
    const [copy] = await copies(1);
    const one = await recordFor(
      copy as Vaulted,
      kinds.filter((kind) => kind !== "destroy"),
    );
    const others = kinds.filter((kind) => canBothBeOpen(kind, kind) && canBothBeOpen(kind, "release_hold"));
    const racing = Array.from(
      { length: RACERS },
      (_each, index): Kind => (index === RACERS >> 1 ? "move_custody" : (others[index % others.length] as Kind)),
    );
    const last: (() => ReturnType<typeof confirm>)[] = [];
    for (let from = 0; from < racing.length; from += AT_ONCE) {
      last.push(...(await Promise.all(racing.slice(from, from + AT_ONCE).map((kind) => almostConfirmed(one, kind)))));
    }
    const answers = await Promise.all(last.map(answered));
    const count = (status: number) => answers.filter((answer) => answer.status === status).length;
    expect([count(200), count(409)]).toEqual([1, RACERS - 1]);
    const states = ["effective", ...Array(RACERS - 1).fill("superseded")];
    expect(await outcomeOf(one)).toEqual({ states, raised: 1, won: expect.any(String), fault: null });
  });
});
