import { useRef } from "preact/hooks";
import { call, listAll } from "../api.ts";
import { useAsked } from "../asked.ts";
import { useLeaving } from "../parts/leaving.tsx";
import { Only } from "../parts/only.tsx";
import { Screen } from "../parts/screen.tsx";
import { Skeleton } from "../parts/table.tsx";
import { Trouble } from "../parts/trouble.tsx";
import { BrandingPart } from "./branding.tsx";
import { OrganizationPart } from "./organization.tsx";
import { OriginsPart } from "./origins.tsx";
import { SigningPart } from "./signing-part.tsx";
import { VaultPart } from "./vault-part.tsx";

export function Settings() {
  const asked = useAsked("settings", () => call("get_settings"));
  const people = useAsked("members", () => listAll("list_members"));
  const unsaved = useRef(new Set<string>());
  const { notice } = useLeaving(() => (unsaved.current.size === 0 ? null : "Some settings are not saved yet."));
  const onChanged = (part: string, isChanged: boolean) => void (isChanged ? unsaved.current.add(part) : unsaved.current.delete(part));
  const settings = asked.data;
  if (settings === null) {
    return (
      <Screen title="Settings">
        <Trouble of={asked.error} again={asked.reload} />
        {asked.isSlow && <Skeleton />}
      </Screen>
    );
  }
  const part = { settings, onSaved: asked.put, onChanged };
  return (
    <Screen title="Settings" lead="Of this organization. Each card is saved by itself.">
      {notice}
      <Only least="admin" to="change the settings">
        {null}
      </Only>
      <Trouble of={people.error} again={people.reload} />
      <OrganizationPart {...part} />
      <OriginsPart {...part} />
      <SigningPart {...part} />
      <VaultPart {...part} people={people.data ?? []} />
      <BrandingPart {...part} />
    </Screen>
  );
}
