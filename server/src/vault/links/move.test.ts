import { expect, test } from "vitest";
import { copyState, move, twoVaults } from "../../../test/two-vaults.ts";
import { vaultedByPipeline } from "../../../test/vaulted.ts";

const pair = twoVaults();

test("a note moves there", { timeout: 240_000 }, async () => {
  const { here, there } = pair;
  const envelope_id = await vaultedByPipeline(here.service, here.org, { secured_party: { name: "First Example Bank", address: "1 Main St" } });
  const moved = await move(here, there, envelope_id);
  expect([await copyState(here, envelope_id), await copyState(there, moved)]).toEqual(["transferred", "active"]);
  const { json } = await there.org.admin("GET", `/partner/envelopes/${moved}/compliance`);
  console.log(JSON.stringify(json.data, null, 1));
});
