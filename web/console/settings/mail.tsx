import { useRef } from "preact/hooks";
import { call } from "../api.ts";
import { Link } from "../link.tsx";
import { ErrorNotice } from "../parts/error-notice.tsx";
import { useLeaving } from "../parts/leaving.tsx";
import { RequirePermission } from "../parts/require-permission.tsx";
import { Screen } from "../parts/screen.tsx";
import { Skeleton } from "../parts/skeleton.tsx";
import { useLoad } from "../use-load.ts";
import { en as words } from "../words/mail-settings/en.ts";
import { en as settings } from "../words/settings/en.ts";
import { LegalTexts } from "./legal-texts.tsx";
import { MailPart } from "./mail-part.tsx";
import { MailSenderPart } from "./mail-sender-part.tsx";
import { MailTextsPart } from "./mail-texts-part.tsx";

/** What signers get by e-mail: from which address, in which words, with which times and files. */
export function MailSettings() {
  const loaded = useLoad("settings", () => call("get_settings"));
  const unsaved = useRef(new Set<string>());
  const { notice } = useLeaving(() => (unsaved.current.size === 0 ? null : settings.leaving));
  const onChanged = (part: string, isChanged: boolean) => void (isChanged ? unsaved.current.add(part) : unsaved.current.delete(part));
  const back = (
    <p class="small">
      <Link to="/settings">{words.above}</Link>
    </p>
  );
  return (
    <Screen title={words.title} above={back} lead={words.lead}>
      {notice}
      <ErrorNotice error={loaded.error} onRetry={loaded.reload} />
      {loaded.data === null ? (
        loaded.isSlow && <Skeleton />
      ) : (
        <RequirePermission needs="mail:manage" to={words.toChange}>
          <MailPart settings={loaded.data} onSaved={loaded.put} onChanged={onChanged} />
          <MailTextsPart onChanged={onChanged} />
          <MailSenderPart onChanged={onChanged} />
        </RequirePermission>
      )}
      <LegalTexts />
    </Screen>
  );
}
