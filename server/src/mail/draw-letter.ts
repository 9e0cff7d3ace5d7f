import type { Fact, Letter } from "./letter.ts";
import { PLAIN_LOOK } from "./look.ts";
import { escapeHtml } from "./plain-text.ts";

/**
 * The HTML part. Tables and inline styles, because many mail programs know nothing else; programs that know media queries get dark colours
 * and the width of a phone. The only picture is the organization's logo, which is part of the message.
 */
export function drawLetter(letter: Letter): string {
  const {
    locale = "en",
    look = PLAIN_LOOK,
    subject,
    heading,
    opening,
    quote,
    facts = [],
    link,
    closing,
    notices = [],
    footer = [],
  } = letter;
  return [
    `<!doctype html><html lang="${locale}" dir="ltr"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">`,
    `<meta name="color-scheme" content="light dark"><meta name="supported-color-schemes" content="light dark">`,
    `<title>${escapeHtml(subject)}</title><style>${DARK_AND_NARROW}</style></head>`,
    `<body class="bg" style="margin:0;padding:0;background:#f6f7f9;font-family:${FONTS}">`,
    `<div style="display:none;max-height:0;overflow:hidden">${escapeHtml(previewOf(letter))}</div>`,
    `<table role="presentation" class="bg" width="100%" cellpadding="0" cellspacing="0" style="background:#f6f7f9"><tr><td align="center" style="padding:24px 12px">`,
    `<table role="presentation" class="card" width="600" cellpadding="0" cellspacing="0" style="${CARD}">`,
    row("24px 40px 0", brandOf(look)),
    ...(heading === undefined ? [] : [row("24px 40px 0", heading, TITLE)]),
    ...opening.map((text) => row("16px 40px 0", text, TEXT)),
    ...(quote == null ? [] : [row("16px 40px 0", quoteOf(quote))]),
    ...(facts.length === 0 ? [] : [row("20px 40px 0", factsOf(facts))]),
    ...(link === undefined ? [] : linkOf(link, look)),
    ...(link === undefined || closing.length + notices.length === 0 ? [] : [row("20px 40px 0", LINE)]),
    ...closing.map((text, index) => row(index === 0 ? "16px 40px 0" : "8px 40px 0", text, CLOSING)),
    ...notices.map((text) => row("8px 40px 0", text, SMALL)),
    `<tr><td style="padding:0 0 24px;font-size:0;line-height:0">&nbsp;</td></tr>`,
    "</table>",
    ...(footer.length === 0 ? [] : [footerOf(footer)]),
    "</td></tr></table></body></html>\n",
  ].join("\n");
}

const FONTS = "-apple-system,'Segoe UI',Roboto,'Liberation Sans',Arial,sans-serif";
const CARD = "width:600px;max-width:100%;background:#ffffff;border:1px solid #e2e5ea;border-radius:12px";
const DARK_AND_NARROW = [
  "@media (prefers-color-scheme:dark){.bg{background:#0e1116!important}.card{background:#161a21!important;border-color:#2a313c!important}",
  ".t{color:#e9ecf1!important}.m{color:#a3adbb!important}.soft{background:#1f252e!important}.line{border-color:#2a313c!important}.lk{color:#93b2ff!important}}",
  "@media (max-width:619px){.card,.w{width:100%!important}.px{padding-left:20px!important;padding-right:20px!important}}",
].join("");

/** `t`: text, `m`: muted, the classes that the dark colours name. */
interface Style {
  readonly class: "t" | "m";
  readonly css: string;
}
const TITLE: Style = { class: "t", css: "font-size:24px;line-height:32px;font-weight:bold;color:#171b23" };
const TEXT: Style = { class: "t", css: "font-size:15px;line-height:22px;color:#171b23" };
const CLOSING: Style = { class: "t", css: "font-size:14px;line-height:20px;color:#171b23" };
const SMALL: Style = { class: "m", css: "font-size:13px;line-height:20px;color:#565f6d" };

/** One row of the card: text in a style, or HTML that was made here. */
function row(padding: string, content: string | Html, style?: Style): string {
  const inner = typeof content === "string" ? linesOf(content) : content.html;
  return `<tr><td class="px${style === undefined ? "" : ` ${style.class}`}" style="padding:${padding};${style?.css ?? ""}">${inner}</td></tr>`;
}

/** Some programs ignore the style that keeps line ends, so that they are marked. */
const linesOf = (text: string): string => escapeHtml(text).replaceAll("\n", "<br>");

interface Html {
  readonly html: string;
}

const LINE: Html = { html: '<div class="line" style="border-top:1px solid #e2e5ea;font-size:0;line-height:0">&nbsp;</div>' };

