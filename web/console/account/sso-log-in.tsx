import type { ApiError } from "../../http.ts";
import { query } from "../navigation.ts";
import { ErrorNotice } from "../parts/error-notice.tsx";
import { refusedFields } from "../refused-fields.ts";
import { useSending } from "../sending.ts";
import { post } from "../session.ts";
import { en as words } from "../words/sso/en.ts";

/** Where the log-in goes on after the provider. */
export const SSO_NEXT = "countersign sso next";

interface SsoLogInProps {
  readonly email: string;
  /** the refusal of a password, because only single sign-on opens the organization */
  readonly required: ApiError | null;
}

/** Leads to the identity provider of the user's organization. */
export function SsoLogIn({ email, required }: SsoLogInProps) {
  const sending = useSending();
  const connection_id = required?.details[0]?.connection_id;
  const start = async () => {
    if (email === "" && connection_id === undefined) throw refusedFields(words.emailFirst, []);
    const { redirect_url } = await post("start_sso", connection_id === undefined ? { email } : { connection_id, email });
    sessionStorage.setItem(SSO_NEXT, query.peek().get("next") ?? "/");
    location.assign(redirect_url);
  };
  return (
    <>
      {required !== null && (
        <p class="notice" role="alert">
          {required.message}. {words.required}
        </p>
      )}
      <button type="button" class="button wide" disabled={sending.isBusy} onClick={() => void sending.run(start)}>
        {words.logIn}
      </button>
      <ErrorNotice error={sending.error} />
    </>
  );
}
