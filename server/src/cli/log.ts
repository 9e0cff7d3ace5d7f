import { readFile } from "node:fs/promises";
import { needed, parse, print, Usage } from "../cli-input.ts";
import { type Environment, readConfig } from "../config.ts";
import { asSystem } from "../shared/caller.ts";
import { administer, here, Refused } from "./command.ts";

const MAX_REASON = 500;

export async function restartLogCommand(args: readonly string[], env: Environment): Promise<number> {
  const { values } = parse(args, { reason: "string", "last-note": "string" });
  const reason = needed(values, "reason").trim();
  if (reason === "" || reason.length > MAX_REASON) throw new Usage(`--reason needs a sentence of at most ${MAX_REASON} characters`);
  const file = values["last-note"];
  const last_note = typeof file === "string" ? await readFile(file) : null;
  const origin = await administer(readConfig(env), async ({ orgs: { db } }) => {
    const { restartLog, RestartRefused } = await import("../transparency/restart-log.ts");
    return restartLog({ db }, asSystem(here()), { reason, last_note }).catch((cause) => {
      throw cause instanceof RestartRefused ? new Refused(cause.message, { cause }) : cause;
    });
  });
  print(`The log continues as ${origin} from its next checkpoint. Give witnesses its new key: countersign log show`);
  return 0;
}

export async function showLogCommand(args: readonly string[], env: Environment): Promise<number> {
  parse(args, {});
  const lines = await administer(readConfig(env), async ({ orgs: { db } }) => {
    const [{ listVkeys }, { lookUpOrigin }] = await Promise.all([
      import("../transparency/read-transparency.ts"),
      import("../transparency/note-store.ts"),
    ]);
    return db.system(async (tx) => {
      const origin = await lookUpOrigin(tx);
      return origin === null ? [] : [origin, ...(await listVkeys(tx, origin))];
    });
  });
  if (lines.length === 0) throw new Refused("The log has no public name yet. It gets one with its first checkpoint.");
  print(lines.join("\n"));
  return 0;
}
