import { describe, expect, test } from "vitest";
import { client } from "../../test/client.ts";
import { testService } from "../../test/service.ts";
import { REFUSALS_PER_MINUTE } from "../http/quota.ts";

const service = testService();

/** Moves the accepted requests of a key into the past (or into the future, if negative), as if time had passed. */
async function age(key_id: string, seconds: number): Promise<void> {
  await service.database.owner(
    "update api_key_usage set ats = (select array_agg(t - make_interval(secs => $2) order by n) from unnest(ats) with ordinality u(t, n)) where key_id = $1",
    [key_id, seconds],
  );
}

describe("a key with a limit of 5", () => {
  test("is rejected on the sixth request, with the exact body and headers", async () => {
    const { newKey } = await service.newOrg();
    const key = await newKey({ rate_limit_rpm: 5 });
    for (let call = 1; call <= 5; call++) {
      const { status, headers } = await key.send("GET", "/partner/envelopes");
      expect([status, headers["x-ratelimit-limit"], headers["x-ratelimit-remaining"]]).toEqual([200, "5", String(5 - call)]);
      expect(Number(headers["x-ratelimit-reset"]) - Date.now() / 1000).toBeLessThanOrEqual(61);
    }
    const sixth = await key.send("GET", "/partner/envelopes");
    expect([sixth.status, sixth.text]).toEqual([429, '{"error":"Rate limit exceeded"}']);
    expect(sixth.headers).toMatchObject({ "retry-after": "60", "x-ratelimit-limit": "5", "x-ratelimit-remaining": "0" });
    expect(Number(sixth.headers["x-ratelimit-reset"]) - Date.now() / 1000).toBeGreaterThan(55);
  });

  test("counts requests for 60 seconds, and then has its full quota again", async () => {
    const { newKey } = await service.newOrg();
    const key = await newKey({ rate_limit_rpm: 5 });
    for (let call = 1; call <= 5; call++) await key.send("GET", "/partner/envelopes");
    await age(key.key_id, 55);
    expect((await key.send("GET", "/partner/envelopes")).status).toBe(429);
    await age(key.key_id, 5.5);
    const answer = await key.send("GET", "/partner/envelopes");
    expect([answer.status, answer.headers["x-ratelimit-remaining"]]).toEqual([200, "4"]);
  });

  test("does not count rejected requests: waiting for the first five to expire is enough", async () => {
    const { newKey } = await service.newOrg();
    const key = await newKey({ rate_limit_rpm: 5 });
    for (let call = 1; call <= 9; call++) await key.send("GET", "/partner/envelopes");
    await age(key.key_id, 60.5);
    expect((await key.send("GET", "/partner/envelopes")).headers["x-ratelimit-remaining"]).toBe("4");
  });

  test("counts every authenticated request, whatever its response", async () => {
    const { newKey } = await service.newOrg();
    const key = await newKey({ rate_limit_rpm: 5, scopes: ["envelopes:read"] });
    await key.send("GET", "/partner/envelopes?page=0");
    const { headers } = await key.send("GET", "/partner/envelopes");
    expect(headers["x-ratelimit-remaining"]).toBe("3");
  });

  test("is not locked out when the clock is set back", async () => {
    const { newKey } = await service.newOrg();
    const key = await newKey({ rate_limit_rpm: 5 });
    for (let call = 1; call <= 5; call++) await key.send("GET", "/partner/envelopes");
    await age(key.key_id, -3600);
    const answer = await key.send("GET", "/partner/envelopes");
    expect([answer.status, answer.headers["x-ratelimit-remaining"]]).toEqual([200, "4"]);
  });

  test("cannot use the quota of another key", async () => {
    const { newKey } = await service.newOrg();
    const [busy, idle] = [await newKey({ rate_limit_rpm: 1 }), await newKey({ rate_limit_rpm: 1 })];
    const statuses = [
      await busy.send("GET", "/partner/envelopes"),
      await busy.send("GET", "/partner/envelopes"),
      await idle.send("GET", "/partner/envelopes"),
    ];
    expect(statuses.map((answer) => answer.status)).toEqual([200, 429, 200]);
  });
});

test("a limit of 40 accepts exactly 40 of 60 simultaneous requests", async () => {
  const { newKey } = await service.newOrg();
  const key = await newKey({ rate_limit_rpm: 40 });
  const answers = await Promise.all(Array.from({ length: 60 }, () => key.send("GET", "/partner/envelopes")));
  expect(answers.filter((answer) => answer.status === 200)).toHaveLength(40);
  expect(answers.filter((answer) => answer.status === 429)).toHaveLength(20);
});

describe("invalid credentials", () => {
  test("beyond 60 in a minute from one address are 429; a valid key from there still works", async () => {
    const { newKey } = await service.newOrg();
    const key = await newKey();
    await service.database.owner("delete from quotas where subject like 'refused:%'");
    const wrong = client(service.url, { "x-api-key": `lk_${"0".repeat(40)}` });
    const statuses: number[] = [];
    for (let call = 1; call <= REFUSALS_PER_MINUTE + 2; call++) statuses.push((await wrong("GET", "/partner/envelopes")).status);
    expect(statuses).toEqual([...Array(REFUSALS_PER_MINUTE).fill(401), 429, 429]);
    expect((await key.send("GET", "/partner/envelopes")).status).toBe(200);
  });
});
