import { useRef } from "preact/hooks";
import { call, listAll } from "../api.ts";
import { Link } from "../link.tsx";
import { ErrorNotice } from "../parts/error-notice.tsx";
import { lazy } from "../parts/lazy.tsx";
import { useLeaving } from "../parts/leaving.tsx";
import { RequirePermission } from "../parts/require-permission.tsx";
import { Screen } from "../parts/screen.tsx";
import { Skeleton } from "../parts/skeleton.tsx";
import { may } from "../session.ts";
import { useLoad } from "../use-load.ts";
import { en as words } from "../words/settings/en.ts";
import { BrandingPart } from "./branding.tsx";
import { OrganizationPart } from "./organization.tsx";
import { OriginsPart } from "./origins.tsx";
import { RegistryPart } from "./registry-part.tsx";
import { SigningPart } from "./signing-part.tsx";
import { VaultPart } from "./vault-part.tsx";

const AuditExportPart = lazy(async () => (await import("./audit-export-part.tsx")).AuditExportPart);
const SsoPart = lazy(async () => (await import("./sso-part.tsx")).SsoPart);
const SecurityPart = lazy(async () => (await import("./security.tsx")).SecurityPart);

export function Settings() {
  const loaded = useLoad("settings", () => call("get_settings"));
  const people = useLoad("members", () => listAll("list_members"));
  const unsaved = useRef(new Set<string>());
  const { notice } = useLeaving(() => (unsaved.current.size === 0 ? null : words.leaving));
  const onChanged = (part: string, isChanged: boolean) => void (isChanged ? unsaved.current.add(part) : unsaved.current.delete(part));
  const settings = loaded.data;
  if (settings === null) {
    return (
      <Screen title={words.title}>
        <ErrorNotice error={loaded.error} onRetry={loaded.reload} />
        {loaded.isSlow && <Skeleton />}
      </Screen>
    );
  }
  const part = { settings, onSaved: loaded.put, onChanged };
  const manages = may("settings:manage");
  const parts = [
    words.organization.title,
    words.origins.title,
    words.signing.title,
    words.vault.title,
    ...(manages ? [words.registry.title] : []),
    words.parts.security,
    ...(may("security:manage") ? [words.parts.sso] : []),
    ...(may("audit:export") ? [words.parts.auditExport] : []),
    words.branding.title,
  ];
  return (
    <Screen title={words.title} lead={words.lead}>
      {notice}
      {manages && (
        <p>
          <Link to="/settings/mail">{words.mailLink}</Link>
          {words.mailHint}
        </p>
      )}
      <RequirePermission needs="settings:manage" to={words.toChange}>
        {null}
      </RequirePermission>
      <ErrorNotice error={people.error} onRetry={people.reload} />
      <div class="settings">
        <Contents parts={parts} />
        <div class="stack">
          <OrganizationPart {...part} />
          <OriginsPart {...part} />
          <SigningPart {...part} />
          <VaultPart {...part} people={people.data ?? []} />
          {manages && <RegistryPart onChanged={onChanged} />}
          <SecurityPart title={words.parts.security} onChanged={onChanged} />
          {may("security:manage") && <SsoPart title={words.parts.sso} onChanged={onChanged} />}
          {may("audit:export") && <AuditExportPart title={words.parts.auditExport} />}
          <BrandingPart {...part} />
        </div>
      </div>
    </Screen>
  );
}

/** Leads to the cards of the screen, which is long. */
function Contents({ parts }: { parts: readonly string[] }) {
  const show = (part: string) => {
    const heading = [...document.querySelectorAll<HTMLElement>("main .card h2")].find(({ textContent }) => textContent === part);
    if (heading === undefined) return;
    heading.tabIndex = -1;
    heading.focus({ preventScroll: true });
    heading.closest(".card")?.scrollIntoView({ block: "start" });
  };
  return (
    <nav class="settings-contents" aria-label={words.contents}>
      {parts.map((part) => (
        <button key={part} type="button" class="button quiet" onClick={() => show(part)}>
          {part}
        </button>
      ))}
    </nav>
  );
}
