import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { isHidden } from "../host-options.ts";
import { languages, locale, words } from "../i18n/i18n.ts";
import { asText, canZoomIn, canZoomOut, zoomIn, zoomOut } from "../pages/reading.ts";
import { Logo } from "../ui/logo.tsx";
import { isWide } from "../ui/screen-size.ts";
import { changeLanguage } from "./actions.ts";
import { opened, stage } from "./ceremony.ts";
import { confirming } from "./confirming.ts";
import { leaveAsOther } from "./leave-as-other.ts";
import { withPapers } from "./parts.tsx";
import { Who, whoIs } from "./who.tsx";

export function TopBar() {
  const now = opened.value;
  // The menu stays: the disclosure says that the consent can be withdrawn there.
  const hasNoTitle = isHidden("header");
  return (
    <header class="top-bar">
      {!hasNoTitle && <Logo png={now?.branding.logo} name={now?.envelope.sender ?? ""} />}
      <div class="top-title">
        {!hasNoTitle && <p class="title">{now?.envelope.name ?? ""}</p>}
        {now !== null && (
          <p class="quiet small">
            {[...(hasNoTitle ? [] : [words.value.from(now.envelope.sender)]), ...(isWide.value ? [] : [whoIs(now.you)])].join(" · ")}
          </p>
        )}
      </div>
      {now !== null && isWide.value && stage.value !== "ended" && <Who class="in-bar" />}
      <Menu />
    </header>
  );
}

/** A disclosure with plain buttons, so that the Tab key works as usual. Esc closes it. */
function Menu() {
  const isOpen = useSignal(false);
  const menu = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    const away = (event: Event) => {
      if (!menu.current?.contains(event.target as Node)) isOpen.value = false;
    };
    const pressed = ({ key }: KeyboardEvent) => {
      if (key !== "Escape" || !isOpen.value) return;
      isOpen.value = false;
      button.current?.focus();
    };
    addEventListener("pointerdown", away);
    addEventListener("keydown", pressed);
    return () => {
      removeEventListener("pointerdown", away);
      removeEventListener("keydown", pressed);
    };
  }, []);
  const now = opened.value;
  const isLive = WIDGET !== "preview" && now?.you.mode === "sign" && !["ended", "loading", "signed"].includes(stage.value);
  const hasPages = now?.document != null && stage.value !== "ended";
  const choose = (run: () => void) => () => {
    isOpen.value = false;
    button.current?.focus();
    run();
  };
  return (
    <div class="menu" ref={menu}>
      <button
        ref={button}
        type="button"
        class="button quiet"
        aria-expanded={isOpen.value}
        aria-controls="menu"
        onClick={() => (isOpen.value = !isOpen.value)}
      >
        {words.value.menu}
      </button>
      <div id="menu" class="menu-list" hidden={!isOpen.value}>
        {hasPages && !isWide.value && (
          <>
            <Item run={choose(() => (asText.value = !asText.value))}>{asText.value ? words.value.pictureView : words.value.textView}</Item>
            {canZoomIn.value && <Item run={zoomIn}>{words.value.zoomIn}</Item>}
            {canZoomOut.value && <Item run={zoomOut}>{words.value.zoomOut}</Item>}
          </>
        )}
        {hasPages && isLive && (
          <>
            {!isHidden("download") && (
              <Item run={choose(() => withPapers(({ downloadDocument }) => downloadDocument()))}>{words.value.downloadFirst}</Item>
            )}
            <Item run={choose(() => withPapers(({ downloadDisclosure }) => downloadDisclosure()))}>{words.value.downloadConsent}</Item>
            {now.state === "ready" && now.recipient?.delivery === "email" && (
              <Item run={choose(() => withPapers(({ finishLater }) => finishLater()))}>{words.value.later}</Item>
            )}
          </>
        )}
        <label class="menu-language">
          <span class="small">{words.value.language}</span>
          <select
            class="input"
            value={locale.value}
            onChange={(event) => void changeLanguage(event.currentTarget.value as typeof locale.value)}
          >
            {languages.map(([code, name]) => (
              <option key={code} value={code} lang={code}>
                {name}
              </option>
            ))}
          </select>
        </label>
        {WIDGET !== "preview" && now !== null && !isWide.value && stage.value !== "ended" && (
          <>
            <hr />
            <p class="menu-text small">
              {whoIs(now.you)} <span class="quiet">({now.you.email})</span>
            </p>
            <Item run={choose(leaveAsOther)}>{words.value.notYou}</Item>
          </>
        )}
        {isLive && (
          <>
            <hr />
            {now.consent?.accepted_at != null && now.state === "ready" && (
              <Item run={choose(() => (confirming.value = "withdraw"))}>{words.value.withdraw}</Item>
            )}
            <Item run={choose(() => (confirming.value = "paper"))}>{words.value.paper}</Item>
            {!isHidden("decline") && <Item run={choose(() => (confirming.value = "decline"))}>{words.value.decline}</Item>}
          </>
        )}
      </div>
    </div>
  );
}

function Item({ run, children }: { run: () => void; children: string }) {
  return (
    <button type="button" class="menu-item" onClick={run}>
      {children}
    </button>
  );
}
