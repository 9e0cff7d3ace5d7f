import { describe, expect, test } from "vitest";
import { tries } from "../../../testing/all.ts";
import fc from "../../../testing/properties.ts";
import { makeReady } from "../../test/ceremony.ts";
import { plainPdf } from "../../test/lease.ts";
import { approve, confirm, type SentContract, sentContract } from "../../test/recipients.ts";
import { testService } from "../../test/service.ts";
import { atTurn, isActing, type Recipient, type RecipientKind, recipientKinds } from "../signing/submission.ts";
import { planRecipients } from "./plan-recipients.ts";
import type { RecipientInput } from "./recipient-input.ts";

const service = testService();

const person = (kind: RecipientKind, index: number, step: number | null): RecipientInput => ({
  kind,
  email: `p${index}@example.com`,
  name: `P ${index}`,
  ...(kind === "signer" && { role: `Role ${index}` }),
  step,
});

/** At least one signer. Everyone who acts has a step, or no one has. */
const plans = fc
  .tuple(
    fc.array(fc.tuple(fc.constantFrom(...recipientKinds), fc.integer({ min: 1, max: 6 }), fc.boolean()), { minLength: 1, maxLength: 8 }),
    fc.boolean(),
    fc.constantFrom("sequential" as const, "parallel" as const),
  )
  .filter(([people]) => people.some(([kind]) => kind === "signer"))
  .map(([people, isStepped, order]) => ({
    order,
    people: people.map(([kind, step, hasStep], index) =>
      person(kind, index, kind === "cc" ? (hasStep ? step : null) : isStepped ? step : null),
    ),
  }));

describe("for any people and steps", () => {
  test("steps begin at 1 without gaps, keep their order, and the order has the name of what it is", () => {
    fc.assert(
      fc.property(plans, ({ people, order }) => {
        const { recipients, signing_order } = planRecipients(people, order);
        const steps = [...new Set(recipients.flatMap(({ step }) => step ?? []))].sort((a, b) => a - b);
        expect(steps).toEqual(steps.map((_, index) => index + 1));
        const acting = recipients.filter(isActing);
        const given = people.filter(isActing);
        for (const [a, one] of acting.entries()) {
          for (const [b, other] of acting.entries()) {
            const [x, y] = [given[a]?.step ?? null, given[b]?.step ?? null];
            if (x !== null && y !== null) expect(Math.sign((one.step ?? 0) - (other.step ?? 0))).toBe(Math.sign(x - y));
          }
        }
        const distinct = new Set(acting.map(({ step }) => step)).size;
        if (acting.length > 1 && signing_order === "parallel") expect(distinct).toBe(1);
        if (acting.length > 1 && signing_order === "sequential") expect(distinct).toBe(acting.length);
        if (signing_order === "steps") expect(distinct > 1 && distinct < acting.length).toBe(true);
      }),
      { numRuns: tries(500) },
    );
  });

  test("in any order of those whose turn it is, no one acts early and it ends with everyone having acted", () => {
    fc.assert(
      fc.property(plans, fc.infiniteStream(fc.nat()), ({ people, order }, picks) => {
        let rows = planRecipients(people, order).recipients.map((one) => ({ ...one, status: "pending" }) as Recipient);
        for (let turn = 0; turn < rows.filter(isActing).length; turn++) {
          const due = atTurn(rows);
          expect(due.length).toBeGreaterThan(0);
          const chosen = due[picks.next().value % due.length];
          const early = rows.filter((one) => isActing(one) && one.status === "pending" && (one.step ?? 0) < (chosen?.step ?? 0));
          expect(early).toEqual([]);
          rows = rows.map((one) => (one === chosen ? { ...one, status: FINISHED[one.kind] } : one));
        }
        expect(atTurn(rows)).toEqual([]);
      }),
      { numRuns: tries(500) },
    );
  });
});

const FINISHED = { signer: "signed", approver: "approved", viewer: "confirmed", cc: "delivered" } as const;

async function actAs(contract: SentContract, email: string): Promise<number> {
  const one = await contract.as(email);
  const { kind } = (await one.open()).json.data.recipient;
  if (kind === "approver") return (await approve(one)).status;
  if (kind === "viewer") return (await confirm(one)).status;
  await makeReady(one, { Date: "2026-03-01" }, "A Signer");
  return (await one.complete()).status;
}

test("random plans over HTTP: each mail once, no one is asked early, and the last act completes", async () => {
  await fc.assert(
    fc.asyncProperty(plans, fc.infiniteStream(fc.nat()), async ({ people, order }, picks) => {
      const contract = await sentContract(service, people, { signing_order: order }, plainPdf);
      const acting = people.filter(isActing).map(({ email }) => email);
      const left = new Set(acting);
      while (left.size > 0) {
        const asked = (await contract.mail())
          .filter((one) => /^signing_(invitation|turn) /.test(one))
          .map((one) => one.split(" ")[1] ?? "");
        expect(new Set(asked).size, "each person is asked once").toBe(asked.length);
        const open = asked.filter((email) => left.has(email));
        expect(open.length).toBeGreaterThan(0);
        const waiting = [...left].filter((email) => !open.includes(email));
        for (const email of waiting.slice(0, 1)) expect((await (await contract.as(email)).open()).json.data.state).toBe("waiting");
        const email = open[picks.next().value % open.length] ?? "";
        expect([email, await actAs(contract, email)]).toEqual([email, 200]);
        left.delete(email);
      }
      expect(await contract.status()).toBe("completed");
    }),
    { numRuns: 4 },
  );
}, 120_000);
