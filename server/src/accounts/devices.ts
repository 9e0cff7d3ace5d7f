import type { Read, Tx } from "../db/sql.ts";
import type { Visitor } from "../http/endpoint.ts";
import { DAY_SECONDS } from "../shared/durations.ts";
import { type DeviceId, newId, type OrgId, type UserId } from "../shared/ids.ts";
import { newToken, sha256 } from "../shared/secrets.ts";
import type { AccountDeps } from "./account.ts";
import { browserName } from "./browser-name.ts";
import { type CookieDeps, cookieLines, type ShownCookie, shownCookie } from "./cookies.ts";
import { deleteDevice, isDeviceRemembered, keepDevice, lookUpDevice } from "./device-store.ts";
import { findUser } from "./store.ts";
import type { InTurn } from "./throttle.ts";

/** Known browsers of accounts. Failed log-ins elsewhere never lock them out. */

const NAME = "countersign_device";
const KNOWN_SECONDS = 180 * DAY_SECONDS;
// More than a person has. Without a limit, a script that sends no cookie could fill the table.
const DEVICES_PER_PERSON = 50;

export function deviceCookie(deps: CookieDeps, token: string): string[] {
  return cookieLines(deps, NAME, token, KNOWN_SECONDS);
}

const shownBy = (deps: CookieDeps, visitor: Pick<Visitor, "cookies">): ShownCookie | null => {
  const shown = shownCookie(deps, visitor, NAME);
  return shown !== null && /^[\w-]{43}$/.test(shown.value) ? shown : null;
};

/** The visitor's browser, if it is known to the account of this address. */
export async function knownDevice(deps: CookieDeps, { db }: Pick<InTurn, "db">, visitor: Visitor, email: string): Promise<DeviceId | null> {
  const shown = shownBy(deps, visitor);
  return shown === null ? null : db.lease((read) => lookUpDevice(read, sha256(shown.value), email));
}

/** Whether this browser replaces the person's second factor for a log-in to the org. */
export async function replacesFactor(deps: CookieDeps, read: Read, visitor: Visitor, user_id: UserId, org: OrgId): Promise<boolean> {
  const shown = shownBy(deps, visitor);
  return shown !== null && isDeviceRemembered(read, sha256(shown.value), user_id, org);
}

/** Whether the request comes from a page of the console. Browsers send its origin; programs send none. */
export function isOwnPage({ publicUrl }: Pick<AccountDeps, "publicUrl">, { origin }: Pick<Visitor, "origin">): boolean {
  return origin === new URL(publicUrl).origin;
}

export interface RememberedBrowser {
  readonly device_id: DeviceId;
  /** sent once, as a cookie; only its hash is stored */
  readonly token: string;
}

/** Makes the browser known to the person for 180 days. If it is known to another person too, both share its cookie. */
export async function rememberBrowser(deps: CookieDeps, tx: Tx, visitor: Visitor, user_id: UserId): Promise<RememberedBrowser> {
  const [cookie, fresh] = [shownBy(deps, visitor), newToken()];
  // A neighbouring host may have planted it, and knows it. A new one takes its place.
  if (cookie?.isOld === true) await forgetShown(tx, cookie.value, user_id);
  const shown = cookie === null || cookie.isOld ? null : cookie.value;
  const { device_id, keeps_cookie } = await keepDevice(tx, {
    device_id: newId("device", tx.now.getTime()),
    user_id,
    shown: shown === null ? null : sha256(shown),
    fresh: sha256(fresh),
    label: browserName(visitor.user_agent),
    ip: visitor.ip,
    life_seconds: KNOWN_SECONDS,
    most: DEVICES_PER_PERSON,
  });
  return { device_id, token: keeps_cookie && shown !== null ? shown : fresh };
}

async function forgetShown(tx: Tx, token: string, user_id: UserId): Promise<void> {
  const device_id = await lookUpDevice(tx, sha256(token), (await findUser(tx, user_id)).email);
  if (device_id !== null) await deleteDevice(tx, device_id, user_id);
}
