import { useState } from "preact/hooks";
import { usePng } from "../../ui/blob-url.ts";
import { Field } from "../parts/field.tsx";
import type { Sending } from "../sending.ts";
import { en } from "../words/settings/en.ts";

const words = en.branding;

// The limit of the service; larger files are not sent.
const MAX_LOGO_BYTES = 100 * 1024;
const PNG = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];

interface LogoFieldProps {
  readonly png: string | undefined;
  readonly onPng: (base64: string | undefined) => void;
  readonly sending: Sending;
}

export function LogoField({ png, onPng, sending }: LogoFieldProps) {
  const url = usePng(png);
  const [fault, setFault] = useState<string | null>(null);
  const take = async (file: File | undefined) => {
    if (file === undefined) return;
    const bytes = new Uint8Array(await file.arrayBuffer());
    const wrong = faultOf(bytes);
    setFault(wrong);
    if (wrong === null) onPng(btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join("")));
  };
  return (
    <Field label={words.logo} error={fault ?? sending.errorOf("branding.logo")} hint={words.logoHint}>
      {(given) => (
        <div class="logo-line">
          {png !== undefined && url !== null && <img class="logo-picture" src={url} alt={words.currentLogo} />}
          <input
            {...given}
            type="file"
            class="logo-file"
            accept="image/png"
            name="branding.logo"
            onChange={(event) => void take(event.currentTarget.files?.[0])}
          />
          {png !== undefined && (
            <button
              type="button"
              class="button"
              onClick={(event) => {
                setFault(null);
                onPng(undefined);
                const input = event.currentTarget.parentElement?.querySelector<HTMLInputElement>("input[type=file]");
                if (input) input.value = "";
                input?.focus();
              }}
            >
              {words.removeLogo}
            </button>
          )}
        </div>
      )}
    </Field>
  );
}

function faultOf(bytes: Uint8Array): string | null {
  if (!PNG.every((byte, index) => bytes[index] === byte)) return words.notPng;
  return bytes.length > MAX_LOGO_BYTES ? words.tooLarge : null;
}
