import { describe, expect, test } from "vitest";
import { ALL } from "../../../testing/all.ts";
import fc from "../../../testing/properties.ts";
import { form } from "../../test/form.ts";
import { envelopeBody, landlord, newTemplate, plainPdf, tenant } from "../../test/lease.ts";
import { testService } from "../../test/service.ts";
import { readChain } from "../audit/read-chain.ts";
import type { Tx } from "../db/sql.ts";
import type { EnvelopeId, OrgId } from "../shared/ids.ts";
import { type Move, moves, type Status, statuses } from "./envelope.ts";
import { type EnvelopeColumns, updateEnvelope } from "./store.ts";
import { expireEnvelope } from "./sweep-envelopes.ts";

const service = testService();

/** What callers and the clock can do to an envelope. */
const acts = ["attach", "place", "send", "void", "discard", "remind", "change", "expire"] as const;
type Act = (typeof acts)[number];

/** The model: the table of the design, and the actions that do not change the status. */
const after = (status: Status, act: Act): Status | null => {
  if (act === "remind") return status === "sent" || status === "viewed" ? status : null;
  if (act === "change") return ["pending", "uploaded", "preparing"].includes(status) ? status : null;
  const move = moves[act as Move];
  return (move.from as readonly Status[]).includes(status) ? move.to : null;
};

test("only one function writes the status: other writes of columns cannot contain it", () => {
  const name: EnvelopeColumns = { envelope_name: "Lease" };
  expect(name).toEqual({ envelope_name: "Lease" });
  // @ts-expect-error: only moveEnvelope writes the status
  const status: EnvelopeColumns = { status: "vaulted" };
  expect(status).toBeDefined();
  // @ts-expect-error: the same for a literal in the call
  const call = (tx: Tx) => updateEnvelope(tx, "org_a" as OrgId, "env_a" as EnvelopeId, { status: "voided" });
  expect(call).toBeInstanceOf(Function);
});

describe("the moves of an envelope", () => {
  test("are those of the design, and no others", () => {
    const listed = Object.values(moves).flatMap(({ from, to }) => from.map((status) => `${status} → ${to}`));
    expect([...new Set(listed)].sort()).toEqual(
      [
        "pending → uploaded",
        "uploaded → preparing",
        "preparing → preparing",
        "uploaded → sent",
        "preparing → sent",
        "sent → viewed",
        "viewed → completed",
        "uploaded → completed",
        "completed → vaulted",
        "sent → declined",
        "viewed → declined",
        "pending → voided",
        "uploaded → voided",
        "preparing → voided",
        "sent → voided",
        "viewed → voided",
        "sent → expired",
        "viewed → expired",
      ].sort(),
    );
    expect(statuses).toHaveLength(10);
  });

  test("random actions in any order, several at once, cause no other moves; losers get 409 and leave no trace", {
    timeout: 120_000,
  }, async () => {
    const org = await service.newOrg();
    const key = await org.newKey({ rate_limit_rpm: 100_000 });
    const template_id = await newTemplate(key);
    const signers = [tenant, landlord];
    const perform = async (envelope_id: string, act: Act): Promise<number> => {
      const path = `/partner/envelopes/${envelope_id}`;
      switch (act) {
        case "attach":
          return (await key.send("POST", `${path}/upload`, form({}, { bytes: plainPdf }))).status;
        case "place":
          return (await key.send("POST", `${path}/fields`, { body: { fields: [] } })).status;
        case "send":
          return (await key.send("POST", `${path}/send`, { body: { signers } })).status;
        case "void":
          return (await key.send("POST", `${path}/void`, { body: { reason: "x" } })).status;
        case "discard":
          return (await key.send("DELETE", path)).status;
        case "remind":
          return (await key.send("POST", `${path}/remind`)).status;
        case "change":
          return (await key.send("PATCH", path, { body: { envelope_name: "Other" } })).status;
        case "expire": {
          await service.database.owner("update envelopes set expires_at = now() where envelope_id = $1 and status in ('sent', 'viewed')", [
            envelope_id,
          ]);
          return (await expireEnvelope(service.features.envelopes, org.org_id, envelope_id as EnvelopeId)) ? 200 : 409;
        }
      }
    };
    const statusOf = async (envelope_id: string): Promise<Status> =>
      (await key.send("GET", `/partner/envelopes/${envelope_id}/status`)).json.data.status;

    await fc.assert(
      fc.asyncProperty(
        fc.boolean(),
        fc.array(fc.array(fc.constantFrom(...acts), { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 5 }),
        async (fromTemplate, rounds) => {
          const body = envelopeBody(fromTemplate ? { template_id } : {});
          const { envelope_id, status: first } = (await key.send("POST", "/partner/envelopes", { body })).json.data;
          let status: Status = first;
          for (const round of rounds) {
            const codes = await Promise.all(round.map((act) => perform(envelope_id, act)));
            const now = await statusOf(envelope_id);
            expect(codes.every((code) => code === 200 || code === 409)).toBe(true);
            expect(orders(round, codes).some((order) => explains(status, now, order))).toBe(true);
            status = now;
          }
          const chain = await service.db.tx(org.org_id, (tx) => readChain(tx, org.org_id, envelope_id));
          expect(chain.map(({ entry }) => entry.seq)).toEqual(chain.map((_, index) => index + 1));
          const count = async (type: string) =>
            (await service.database.owner("select from events where envelope_id = $1 and event_type = $2", [envelope_id, type])).length;
          const types = chain.map(({ entry }) => entry.type);
          expect(await count("envelope.sent")).toBe(types.filter((type) => type === "envelope.sent").length);
          expect(await count("envelope.voided")).toBe(types.filter((type) => type === "envelope.voided").length);
        },
      ),
      { numRuns: ALL ? 25 : 8 },
    );
  });
});

type Done = { readonly act: Act; readonly code: number };

/** Some order of the concurrent actions must explain the result: every 200 was allowed when its turn came. A 409 can be before or after. */
function explains(from: Status, to: Status, order: readonly Done[]): boolean {
  let status = from;
  for (const { act, code } of order) {
    if (code !== 200) continue;
    const next = after(status, act);
    if (next === null) return false;
    status = next;
  }
  return status === to;
}

function orders(round: readonly Act[], codes: readonly number[]): Done[][] {
  const done = round.map((act, index) => ({ act, code: codes[index] ?? 0 }));
  return permutations(done);
}

function permutations<T>(items: readonly T[]): T[][] {
  if (items.length === 0) return [[]];
  return items.flatMap((item, index) => permutations([...items.slice(0, index), ...items.slice(index + 1)]).map((rest) => [item, ...rest]));
}
