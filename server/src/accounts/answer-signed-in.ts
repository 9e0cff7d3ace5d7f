import type { Static } from "typebox";
import { Answered } from "../http/endpoint.ts";
import type { AccountDeps } from "./account.ts";
import { deviceCookie } from "./devices.ts";
import type { LoggedIn } from "./log-in.ts";
import { presentSignedIn } from "./present.ts";
import { refreshCookie } from "./refresh-cookie.ts";
import type { SignedInView } from "./shapes.ts";
import type { SignedIn } from "./start-session.ts";

type SignedInAnswer = Static<typeof SignedInView>;

/** The tokens of a new session: in the response for programs, otherwise with the refresh token and the browser's token as cookies. */
export function answerSignedIn(
  deps: Pick<AccountDeps, "publicUrl">,
  signed: SignedIn & Partial<LoggedIn>,
  mode: "cookie" | "token" | undefined,
): SignedInAnswer | Answered<SignedInAnswer> {
  const data = presentSignedIn(signed, mode === "token");
  if (mode === "token") return data;
  const { refresh_token, device_token = null } = signed;
  const cookies = [...refreshCookie(deps, refresh_token), ...(device_token === null ? [] : deviceCookie(deps, device_token))];
  return new Answered(data, { "set-cookie": cookies });
}
