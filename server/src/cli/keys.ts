import { labelFrom, needed, parse, print, rateFrom, scopesFrom, Usage } from "../cli-input.ts";
import type { Environment } from "../config.ts";
import { isId } from "../shared/ids.ts";
import { callerOf, inOrg } from "./command.ts";

export async function createKeyCommand(args: readonly string[], env: Environment): Promise<number> {
  const { values } = parse(args, { org: "string", name: "string", scopes: "string", "rate-limit": "string" });
  const wanted = {
    partner_name: labelFrom(needed(values, "name")),
    scopes: scopesFrom(values.scopes),
    rate_limit_rpm: rateFrom(values["rate-limit"]),
  };
  const key = await inOrg(env, values, async ({ keys }, org) => {
    const { createKey } = await import("../keys/create-key.ts");
    return createKey(keys, callerOf(org), wanted);
  });
  print(`${key.key_id}  ${key.partner_name}\nThe key is shown only once: ${key.api_key}`);
  return 0;
}

export async function listKeysCommand(args: readonly string[], env: Environment): Promise<number> {
  const { values } = parse(args, { org: "string" });
  const { items } = await inOrg(env, values, async ({ keys }, org) => {
    const { listKeys } = await import("../keys/store.ts");
    return keys.db.tx(org, (tx) => listKeys(tx, org, { page: 1, limit: 1000 }));
  });
  for (const key of items) {
    print(
      `${key.key_id}  ${key.key_hint}  ${key.deactivated_at === null ? "active" : "deactivated"}  ${key.partner_name}  ${key.scopes.join(",")}`,
    );
  }
  return 0;
}

export async function deactivateKeyCommand(args: readonly string[], env: Environment): Promise<number> {
  const { values, positionals } = parse(args, { org: "string" }, 1);
  const key_id = positionals[0] ?? "";
  if (!isId("key", key_id)) throw new Usage("countersign keys deactivate needs the id of a key (lk_ and 26 characters)");
  await inOrg(env, values, async ({ keys }, org) => {
    const { deactivateKey } = await import("../keys/deactivate-key.ts");
    return deactivateKey(keys, callerOf(org), key_id);
  });
  print(`${key_id} is deactivated.`);
  return 0;
}
