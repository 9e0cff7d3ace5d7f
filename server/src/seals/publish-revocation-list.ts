import { makeRevocationList } from "@countersign/pdf/pool";
import { DAY_MS } from "../shared/durations.ts";
import { ensureInstanceKeys, type KeyDeps } from "./instance-keys.ts";
import { signDerBy } from "./signer.ts";
import { listRevokedSeals } from "./store.ts";

// Readers keep a list until it ends. It is remade each day, so that one which was fetched is good for almost a week.
const LIST_LIFE_DAYS = 7;
const REMADE_AFTER_MS = DAY_MS;

// Anyone can request it as often as they like; a revocation is shown within this time.
const LOOKED_UP_EVERY_MS = 60_000;

/** The seal certificates that the root in use has revoked, as it signs them (RFC 5280), DER. */
export async function signRevocationList(deps: KeyDeps): Promise<Buffer> {
  const { root, at } = await ensureInstanceKeys(deps);
  const revoked = (await deps.db.system(listRevokedSeals)).filter(({ issuer }) => issuer.equals(root.certificate));
  const list = await makeRevocationList({
    root: root.certificate,
    revoked,
    // Later lists have larger numbers, whichever process makes them.
    number: Math.floor(at.getTime() / 1000),
    this_update: at,
    next_update: new Date(at.getTime() + LIST_LIFE_DAYS * DAY_MS),
    sign: signDerBy(root),
  });
  return Buffer.from(list);
}

interface Made {
  readonly state: string;
  readonly until: number;
  readonly list: Promise<Buffer>;
}

/** The current list: signed once a day, after each revocation and with each new root. */
export function publishRevocationList(deps: KeyDeps, now: () => number = Date.now): () => Promise<Buffer> {
  let made: Made | null = null;
  let lookedUp: { readonly until: number; readonly list: Promise<Buffer> } | null = null;
  const lookUp = async (): Promise<Buffer> => {
    const state = await readState(deps);
    if (made === null || made.state !== state || made.until <= now()) {
      made = { state, until: now() + REMADE_AFTER_MS, list: signRevocationList(deps) };
    }
    try {
      return await made.list;
    } catch (error) {
      // After a failure the next request tries again.
      made = null;
      lookedUp = null;
      throw error;
    }
  };
  return () => {
    if (lookedUp === null || lookedUp.until <= now()) lookedUp = { until: now() + LOOKED_UP_EVERY_MS, list: lookUp() };
    return lookedUp.list;
  };
}

/** Changes with every revocation and every new root. */
async function readState(deps: KeyDeps): Promise<string> {
  const { root } = await ensureInstanceKeys(deps);
  const revoked = await deps.db.system(listRevokedSeals);
  return `${root.key_id} ${revoked.length}`;
}
