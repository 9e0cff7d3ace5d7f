import { useState } from "preact/hooks";
import { call } from "../api.ts";
import { Card } from "../parts/card.tsx";
import { Chip } from "../parts/chip.tsx";
import { ErrorNotice } from "../parts/error-notice.tsx";
import { Facts } from "../parts/facts.tsx";
import { Screen } from "../parts/screen.tsx";
import { StatusNotice } from "../parts/status-notice.tsx";
import { me } from "../session.ts";
import { useLoad } from "../use-load.ts";
import { KeysCard } from "./keys-card.tsx";
import { PasswordCard } from "./password-card.tsx";
import { Sessions } from "./sessions.tsx";
import { VerifyEmail } from "./verify-email.tsx";

/** The account of the signed-in user. */
export function Account() {
  const { user, org, role } = me();
  const [isChanged, setChanged] = useState(false);
  const [message, setMessage] = useState("");
  const loaded = useLoad("own account", () => call("get_me"));
  const isVerified = loaded.data?.email_verified ?? null;
  const facts = [
    ["Name", user.name],
    [
      "E-mail address",
      <>
        {user.email} {isVerified !== null && <Chip tone={isVerified ? "good" : "waiting"}>{isVerified ? "Verified" : "Not verified"}</Chip>}
      </>,
    ],
    ["Organization", org.name],
    ["Role", role],
  ] as const;
  const onVerified = () => {
    setMessage("Your e-mail address is verified.");
    void loaded.reload();
  };
  return (
    <Screen title="Your account">
      <StatusNotice>{message}</StatusNotice>
      {!isChanged && (
        <Card title="Profile">
          <Facts facts={facts} />
          <ErrorNotice error={loaded.error} onRetry={loaded.reload} />
        </Card>
      )}
      {!isChanged && isVerified === false && (
        <Card title="Verify your e-mail address">
          <p class="quiet">You can work here as usual. To join another organization, first verify that {user.email} is your address.</p>
          <VerifyEmail email={user.email} onVerified={onVerified} />
        </Card>
      )}
      <PasswordCard isChanged={isChanged} onChanged={() => setChanged(true)} />
      {!isChanged && <KeysCard />}
      {!isChanged && <Sessions />}
    </Screen>
  );
}
