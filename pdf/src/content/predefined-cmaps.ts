// The predefined CMaps (ISO 32000-2, table 116) without their CID tables. The text of a code comes from the CMap's character set. CIDs
// are only needed for widths, and only ASCII is mapped: all other characters of these fonts are one em wide, which is the default.

export type PredefinedCMap = {
  readonly vertical: boolean;
  /** The number of bytes of the code at `at`. */
  readonly length: (bytes: Uint8Array, at: number) => number;
  readonly text: (code: number, length: number) => string;
  readonly cid: (code: number, length: number) => number | undefined;
};

/** Null if the name is not predefined. `Identity-H`: two bytes, the code is the CID. */
export function predefinedCMap(name: string): PredefinedCMap | null {
  const vertical = /(^|-)V$/.test(name);
  if (/^Identity-[HV]$/.test(name)) return { vertical, length: () => 2, text: () => "", cid: (code) => code };
  const unicode = /^Uni\w+?-(UCS2|UTF8|UTF16|UTF32)(-HW)?-[HV]$/.exec(name);
  if (unicode !== null) return unicodeCMap(unicode[1] ?? "", vertical, asciiCid(name));
  const set = charsets.find(([pattern]) => pattern.test(name));
  if (set === undefined) return null;
  const [, charset, length, shift] = set;
  const decoder = new TextDecoder(charset);
  const text = (code: number, size: number): string => decoder.decode(bytesOf(shift ? code | 0x8080 : code, size));
  const first = asciiCid(name);
  return { vertical, length, text, cid: (code, size) => (size === 1 && code >= 32 && code < 127 ? first + code - 32 : undefined) };
}

type Length = (bytes: Uint8Array, at: number) => number;

const leadFrom = (low: number): Length => {
  return (bytes, at) => ((bytes[at] ?? 0) >= low && (bytes[at] ?? 0) <= 0xfe ? 2 : 1);
};

const shiftJis: Length = (bytes, at) => {
  const lead = bytes[at] ?? 0;
  return (lead >= 0x81 && lead <= 0x9f) || (lead >= 0xe0 && lead <= 0xfc) ? 2 : 1;
};

const eucJp: Length = (bytes, at) => ((bytes[at] ?? 0) === 0x8e || (bytes[at] ?? 0) >= 0xa1 ? 2 : 1);

const gb18030: Length = (bytes, at) => {
  const second = bytes[at + 1] ?? 0;
  if ((bytes[at] ?? 0) < 0x81) return 1;
  return second >= 0x30 && second <= 0x39 ? 4 : 2;
};

const charsets: readonly (readonly [RegExp, string, Length, boolean])[] = [
  [/-RKSJ-[HV]$/, "shift_jis", shiftJis, false],
  [/^EUC-[HV]$/, "euc-jp", eucJp, false],
  [/^(H|V|Ext-H|Ext-V|Add-H|Add-V|78-H|78-V)$/, "euc-jp", () => 2, true],
  [/^GBK2K-[HV]$/, "gb18030", gb18030, false],
  [/^(GBKp?-EUC|GB-EUC|GBpc-EUC)-[HV]$/, "gbk", leadFrom(0x81), false],
  [/-B5-[HV]$|^B5pc-[HV]$|^HKscs-B5-[HV]$/, "big5", leadFrom(0x81), false],
  [/^(KSC-EUC|KSCms-UHC|KSCms-UHC-HW|KSCpc-EUC)-[HV]$/, "euc-kr", leadFrom(0x81), false],
];

// The CID of the space; the rest of ASCII follows. Half-width forms have other CIDs than the proportional ones.
function asciiCid(name: string): number {
  if (/^(UniJIS.*-HW|90ms-RKSJ|Ext-RKSJ|Add-RKSJ|83pv-RKSJ|EUC)-/.test(name)) return 231;
  if (/^(GBK-EUC|GB-EUC|GBK2K)-/.test(name)) return 814;
  if (/^(ETen-B5|HKscs-B5)-/.test(name)) return 13648;
  return /^KSCms-UHC-HW-/.test(name) ? 8094 : 1;
}

function unicodeCMap(form: string, vertical: boolean, firstCid: number): PredefinedCMap {
  const text = (code: number, size: number): string => {
    if (form === "UTF16" && size === 4) return String.fromCharCode(code >>> 16, code & 0xffff);
    if (form === "UTF8") return new TextDecoder().decode(bytesOf(code, size));
    return code <= 0x10ffff ? String.fromCodePoint(code) : "";
  };
  const length: Length = (bytes, at) => {
    const lead = bytes[at] ?? 0;
    if (form === "UTF32") return 4;
    if (form === "UTF8") return lead < 0x80 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
    return form === "UTF16" && lead >= 0xd8 && lead <= 0xdb ? 4 : 2;
  };
  const cid = (code: number): number | undefined => (code >= 32 && code < 127 ? firstCid + code - 32 : undefined);
  return { vertical, length, text, cid };
}

function bytesOf(code: number, size: number): Uint8Array {
  return Uint8Array.from({ length: size }, (_, i) => Math.floor(code / 256 ** (size - 1 - i)) & 255);
}
