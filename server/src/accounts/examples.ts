import { permissionsOfRole } from "../shared/scopes.ts";

export const user = { user_id: "usr_01h2xcejqtf2nbrexx3vqjhp41", email: "ann@example.com", name: "Ann" };
export const org = { org_id: "org_01h2xcejqtf2nbrexx3vqjhp41", name: "Acme" };
const viewing = { role: "viewer", permissions: [...permissionsOfRole.viewer] };
const REFRESH_TOKEN = "x8Jk2QmX7vTzR1nYc5WbLd0HsGp3Ea9UiOqZ4tVxN6M";

export const logIn = { email: user.email, password: "mauve otter kettle 1931", org_id: org.org_id, mode: "token" };

export const signedIn = {
  status: "signed_in",
  token: "eyJhbGciOiJIUzI1NiJ9.eyJzaWQiOiJzZXMifQ.kq1V0cJ3nqk0Y3mXo0n2m9Jc1b7s5d4f",
  expires_at: "2026-01-05T09:45:00.000Z",
  refresh_token: REFRESH_TOKEN,
  user,
  org,
  ...viewing,
};

export const refresh = { refresh_token: REFRESH_TOKEN };

export const refreshed = {
  ...signedIn,
  expires_at: "2026-01-05T10:00:00.000Z",
  refresh_token: "b4Tn9WqE6rYhU2sKf8LzXc1VdGm5Pj0AoIi7tRvBwQ3",
};

export const logOut = { refresh_token: REFRESH_TOKEN };

export const me = {
  user,
  email_verified: true,
  locale: "de",
  has_password: true,
  second_factor_due_at: null,
  org,
  ...viewing,
  orgs: [{ ...org, role: "viewer" }],
};

export const session = {
  session_id: "ses_01h2xcejqtf2nbrexx3vqjhp41",
  ip: "203.0.113.7",
  user_agent: "Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0",
  created_at: "2026-01-05T09:30:00.000Z",
  last_used_at: "2026-01-05T10:12:00.000Z",
  expires_at: "2026-01-12T09:30:00.000Z",
  current: true,
};

export const personChange = { name: "Ann Example", locale: "de" };

export const browser = {
  device_id: "dev_01h2xcejqtf2nbrexx3vqjhp41",
  browser: "Firefox on Linux",
  first_ip: "203.0.113.7",
  last_ip: "203.0.113.7",
  created_at: "2026-01-05T09:30:00.000Z",
  last_seen_at: "2026-01-05T09:30:00.000Z",
  known_until: "2026-07-04T09:30:00.000Z",
  remembered_at: null,
  current: true,
};

export const emailChange = { new_email: "ann.example@example.com" };

export const passwordChange = { current_password: "mauve otter kettle 1931", new_password: "seven green kettles hum" };

export const verification = { code: "493027" };

export const secondFactor = { login_token: "Qm3vTzR1nYc5WbLd0HsGp8fJ2kX7Ea9UiOqZ4tVxN6M", code: "493027", mode: "token" };

export const confirmation = { password: "mauve otter kettle 1931", code: "493027" };

export const confirmed = { confirmed_until: "2026-01-05T09:40:00.000Z" };

export const factor = {
  factor_id: "fac_01h2xcejqtf2nbrexx3vqjhp41",
  kind: "totp",
  name: "Phone",
  created_at: "2026-01-05T09:30:00.000Z",
  last_used_at: "2026-01-05T09:30:00.000Z",
};

export const factors = { factors: [factor], recovery_codes_left: 10 };

export const newTotp = { name: factor.name };

export const addedTotp = {
  factor_id: factor.factor_id,
  secret: "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP",
  otpauth_url:
    "otpauth://totp/Countersign:ann%40example.com?secret=JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP&issuer=Countersign&algorithm=SHA1&digits=6&period=30",
};

export const recoveryCodes = ["MZXW6Y-TBOI2D-GNBVGY-3TQOJQ", "NB2HI4-DTHIXS-6ZLYMF-WXA3DF"];

export const confirmedFactor = { factor_id: factor.factor_id, recovery_codes: recoveryCodes };

const CHALLENGE = "q0hFmJ1l0vY3xwB8Zk2sN5tR7uPcE9dLgKaVbTfMiQo";
const CREDENTIAL_ID = "mR3vTzQ1nYc5WbLd0HsGp8fJ2kX7Ea9UiOqZ4tVxN6M";

export const passkeyOptions = { challenge: CHALLENGE, rpId: "sign.example.com", userVerification: "required", timeout: 300_000 } as const;

export const passkey = {
  id: CREDENTIAL_ID,
  rawId: CREDENTIAL_ID,
  type: "public-key",
  response: {
    clientDataJSON: "eyJ0eXBlIjoid2ViYXV0aG4uZ2V0In0",
    authenticatorData: "SZYN5YgOjGh0NBcPZHZgW4_krrmihjLHmVzzuoMdl2MFAAAAAQ",
    signature: "MEUCIQDx",
    userHandle: null,
  },
};

export const newPasskeyOptions = {
  challenge: CHALLENGE,
  rp: { id: "sign.example.com", name: "Countersign" },
  user: { id: "dXNyXzAxaDJ4Y2VqcXRmMm5icmV4eDN2cWpocDQx", name: user.email, displayName: user.email },
  pubKeyCredParams: [{ type: "public-key", alg: -7 }],
  excludeCredentials: [],
  authenticatorSelection: { residentKey: "required", requireResidentKey: true, userVerification: "required" },
  attestation: "none",
  timeout: 300_000,
};

export const newPasskey = {
  id: CREDENTIAL_ID,
  rawId: CREDENTIAL_ID,
  type: "public-key",
  response: { clientDataJSON: "eyJ0eXBlIjoid2ViYXV0aG4uY3JlYXRlIn0", attestationObject: "o2NmbXRkbm9uZQ" },
};
