import type { BrandingFont, BrandingScheme, OrganizationBranding, OrganizationSettings } from "@countersign/client/types";
import { useState } from "preact/hooks";
import type { Dropped } from "../../ui/theme.ts";
import { choicesOf } from "../parts/choices.ts";
import { SelectField } from "../parts/field.tsx";
import { useSending } from "../sending.ts";
import { en } from "../words/settings/en.ts";
import { BrandingPreview } from "./branding-preview.tsx";
import { ColourField, colourNames, colourWords } from "./colour.tsx";
import { faultsOf, lostNames, nameOf } from "./dropped-words.ts";
import { LogoField } from "./logo.tsx";
import { type PartProps, SettingsPart } from "./part.tsx";

const words = en.branding;
const fontWords: Record<BrandingFont, string> = words.fonts;
const schemeWords: Record<BrandingScheme, string> = words.schemes;
const DEFAULT_RADIUS = "10px";
const radii = Array.from({ length: 17 }, (_, px) => [`${px}px`, px === 0 ? words.square : words.px(px)] as const);

/** The look of signing pages and e-mails. Colours that signing pages would not use are reported and not saved. */
export function BrandingPart({ settings, onSaved, onChanged }: PartProps) {
  const sending = useSending();
  const [look, setLook] = useState(settings.branding);
  const change = (changed: { readonly [K in keyof OrganizationBranding]?: OrganizationBranding[K] | undefined }) =>
    setLook((now) => tidy({ ...now, ...changed }));
  const branding = tidy(look);
  const [dropped, setDropped] = useState<Readonly<Record<"light" | "dark", readonly Dropped[]>>>({ light: [], dark: [] });
  const schemes = look.scheme === "light" || look.scheme === "dark" ? ([look.scheme] as const) : (["light", "dark"] as const);
  // A colour that no page would use is not saved. One that only pages of one scheme leave out is, and the page says so.
  const refused = dropped[schemes[0]].filter((one) =>
    schemes.every((scheme) => lostNames(dropped[scheme]).some((name) => lostNames([one]).includes(name))),
  );
  const partly = schemes.filter((scheme) => dropped[scheme].length > 0);
  const saved = (now: OrganizationSettings) => {
    setLook(now.branding);
    onSaved(now);
  };
  return (
    <SettingsPart
      title={words.title}
      lead={words.lead}
      sending={sending}
      changes={isSame(branding, settings.branding) ? {} : { branding }}
      onSaved={saved}
      onChanged={onChanged}
      refusals={refused.flatMap(faultsOf)}
      {...(refused.length === 0 && {
        remark: partly.map((scheme) => words.partly(scheme, lostNames(dropped[scheme]).map(nameOf).join(", "))).join(" "),
      })}
    >
      <div class="branding">
        <div class="stack">
          <div class="columns">
            {colourNames.map((name) => (
              <ColourField
                key={name}
                label={colourWords[name]}
                name={name}
                value={look[name] ?? ""}
                onText={(value) => change({ [name]: value.trim() === "" ? undefined : value.trim() })}
                sending={sending}
              />
            ))}
          </div>
          <div class="columns">
            <SelectField
              label={words.corners}
              name="branding.radius"
              value={look.radius ?? DEFAULT_RADIUS}
              choices={radii}
              onChoice={(radius) => change({ radius: radius === DEFAULT_RADIUS ? undefined : radius })}
              sending={sending}
            />
            <SelectField
              label={words.typeface}
              name="branding.font"
              value={look.font ?? "system"}
              choices={choicesOf(fontWords)}
              onChoice={(font) => change({ font: font === "system" ? undefined : font })}
              sending={sending}
            />
            <SelectField
              label={words.scheme}
              name="branding.scheme"
              value={look.scheme ?? "auto"}
              choices={choicesOf(schemeWords)}
              onChoice={(scheme) => change({ scheme: scheme === "auto" ? undefined : scheme })}
              sending={sending}
            />
          </div>
          <LogoField png={look.logo} onPng={(logo) => change({ logo })} sending={sending} />
        </div>
        <BrandingPreview
          look={branding}
          orgName={settings.name}
          onDropped={(scheme, found) => setDropped((now) => ({ ...now, [scheme]: found }))}
        />
      </div>
    </SettingsPart>
  );
}

/** Saving replaces the branding, so members without a value are left out. */
const tidy = (look: { readonly [K in keyof OrganizationBranding]?: OrganizationBranding[K] | undefined }): OrganizationBranding =>
  Object.fromEntries(Object.entries(look).filter(([, value]) => value !== undefined)) as OrganizationBranding;

const isSame = (one: OrganizationBranding, other: OrganizationBranding): boolean => {
  const names = new Set([...Object.keys(one), ...Object.keys(other)]) as Set<keyof OrganizationBranding>;
  return [...names].every((name) => one[name] === other[name]);
};
