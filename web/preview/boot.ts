import { firstKnown } from "../i18n/locales.ts";

/** Runs before the modules of the signing page, which read this when they are loaded. There is no token, and no host that frames a widget. */
window.boot = {
  block: { origins: [] },
  envelope_id: "",
  session: "",
  token: "",
  secret: null,
  linked: null,
  lang: firstKnown(navigator.languages),
  theme: null,
  opened: null,
  first_page: null,
  early: null,
};
