import type { Read, Tx } from "../db/sql.ts";
import type { Visitor } from "../http/endpoint.ts";
import { DAY_SECONDS } from "../shared/durations.ts";
import { type DeviceId, newId, type OrgId, type UserId } from "../shared/ids.ts";
import { newToken, sha256 } from "../shared/secrets.ts";
import type { AccountDeps } from "./account.ts";
import { browserName } from "./browser-name.ts";
import { cookieLine } from "./cookies.ts";
import { isDeviceRemembered, keepDevice, lookUpDevice } from "./device-store.ts";
import type { InTurn } from "./throttle.ts";

/** Known browsers of accounts. Failed log-ins elsewhere never lock them out. */

const NAME = "countersign_device";
const KNOWN_SECONDS = 180 * DAY_SECONDS;
// More than a person has. Without a limit, a script that sends no cookie could fill the table.
const DEVICES_PER_PERSON = 50;

export function deviceCookie(deps: Pick<AccountDeps, "publicUrl">, token: string): string {
  return cookieLine(deps, NAME, token, KNOWN_SECONDS);
}

const shownBy = ({ cookies }: Pick<Visitor, "cookies">): string | null => {
  const token = cookies[NAME] ?? "";
  return /^[\w-]{43}$/.test(token) ? token : null;
};

/** The visitor's browser, if it is known to the account of this address. */
export async function knownDevice({ db }: Pick<InTurn, "db">, visitor: Visitor, email: string): Promise<DeviceId | null> {
  const token = shownBy(visitor);
  return token === null ? null : db.lease((read) => lookUpDevice(read, sha256(token), email));
}

/** Whether this browser replaces the person's second factor for a log-in to the org. */
export async function replacesFactor(read: Read, visitor: Visitor, user_id: UserId, org: OrgId): Promise<boolean> {
  const token = shownBy(visitor);
  return token !== null && isDeviceRemembered(read, sha256(token), user_id, org);
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
export async function rememberBrowser(tx: Tx, visitor: Visitor, user_id: UserId): Promise<RememberedBrowser> {
  const [shown, fresh] = [shownBy(visitor), newToken()];
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
