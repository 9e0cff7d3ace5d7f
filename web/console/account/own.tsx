import { useState } from "preact/hooks";
import { Card } from "../parts/card.tsx";
import { Facts } from "../parts/facts.tsx";
import { Screen } from "../parts/screen.tsx";
import { me } from "../session.ts";
import { OwnPassword } from "./own-password.tsx";
import { OwnSessions } from "./own-sessions.tsx";

/** What concerns the one who is signed in. */
export function OwnAccount() {
  const { user, org, role } = me();
  const [isChanged, setChanged] = useState(false);
  const facts = [
    ["Name", user.name],
    ["E-mail address", user.email],
    ["Organization", org.name],
    ["Role here", role],
  ] as const;
  return (
    <Screen title="Your account">
      {!isChanged && (
        <Card title="You">
          <Facts facts={facts} />
        </Card>
      )}
      <OwnPassword isChanged={isChanged} onChanged={() => setChanged(true)} />
      {!isChanged && <OwnSessions />}
    </Screen>
  );
}
