import { useRef } from "preact/hooks";
import { call } from "../api.ts";
import { Link } from "../link.tsx";
import { ErrorNotice } from "../parts/error-notice.tsx";
import { useLeaving } from "../parts/leaving.tsx";
import { RequireRole } from "../parts/require-role.tsx";
import { Screen } from "../parts/screen.tsx";
import { Skeleton } from "../parts/table.tsx";
import { useLoad } from "../use-load.ts";
import { LegalTexts } from "./legal-texts.tsx";
import { MailPart } from "./mail-part.tsx";
import { MailSenderPart } from "./mail-sender-part.tsx";
import { MailTextsPart } from "./mail-texts-part.tsx";

/** What signers get by e-mail: from which address, in which words, with which times and files. */
export function MailSettings() {
  const loaded = useLoad("settings", () => call("get_settings"));
  const unsaved = useRef(new Set<string>());
  const { notice } = useLeaving(() => (unsaved.current.size === 0 ? null : "You have unsaved changes."));
  const onChanged = (part: string, isChanged: boolean) => void (isChanged ? unsaved.current.add(part) : unsaved.current.delete(part));
  const back = (
    <p class="small">
      <Link to="/settings">Settings</Link>
    </p>
  );
  return (
    <Screen
      title="E-mails to signers"
      above={back}
      lead="E-mails are in the language of the signer. Logo and colour are those of your branding."
    >
      {notice}
      <ErrorNotice error={loaded.error} onRetry={loaded.reload} />
      {loaded.data === null ? (
        loaded.isSlow && <Skeleton />
      ) : (
        <RequireRole least="admin" to="change e-mails">
          <MailPart settings={loaded.data} onSaved={loaded.put} onChanged={onChanged} />
          <MailTextsPart onChanged={onChanged} />
          <MailSenderPart onChanged={onChanged} />
        </RequireRole>
      )}
      <LegalTexts />
    </Screen>
  );
}