const inTable = (cells: string, width = ""): Html => ({
  html: `<table role="presentation"${width} cellpadding="0" cellspacing="0"><tr>${cells}</tr></table>`,
});

/** What lists of messages show after the subject. */
function previewOf({ facts = [], opening }: Letter): string {
  return facts.length === 0 ? (opening[0] ?? "") : facts.map((fact) => `${fact.label}: ${wholeOf(fact)}`).join(". ");
}

export const LOGO_ID = "logo@countersign";
const LOGO = `<td style="padding-right:12px"><img src="cid:${LOGO_ID}" height="40" alt="" style="display:block;height:40px;width:auto;max-width:200px;border:0"></td>`;

/** For a message whose organization has no logo any more. */
export const withoutLogo = (html: string): string => html.replace(LOGO, "");
export const hasLogo = (html: string): boolean => html.includes(LOGO);

function brandOf({ org_name, has_logo }: { readonly org_name: string; readonly has_logo: boolean }): Html {
  const name = `<td class="t" style="font-size:16px;font-weight:bold;color:#171b23">${escapeHtml(org_name)}</td>`;
  return inTable(`${has_logo ? LOGO : ""}${name}`);
}

const AVATAR =
  "width:40px;height:40px;border-radius:20px;background:#dfe6f8;color:#2450c8;font-size:14px;font-weight:bold;line-height:40px;text-align:center";

function quoteOf({ by, name, text }: NonNullable<Letter["quote"]>): Html {
  const avatar = name === undefined ? "" : `<td width="52" valign="top"><div style="${AVATAR}">${escapeHtml(initialsOf(name))}</div></td>`;
  const said = `<blockquote class="t" style="margin:0;color:#171b23">${linesOf(text)}</blockquote>`;
  const words = `<td style="font-size:15px;line-height:22px"><span class="m" style="color:#565f6d">${escapeHtml(by)}</span>${said}</td>`;
  return inTable(avatar + words, ' width="100%"');
}

/** Of the first and the last word. */
function initialsOf(name: string): string {
  const words = name.trim().split(/\s+/);
  const ends = words.length < 2 ? words : [words[0] ?? "", words.at(-1) ?? ""];
  return ends.map((word) => (Array.from(word)[0] ?? "").toUpperCase()).join("");
}

export const wholeOf = ({ value, more }: Fact): string => (more === undefined ? value : `${value}, ${more}`);

function factsOf(facts: NonNullable<Letter["facts"]>): Html {
  const rows = facts.map(({ label, value, more }, index) => {
    const [above, below] = [index === 0 ? 14 : 4, index === facts.length - 1 ? 14 : 4];
    const head = `<td class="m" width="128" valign="top" style="padding:${above}px 8px ${below}px 16px;color:#565f6d">${escapeHtml(label)}</td>`;
    const shown = more === undefined ? escapeHtml(value) : `<b>${escapeHtml(value)}</b>, ${escapeHtml(more)}`;
    return `<tr>${head}<td class="t" valign="top" style="padding:${above}px 16px ${below}px 0;color:#171b23">${shown}</td></tr>`;
  });
  const style = "background:#f6f7f9;border-radius:8px;font-size:14px;line-height:20px";
  return {
    html: `<table role="presentation" class="soft" width="100%" cellpadding="0" cellspacing="0" style="${style}">${rows.join("")}</table>`,
  };
}

/** The full address is below the button, because some programs show no buttons and readers may want to see where a link goes. */
function linkOf({ lead, button, url, fails = "" }: NonNullable<Letter["link"]>, look: { accent: string; accent_text: string }): string[] {
  const href = escapeHtml(url);
  const button_style = `display:inline-block;padding:14px 28px;font-size:16px;line-height:20px;font-weight:bold;color:${look.accent_text};text-decoration:none`;
  const pressed = `<td style="border-radius:8px;background:${look.accent}"><a href="${href}" style="${button_style}">${escapeHtml(button)}</a></td>`;
  const address = `<a href="${href}" class="lk" style="color:#2450c8;overflow-wrap:anywhere;word-break:break-word">${href}</a>`;
  return [
    ...(lead === button ? [] : [row("16px 40px 0", `${lead}:`, TEXT)]),
    row("24px 40px 0", inTable(pressed)),
    row("14px 40px 0", { html: `${escapeHtml(fails)} ${address}` }, SMALL),
  ];
}

function footerOf(lines: readonly string[]): string {
  const text = linesOf(lines.join("\n"));
  const style = "padding:16px 20px;font-size:12px;line-height:18px;color:#565f6d";
  return `<table role="presentation" class="w" width="600" cellpadding="0" cellspacing="0" style="width:600px;max-width:100%"><tr><td class="m" align="center" style="${style}">${text}</td></tr></table>`;
}
