import { iso, isoOrNull } from "../http/shapes.ts";
import { type ConnectionId, type DeviceId, isSandbox, type SessionId } from "../shared/ids.ts";
import { permissionsOfRole } from "../shared/scopes.ts";
import type { Membership, OwnDetails, Session, User } from "./account.ts";
import type { Browser } from "./device-store.ts";
import type { Factor } from "./factor-store.ts";
import type { PendingLogIn } from "./log-in.ts";
import type { SignedIn } from "./start-session.ts";

/** The fields of the responses, listed explicitly. */

export const presentUser = ({ user_id, email, name }: User) => ({ user_id, email, name });

/** Without the refresh token for browsers, which get it as a cookie that scripts cannot read. */
export const presentSignedIn = (signed: SignedIn, withRefreshToken: boolean) => ({
  status: "signed_in" as const,
  token: signed.token,
  expires_at: iso(signed.expires_at),
  ...(withRefreshToken && { refresh_token: signed.refresh_token }),
  user: presentUser(signed.user),
  org: { org_id: signed.org.org_id, name: signed.org.name },
  role: signed.org.role,
  permissions: [...permissionsOfRole[signed.org.role]],
  ...(isSandbox(signed.org.org_id) && { mode: "test" as const }),
  ...(signed.mustEnroll && { limited: "enroll" as const }),
  ...(signed.via.startsWith("sso:") && { sso_connection_id: signed.via.slice("sso:".length) }),
});

export interface Me {
  readonly user: OwnDetails;
  readonly factor_due_at: Date | null;
  readonly here: Membership;
  readonly all: readonly Membership[];
  /** null if the session did not begin with single sign-on */
  readonly connection_id: ConnectionId | null;
}

export const presentMe = ({ user, factor_due_at, here, all, connection_id }: Me) => ({
  user: presentUser(user),
  email_verified: user.email_verified,
  locale: user.locale,
  has_password: user.has_password,
  second_factor_due_at: isoOrNull(factor_due_at),
  org: { org_id: here.org_id, name: here.name },
  role: here.role,
  permissions: [...permissionsOfRole[here.role]],
  orgs: all.map(({ org_id, name, role, sandbox_of }) => ({ org_id, name, role, ...(sandbox_of != null && { sandbox_of }) })),
  ...(connection_id !== null && { sso_connection_id: connection_id }),
});

export const presentSession = (session: Session, current: SessionId) => ({
  session_id: session.session_id,
  ip: session.ip,
  user_agent: session.user_agent,
  created_at: iso(session.created_at),
  last_used_at: iso(session.last_used_at),
  expires_at: iso(session.expires_at),
  current: session.session_id === current,
});

export const presentBrowser = (browser: Browser, current: DeviceId | null) => ({
  device_id: browser.device_id,
  browser: browser.label,
  first_ip: browser.first_ip,
  last_ip: browser.last_ip,
  created_at: iso(browser.created_at),
  last_seen_at: iso(browser.last_seen_at),
  known_until: iso(browser.known_until),
  remembered_at: isoOrNull(browser.remembered_at),
  current: browser.device_id === current,
});

export const presentPending = ({ login_token, methods, remember_device_days, expires_at }: PendingLogIn) => ({
  status: "second_factor_required" as const,
  login_token,
  methods: [...methods],
  remember_device_days,
  expires_at: iso(expires_at),
});

export const presentFactor = ({ factor_id, kind, name, created_at, last_used_at }: Factor) => ({
  factor_id,
  kind,
  name,
  created_at: iso(created_at),
  last_used_at: isoOrNull(last_used_at),
});
