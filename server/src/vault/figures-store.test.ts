import { expect, test } from "vitest";
import { testService } from "../../test/service.ts";
import { type Vaulted, vaultedCopies } from "../../test/vaulted.ts";

const service = testService();

const none = { proven: 0, attested: 0, not_passed: 0, left: 0, destroyed: 0, not_assessed: 0 };

test("the vault is counted by standing, as its list is filtered, and tampered copies once more", async () => {
  const [org, stranger] = [await service.newOrg(), await service.newOrg()];
  const { send } = await org.newKey({ scopes: ["vault:read"] });
  const figures = async () => (await send("GET", "/org/vault-statistics")).json.data;
  expect(await figures()).toEqual({ by_standing: none, tampered: none });
  const [one, two, three, four, without] = (await vaultedCopies(service, org, 5)) as [Vaulted, Vaulted, Vaulted, Vaulted, Vaulted];
  const set = (copy: Vaulted, change: string) =>
    service.database.owner(`update authoritative_copies set ${change} where copy_id = $1`, [copy.copy_id]);
  await set(one, "standing = 'proven'");
  await set(two, "standing = 'attested'");
  await set(three, "standing = 'not_passed', state = 'tampered', state_before_tamper = 'active'");
  await set(four, "standing = 'left', state = 'exported'");
  // A copy whose first certificate is not there yet is not in the list either.
  await set(without, "standing = null, score = null, vault_no = null");
  const by_standing = { ...none, proven: 1, attested: 1, not_passed: 1, left: 1 };
  expect(await figures()).toEqual({ by_standing, tampered: { ...none, not_passed: 1 } });
  for (const [standing, count] of Object.entries(by_standing)) {
    expect([standing, (await send("GET", `/partner/vault?standing=${standing}&limit=1`)).json.meta.total]).toEqual([standing, count]);
  }
  expect((await stranger.admin("GET", "/org/vault-statistics")).json.data).toEqual({ by_standing: none, tampered: none });
});
