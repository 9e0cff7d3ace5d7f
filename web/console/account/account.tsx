import { useState } from "preact/hooks";
import { call } from "../api.ts";
import { Card } from "../parts/card.tsx";
import { Chip } from "../parts/chip.tsx";
import { ErrorNotice } from "../parts/error-notice.tsx";
import { Facts } from "../parts/facts.tsx";
import { lazy } from "../parts/lazy.tsx";
import { Screen } from "../parts/screen.tsx";
import { showToast } from "../parts/toast.tsx";
import { me } from "../session.ts";
import { useLoad } from "../use-load.ts";
import { en as words } from "../words/account/en.ts";
import { en as details } from "../words/own-details/en.ts";
import { Browsers } from "./browsers.tsx";
import { DeveloperCard } from "./developer-card.tsx";
import { KeysCard } from "./keys-card.tsx";
import { ChangeEmail, NameAndLanguage } from "./own-details.tsx";
import { PasswordCard } from "./password-card.tsx";
import { Sessions } from "./sessions.tsx";
import { TimesCard } from "./times-card.tsx";
import { VerifyEmail } from "./verify-email.tsx";

const OwnFactors = lazy(async () => (await import("./own-factors.tsx")).OwnFactors);

/** The account of the signed-in user. */
export function Account() {
  const { user, org, role } = me();
  const [isChanged, setChanged] = useState(false);
  const loaded = useLoad("own account", () => call("get_me"));
  const isVerified = loaded.data?.email_verified ?? null;
  const email = loaded.data?.user.email ?? user.email;
  const facts = [
    [words.name, loaded.data?.user.name ?? user.name],
    [
      words.email,
      <>
        {email}{" "}
        {isVerified !== null && <Chip tone={isVerified ? "good" : "waiting"}>{isVerified ? words.isVerified : words.notVerified}</Chip>}
      </>,
    ],
    [words.org, org.name],
    [words.role, role.charAt(0).toUpperCase() + role.slice(1).replace("_", " ")],
  ] as const;
  const onVerified = () => {
    showToast(words.verified);
    void loaded.reload();
  };
  return (
    <Screen title={words.title}>
      {!isChanged && (
        <Card title={words.profile}>
          <Facts facts={facts} />
          <ErrorNotice error={loaded.error} onRetry={loaded.reload} />
        </Card>
      )}
      {!isChanged && loaded.data !== null && (
        <Card title={details.title}>
          <NameAndLanguage person={loaded.data} onChanged={loaded.put} />
        </Card>
      )}
      {!isChanged && (
        <Card title={details.email.title}>
          <ChangeEmail email={email} />
        </Card>
      )}
      {!isChanged && isVerified === false && (
        <Card title={words.verifyTitle}>
          <p class="quiet">{words.verifyLead(email)}</p>
          <VerifyEmail email={email} onVerified={onVerified} />
        </Card>
      )}
      {loaded.data !== null && (
        <PasswordCard
          hasPassword={loaded.data.has_password}
          isChanged={isChanged}
          onChanged={() => setChanged(true)}
          onRemoved={loaded.reload}
        />
      )}
      {!isChanged && <OwnFactors />}
      {!isChanged && <Sessions />}
      {!isChanged && <Browsers />}
      {!isChanged && <KeysCard />}
      {!isChanged && <TimesCard />}
      {!isChanged && <DeveloperCard />}
    </Screen>
  );
}
