import { expect } from "vitest";
import { stepAt, totpCode } from "../src/proofs/totp.ts";
import type { Send } from "./client.ts";
import type { TestOrg, TestService } from "./service.ts";

/** An authenticator app, as a person has it. */
export interface TestApp {
  readonly factor_id: string;
  readonly recovery_codes: readonly string[];
  /** a code that works now and was not used before */
  newCode(): Promise<string>;
}

const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

const bytesOf = (secret: string): Buffer => {
  const bits = [...secret].map((letter) => ALPHABET.indexOf(letter).toString(2).padStart(5, "0")).join("");
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
};

/** The code that an app with this secret shows now. */
export const codeOf = (secret: string): string => totpCode(bytesOf(secret), stepAt(new Date()));

/** Adds an authenticator app to the account of a session. */
export async function newApp(service: TestService, send: Send): Promise<TestApp> {
  const added = await send("POST", "/auth/factors/totp", { body: { name: "Phone" } });
  expect(added.status).toBe(201);
  const { factor_id, secret } = added.json.data;
  const confirmed = await send("POST", `/auth/factors/${factor_id}/confirm`, { body: { code: codeOf(secret) } });
  expect(confirmed.status).toBe(200);
  const newCode = async () => {
    // Tests are faster than the codes of an app change.
    await service.database.owner("update factors set last_step = 0 where factor_id = $1", [factor_id]);
    return codeOf(secret);
  };
  return { factor_id, recovery_codes: confirmed.json.data.recovery_codes ?? [], newCode };
}

/** The id of a factor of an org's admin. */
export const ownFactor = async (service: TestService, org: TestOrg): Promise<string> => {
  const [known] = (await org.admin("GET", "/auth/factors")).json.data.factors;
  return known?.factor_id ?? (await newApp(service, org.admin)).factor_id;
};
