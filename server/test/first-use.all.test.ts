import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { client } from "./client.ts";
import { testDatabase } from "./database.ts";
import { startProcess, stopProcess } from "./process.ts";
import { PASSWORD } from "./service.ts";

/** Organizations without passkeys and without single sign-on do not pay for the libraries of either with memory and start time. */

const database = testDatabase();

/** A text that only the library has. In a bundle its files have other names. */
const libraries = { passkeys: /Unexpected RP ID hash/, sso: /`openid-client\/v|NAME = 'openid-client'/ };

test("a process that serves loads the libraries for passkeys and for single sign-on with their first use, not before", async () => {
  const folder = mkdtempSync(join(tmpdir(), "countersign-loaded-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const LOADED_FILE = join(folder, "loaded");
  const running = await startProcess("serve", {
    ...database.env,
    APP_SECRET: "a process and its libraries: 0c77aa8d1f",
    SETUP_ORG: "Without",
    SETUP_EMAIL: "admin@example.com",
    SETUP_PASSWORD: PASSWORD,
    LOADED_FILE,
    NODE_OPTIONS: `--import=${new URL("./note-loaded.mjs", import.meta.url).href}`,
  });
  onTestFinished(() => stopProcess(running).then(() => undefined));
  const loaded = () => {
    const files = [...new Set(readFileSync(LOADED_FILE, "utf8").trim().split("\n"))].map((url) => new URL(url)).filter(existsSync);
    expect(files.length).toBeGreaterThan(10);
    const texts = files.map((file) => readFileSync(file, "utf8"));
    return Object.entries(libraries).flatMap(([name, mark]) => (texts.some((text) => mark.test(text)) ? [name] : []));
  };
  const url = running.url.replace("localhost", "127.0.0.1");
  const logged = await client(url)("POST", "/auth/login", { body: { email: "admin@example.com", password: PASSWORD, mode: "token" } });
  const admin = client(url, { authorization: `Bearer ${logged.json.data.token}` });
  const looked = ["/auth/me", "/auth/factors", "/org/security", "/org/sso", "/partner/envelopes"];
  for (const path of looked) expect([path, (await admin("GET", path)).status]).toEqual([path, 200]);
  expect(readFileSync(LOADED_FILE, "utf8"), "the thread that checked the password counts too").toContain("proofs/worker.js");
  expect(loaded()).toEqual([]);

  const { challenge } = (await admin("POST", "/auth/factors/passkeys/start", { body: {} })).json.data;
  const told = Buffer.from(JSON.stringify({ type: "webauthn.create", challenge, origin: running.url })).toString("base64url");
  const credential = { id: "AAAA", rawId: "AAAA", type: "public-key", response: { clientDataJSON: told, attestationObject: "AAAA" } };
  const refused = await admin("POST", "/auth/factors/passkeys", { body: { credential, name: "Laptop" } });
  expect([refused.status, loaded()]).toEqual([422, ["passkeys"]]);

  const connection = { name: "Provider", issuer: "https://127.0.0.1:9", client_id: "it", client_secret: "its secret", provision: "off" };
  const away = await admin("POST", "/org/sso", { body: connection });
  expect([away.status, away.json.details?.[0]?.field, loaded()]).toEqual([422, "issuer", ["passkeys", "sso"]]);
});
