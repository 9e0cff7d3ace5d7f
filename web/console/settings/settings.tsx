import { useRef } from "preact/hooks";
import { call, listAll } from "../api.ts";
import { Link } from "../link.tsx";
import { ErrorNotice } from "../parts/error-notice.tsx";
import { useLeaving } from "../parts/leaving.tsx";
import { RequireRole } from "../parts/require-role.tsx";
import { Screen } from "../parts/screen.tsx";
import { Skeleton } from "../parts/table.tsx";
import { hasRole } from "../session.ts";
import { useLoad } from "../use-load.ts";
import { BrandingPart } from "./branding.tsx";
import { OrganizationPart } from "./organization.tsx";
import { OriginsPart } from "./origins.tsx";
import { RegistryPart } from "./registry-part.tsx";
import { SigningPart } from "./signing-part.tsx";
import { VaultPart } from "./vault-part.tsx";

export function Settings() {
  const loaded = useLoad("settings", () => call("get_settings"));
  const people = useLoad("members", () => listAll("list_members"));
  const unsaved = useRef(new Set<string>());
  const { notice } = useLeaving(() => (unsaved.current.size === 0 ? null : "You have unsaved changes."));
  const onChanged = (part: string, isChanged: boolean) => void (isChanged ? unsaved.current.add(part) : unsaved.current.delete(part));
  const settings = loaded.data;
  if (settings === null) {
    return (
      <Screen title="Settings">
        <ErrorNotice error={loaded.error} onRetry={loaded.reload} />
        {loaded.isSlow && <Skeleton />}
      </Screen>
    );
  }
  const part = { settings, onSaved: loaded.put, onChanged };
  return (
    <Screen title="Settings" lead="The settings of your organization. Save each card separately.">
      {notice}
      <p>
        <Link to="/settings/mail">E-mails to signers</Link>: words, sender address, time zone, attached documents.
      </p>
      <RequireRole least="admin" to="change the settings">
        {null}
      </RequireRole>
      <ErrorNotice error={people.error} onRetry={people.reload} />
      <OrganizationPart {...part} />
      <OriginsPart {...part} />
      <SigningPart {...part} />
      <VaultPart {...part} people={people.data ?? []} />
      {hasRole("admin") && <RegistryPart onChanged={onChanged} />}
      <BrandingPart {...part} />
    </Screen>
  );
}
