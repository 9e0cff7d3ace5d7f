import { useState } from "preact/hooks";
import { ApiError } from "../../http.ts";
import { call } from "../api.ts";
import { linkToken, mail } from "../boot.ts";
import { navigate } from "../navigation.ts";
import { ActionButton, SubmitButton } from "../parts/button.tsx";
import { ErrorNotice } from "../parts/error-notice.tsx";
import { TextField } from "../parts/field.tsx";
import { Form } from "../parts/form.tsx";
import { type Sending, useSending } from "../sending.ts";
import { logIn, me, post, session, startSession, switchOrg } from "../session.ts";
import { useLoad } from "../use-load.ts";
import { en } from "../words/open-links/en.ts";
import { AccountCard } from "./card.tsx";
import { BrokenLink, IncompleteLink, isBroken } from "./links.tsx";
import { VerifyEmail } from "./verify-email.tsx";

const words = en.invite;

export const Invite = () => (linkToken === null ? <IncompleteLink /> : <Invited token={linkToken} />);

function Invited({ token }: { token: string }) {
  const loaded = useLoad("invitation", () => post("preview_invitation", { token }));
  const sending = useSending();
  const broken = [loaded.error, sending.error].find(isBroken);
  if (broken !== undefined) return <BrokenLink error={broken} again={words.again} />;
  // The session may still be loading.
  if (loaded.data === null || session.value === undefined) {
    return <AccountCard title={words.loading}>{<ErrorNotice error={loaded.error} onRetry={loaded.reload} />}</AccountCard>;
  }
  const { org_name, email, role } = loaded.data;
  return (
    <AccountCard title={words.title(org_name)} lead={words.lead(role, email)}>
      <Ways token={token} email={email} sending={sending} />
    </AccountCard>
  );
}

interface WayProps {
  readonly token: string;
  readonly email: string;
  readonly sending: Sending;
}

/** `known`: the service reported that the address has an account */
type Way = "new" | "log in" | "known" | "session";

const codeOf = (error: unknown): string => (error instanceof ApiError ? error.code : "");
const isOwn = (email: string): boolean => session.value?.user.email.toLowerCase() === email.toLowerCase();

/** The service does not reveal whether an address has an account, so the page offers both ways to join. */
function Ways({ token, email, sending }: WayProps) {
  const [way, choose] = useState<Way>(isOwn(email) ? "session" : "new");
  const change = (to: Way) => () => {
    sending.clear();
    choose(to);
  };
  const props = { token, email, sending };
  if (way === "session") return <JoinInSession {...props} />;
  return (
    <>
      {session.value !== null && !isOwn(email) && <p class="notice">{words.otherAddress(me().user.email)}</p>}
      {way === "known" && (
        <p class="notice" role="status">
          {words.known}
        </p>
      )}
      {way === "new" ? (
        <MakeAccount {...props} onKnown={() => choose("known")} />
      ) : (
        <SignInAndJoin {...props} onSignedIn={() => choose("session")} />
      )}
      {way !== "known" && (
        <p>
          <button type="button" class="button wide" onClick={change(way === "new" ? "log in" : "new")}>
            {way === "new" ? words.haveAccount : words.noAccount}
          </button>
        </p>
      )}
    </>
  );
}

function MakeAccount({ token, sending, onKnown }: WayProps & { onKnown: () => void }) {
  const [name, setName] = useState("");
  const [password, setPassword] = useState("");
  const join = async () => {
    try {
      const joined = await post("accept_invitation", { token, password, name });
      // A new account is logged in immediately.
      if ("token" in joined) startSession(joined);
      navigate("/", { replace: true });
    } catch (error) {
      if (codeOf(error) !== "sign_in_to_join") throw error;
      onKnown();
    }
  };
  return (
    <Form sending={sending} onSend={join}>
      <TextField label={en.name} name="name" required autoComplete="name" value={name} onText={setName} sending={sending} />
      <TextField
        label={en.password}
        name="password"
        required
        type="password"
        autoComplete="new-password"
        value={password}
        onText={setPassword}
        sending={sending}
        hint={en.passwordHint}
      />
      <SubmitButton sending={sending} wide>
        {words.create}
      </SubmitButton>
    </Form>
  );
}

async function joinInSession(token: string): Promise<void> {
  const { org } = await call("accept_invitation", { body: { token } });
  await switchOrg(org.org_id);
  navigate("/", { replace: true });
}

function SignInAndJoin({ token, email, sending, onSignedIn }: WayProps & { onSignedIn: () => void }) {
  const [password, setPassword] = useState("");
  const submit = async () => {
    if (!(await logIn(email, password))) return;
    onSignedIn();
    await joinInSession(token);
  };
  return (
    <Form sending={sending} onSend={submit} shown={["password"]}>
      <input class="hidden-visually" type="email" autoComplete="username" value={email} readOnly tabIndex={-1} aria-hidden="true" />
      <TextField
        label={words.passwordFor(email)}
        name="password"
        required
        type="password"
        autoComplete="current-password"
        value={password}
        onText={setPassword}
        sending={sending}
      />
      <SubmitButton sending={sending} wide>
        {en.logIn}
      </SubmitButton>
      {/* Opens in a new tab, because this one holds the invitation. */}
      <p>
        <a href="/console/reset" target="_blank" rel="noopener">
          {words.forgot}
        </a>
      </p>
    </Form>
  );
}

function JoinInSession({ token, sending }: WayProps) {
  const { user } = me();
  const join = () => joinInSession(token);
  const isUnverified = codeOf(sending.error) === "address_not_verified";
  return (
    <>
      {isUnverified ? (
        <>
          <p role="alert">{words.verifyFirst(user.email)}</p>
          <VerifyEmail email={user.email} onVerified={() => void sending.run(join)} />
        </>
      ) : (
        <p>{words.loggedIn(user.name)}</p>
      )}
      {/* The operator verifies the address on the command line, so only another attempt shows the result. */}
      {(!isUnverified || mail === "outbox") && (
        <ActionButton sending={sending} onAction={join} kind="primary" wide>
          {words.join}
        </ActionButton>
      )}
      {!isUnverified && <ErrorNotice error={sending.error} />}
    </>
  );
}
