import { noteKeyOf, noteKeyTypes, writeVkey } from "@countersign/evidence";
import { expect, test } from "vitest";
import { testService } from "../../test/service.ts";
import { readConfig } from "../config.ts";
import { alwaysLeaves } from "../shared/departures.ts";
import { advanceLog } from "./advance-log.ts";
import { buildLog } from "./build-log.ts";

const service = testService({ LOG_PUBLIC: "false", LOG_ORIGIN: "sign.example.com/log" });

test("LOG_PUBLIC=false closes the log, and admins are warned", async () => {
  const org = await service.newOrg();
  await advanceLog(service.features.log);
  expect((await fetch(`${service.url}/log/checkpoint`)).status).toBe(404);
  const { json } = await org.admin("GET", "/org/transparency");
  expect(json.data).toMatchObject({ public: false, warnings: ["log_not_public"], origin: "sign.example.com/log" });
});

const vkey = writeVkey(noteKeyOf("w.example/w1", noteKeyTypes.cosignature, Buffer.alloc(32, 1)));
const build = (env: Record<string, string>) =>
  buildLog(readConfig({ APP_SECRET: "x".repeat(40), ...env }).log, "https://sign.example.com:8443", alwaysLeaves);

test("witnesses are read from lines or commas, and the default name has no port", () => {
  const other = writeVkey(noteKeyOf("w.example/w2", noteKeyTypes.cosignature, Buffer.alloc(32, 2)));
  const built = build({ WITNESSES: `${vkey} https://w.example/\n${other}  http://127.0.0.1:8420, `, WITNESS_QUORUM: "2" });
  expect(built.witnesses.map(({ key, url }) => [key.name, url])).toEqual([
    ["w.example/w1", "https://w.example"],
    ["w.example/w2", "http://127.0.0.1:8420"],
  ]);
  expect(built.host).toBe("sign.example.com");
});

test.each([
  [{ WITNESSES: vkey }, "WITNESSES must contain keys and addresses"],
  [{ WITNESSES: `${vkey} ftp://w.example` }, "WITNESSES must contain keys and addresses"],
  [{ WITNESSES: `w.example+1+2 https://w.example` }, "WITNESSES must contain keys for cosignatures"],
  [{ WITNESSES: `${vkey} https://a.example,${vkey} https://b.example` }, "WITNESSES contains a key twice"],
  [{ WITNESSES: `${vkey} https://w.example`, WITNESS_QUORUM: "2" }, "WITNESS_QUORUM is larger"],
  [{ LOG_ORIGIN: "two words" }, "LOG_ORIGIN must not contain spaces"],
  [{ LOG_PUBLIC: "no" }, "LOG_PUBLIC must be one of"],
])("%j is refused with a sentence", (env, says) => {
  expect(() => build(env)).toThrow(says);
});
