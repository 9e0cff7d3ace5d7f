import { expect, test } from "vitest";
import { testService } from "../../test/service.ts";
import { newId } from "../shared/ids.ts";
import { BUCKET_SIZE } from "./list-envelopes.ts";
import { fillBuckets } from "./sweep-envelopes.ts";

const service = testService();

test("every page of a long list is what a plain count and offset would give, before and after its buckets are filled", async () => {
  const org = await service.newOrg();
  const key = await org.newKey({ rate_limit_rpm: 100_000 });
  const customer = (await key.send("POST", "/partner/customers", { body: { name: "Ann" } })).json.data.customer_id;
  const rows = 2 * BUCKET_SIZE + 350;
  const at = Date.now() - rows * 1000;
  const ids = Array.from({ length: rows }, (_, n) => newId("envelope", at + n));
  await service.database.owner(
    `insert into envelopes (org_id, envelope_id, envelope_name, status, customer_id)
     select $1, id, 'E', 'pending', case when n % 2 = 0 then $3 end from unnest($2::text[]) with ordinality as given (id, n)`,
    [org.org_id, ids, customer],
  );
  const newestFirst = [...ids].reverse();
  const look = async (query: string, expected: readonly string[]) => {
    for (const page of [1, 2, 11, 12, 23, 24, 25, 99]) {
      const { json } = await key.send("GET", `/partner/envelopes?limit=100&page=${page}${query}`);
      expect(json.meta.total).toBe(expected.length);
      expect(json.data.map((one: { envelope_id: string }) => one.envelope_id)).toEqual(expected.slice((page - 1) * 100, page * 100));
    }
    const odd = await key.send("GET", `/partner/envelopes?limit=7&page=151${query}`);
    expect(odd.json.data.map((one: { envelope_id: string }) => one.envelope_id)).toEqual(expected.slice(1_050, 1_057));
  };
  const ofCustomer = ids.filter((_, index) => (index + 1) % 2 === 0).reverse();
  await look("", newestFirst);
  await look(`&customer_id=${customer}`, ofCustomer);
  expect(await fillBuckets(service.features.envelopes)).toBe(0);
  expect(await fillBuckets(service.features.envelopes, "0 seconds")).toBe(3);
  await look("", newestFirst);
  await look(`&customer_id=${customer}`, ofCustomer);
  const late = newId("envelope");
  await service.database.owner("insert into envelopes (org_id, envelope_id, envelope_name, status) values ($1, $2, 'E', 'pending')", [
    org.org_id,
    late,
  ]);
  await look("", [late, ...newestFirst]);
  await look("&status=pending", [late, ...newestFirst]);
});
