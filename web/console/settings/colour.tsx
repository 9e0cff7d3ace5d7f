import type { OrganizationBranding } from "@countersign/client/types";
import { Field } from "../parts/field.tsx";
import type { Sending } from "../sending.ts";
import { en } from "../words/settings/en.ts";

export type ColourName = Exclude<keyof OrganizationBranding, "radius" | "font" | "scheme" | "logo">;

export const colourWords: Record<ColourName, string> = en.branding.colours;
export const colourNames = Object.keys(colourWords) as readonly ColourName[];

interface ColourFieldProps {
  readonly label: string;
  readonly name: ColourName;
  readonly value: string;
  readonly onText: (value: string) => void;
  readonly sending: Sending;
}

/** A colour as text, in any notation that the API accepts, or from the colour picker. */
export function ColourField({ label, name, value, onText, sending }: ColourFieldProps) {
  return (
    <Field label={label} error={sending.errorOf(`branding.${name}`)}>
      {(given) => (
        <div class="colour">
          <input
            type="color"
            class="colour-pick"
            aria-label={en.branding.pick(label)}
            value={hexOf(value === "" ? `var(--${name.replace("_", "-")})` : value)}
            onInput={(event) => onText(event.currentTarget.value)}
          />
          <input
            {...given}
            class="input"
            name={`branding.${name}`}
            value={value}
            placeholder={en.branding.default}
            autoComplete="off"
            spellcheck={false}
            onInput={(event) => onText(event.currentTarget.value)}
          />
        </div>
      )}
    </Field>
  );
}

/** As hexadecimal, which the colour picker requires. Grey if the text is not a colour. */
function hexOf(colour: string): string {
  const context = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  if (context === null) return "#808080";
  const token = /^var\((--[a-z-]+)\)$/.exec(colour)?.[1];
  context.fillStyle = "#808080";
  context.fillStyle = token === undefined ? colour : getComputedStyle(document.documentElement).getPropertyValue(token).trim();
  context.fillRect(0, 0, 1, 1);
  return `#${[...context.getImageData(0, 0, 1, 1).data.slice(0, 3)].map((byte) => byte.toString(16).padStart(2, "0")).join("")}`;
}
