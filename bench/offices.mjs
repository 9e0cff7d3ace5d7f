// Organizations with an admin who logs in with a password.
import { randomBytes } from "node:crypto";
import { call } from "./ceremony.mjs";
import { product } from "./harness.mjs";

/** @typedef {{ org_id: string, user_id: string, headers: Record<string, string> }} Office */

/** @param {any} db @param {string[]} names @returns {Promise<Record<string, string>>} the password of each admin */
export async function createOrgs(db, names) {
  const { createOrg } = await product("orgs/create-org.js");
  const { createProofPool } = await product("proofs/pool.js");
  const proofs = createProofPool();
  const by = { ip: "127.0.0.1", user_agent: "bench", request_id: "bench" };
  /** @type {Record<string, string>} */
  const passwords = {};
  for (const name of names) {
    const password = randomBytes(16).toString("hex");
    const admin = { email: `${name}@example.com`, name, password };
    const prepared = await createOrg.prepare({ proofs }, { org_name: name, ...admin });
    await db.system((/** @type {any} */ tx) => createOrg.save(tx, by, prepared));
    passwords[name] = password;
  }
  await proofs.close();
  return passwords;
}

/** @param {string} url @param {string} name @param {Record<string, string>} passwords @returns {Promise<Office>} */
export async function logIn(url, name, passwords) {
  const body = { email: `${name}@example.com`, password: passwords[name], mode: "token" };
  const { status, json, bytes } = await call(url, "POST", "/auth/login", {}, body);
  if (status !== 200) throw new Error(`log-in returned ${status}: ${bytes}`);
  const { token, user, org } = json.data;
  return { org_id: org.org_id, user_id: user.user_id, headers: { authorization: `Bearer ${token}` } };
}
