// Interprets the content of a page for its text: every glyph with its characters, position and source bytes. Nothing is painted. Forms
// and annotation appearances are interpreted as part of the page.

import { PdfArray, PdfDict, PdfName, PdfStream, PdfString } from "@libpdf/core";
import { type Doc, numbers, type Page, resolve } from "../doc.ts";
import { displayedPage } from "../page-tree.ts";
import { appearanceOf, type Turn } from "./appearances.ts";
import { type Box, boxOf, intersect, isOutside, readPath } from "./clip.ts";
import { decodeStream } from "./filters.ts";
import { Font, Texts } from "./font.ts";
import { dropMeaningless, nameOf, numberOf } from "./font-values.ts";
import { skipInlineImage } from "./inline-images.ts";
import { type IsOff, layersOff } from "./layers.ts";
import { Lexer, type Operand, operatorCode } from "./lexer.ts";
import { limits, tooMany } from "./limits.ts";
import { loadFont } from "./load-font.ts";
import { type HiddenPart, initialState, Machine, type PageContent, PathStart } from "./machine.ts";
import { asMatrix, identity, type Matrix, times } from "./matrix.ts";
import { Operands } from "./operands.ts";
import { cachingDecoder, dictOf, pageSource, type Source } from "./sources.ts";
import { decodeText } from "./text-strings.ts";

export { normalAppearance } from "./appearances.ts";

/** Reads the pages of one document one after another; fonts and forms are loaded once. */
export type ContentReader = { readonly texts: Texts; readonly readPage: (page: Page) => PageContent };

/**
 * Creates a reader for the current state of the document; create a new one after changing it. Readers that share `texts` use the same
 * text IDs. `readPage` throws UnreadablePdf `too_complex` if a limit is exceeded; for damaged content it returns the text that can be
 * read.
 * @example const { readPage, texts } = createReader(doc); texts.text(readPage(doc.pages[0]).glyphs.text[0])
 */
export function createReader(doc: Doc, texts: Texts = new Texts()): ContentReader {
  const shared: Shared = {
    doc,
    texts,
    fonts: new Map(),
    fallback: PdfDict.of({ Subtype: PdfName.of("Type1"), BaseFont: PdfName.of("Helvetica") }),
    decodeForm: cachingDecoder(doc),
    isOff: layersOff(doc),
    operators: 0,
    glyphs: 0,
  };
  return { texts: shared.texts, readPage: (page) => new PageRun(shared, page).read() };
}

type Shared = {
  readonly doc: Doc;
  readonly texts: Texts;
  readonly fonts: Map<PdfDict, Font>;
  /** For text that is shown before a font is set, or with a missing font. */
  readonly fallback: PdfDict;
  readonly decodeForm: (stream: PdfStream) => Uint8Array;
  readonly isOff: IsOff;
  operators: number;
  glyphs: number;
};

/** Interprets one page. */
class PageRun {
  readonly machine: Machine;
  source: Source;
  lexer = new Lexer(new Uint8Array(0));
  private readonly shared: Shared;
  private readonly page: Page;
  private readonly visible: Box;
  private readonly turn: Turn;
  private readonly running = new Set<PdfStream>();
  private fontsByName = new Map<string, Font>();
  private operators = 0;
  private forms = 0;

  constructor(shared: Shared, page: Page) {
    this.shared = shared;
    this.page = page;
    const { x, y, w, h, rotate } = displayedPage(shared.doc, page.dict);
    this.turn = rotate;
    this.visible = [x, y, x + w, y + h];
    this.machine = new Machine(shared.texts, () => this.font(shared.fallback), this.visible);
    this.source = pageSource(shared.doc, page, (stream) => decodeStream(shared.doc, stream));
  }

  read(): PageContent {
    this.run(this.source, identity);
    this.runAnnotations();
    const { glyphs, spans, marks, images, hidden, hiddenIds, sources, painted } = this.machine;
    this.shared.operators += this.operators;
    this.shared.glyphs += glyphs.count;
    if (this.shared.glyphs > limits.glyphs) throw tooMany(limits.glyphs, "glyphs");
    return { glyphs, spans, marks, images, hidden, hiddenIds, sources, painted };
  }

  private run(source: Source, ctm: Matrix): void {
    const { machine } = this;
    const outer = { source: this.source, lexer: this.lexer, fontsByName: this.fontsByName };
    const kept = {
      state: machine.state,
      stack: machine.stack,
      operands: machine.operands,
      text: machine.textMatrix,
      line: machine.lineMatrix,
      path: machine.path,
    };
    machine.sources.push(source);
    const markedBefore = machine.marked.length;
    Object.assign(this, { source, lexer: new Lexer(source.bytes), fontsByName: new Map() });
    const clip = source.from.kind === "page" ? this.visible : this.clipOf(source.from.stream, ctm);
    machine.state = source.from.kind === "form" ? { ...machine.state, ctm, clip } : initialState(ctm, clip);
    machine.path = new PathStart();
    machine.stack = [];
    machine.operands = new Operands();
    this.runOperators();
    while (machine.marked.length > markedBefore) machine.endMarked();
    Object.assign(this, outer);
    Object.assign(machine, { state: kept.state, stack: kept.stack, operands: kept.operands, textMatrix: kept.text, lineMatrix: kept.line });
    machine.path = kept.path;
  }

  /** A form is clipped to its box. `ctm` includes its matrix. */
  private clipOf(stream: PdfStream, ctm: Matrix): Box {
    const [x0, y0, x1, y1] = numbers(this.shared.doc, stream.get("BBox")) ?? [];
    const { clip } = this.machine.state;
    if (x0 === undefined || y0 === undefined || x1 === undefined || y1 === undefined) return clip;
    const box = boxOf(ctm, x0, y0, x1 - x0, y1 - y0);
    return box === null ? clip : intersect(clip, box);
  }

  /** Notes content that cannot be seen; what is inside of it needs no note of its own. */
  private hide(part: Omit<HiddenPart, "source">): void {
    this.machine.hidden.push({ source: this.source, ...part });
  }

  /** `m` or `re`, with which a path begins, or another operator that continues it. */
  extendPath(isRectangle: boolean): void {
    const { path, operands } = this.machine;
    if (path.start === -1) path.start = operands.startOf(isRectangle ? 4 : 2) ?? this.lexer.start;
    const isFirst = path.operators++ === 0;
    path.isRectangle = isRectangle && isFirst;
    if (!path.isRectangle) return;
    Object.assign(path, { x: operands.number(4), y: operands.number(3), w: operands.number(2), h: operands.number(1) });
  }

  /** The operator that paints the path, or ends it without painting. */
  endPath(paints: boolean): void {
    const { path, state, offDepth } = this.machine;
    const clipsTo = path.clipsAt === -1 || path.start === -1 ? null : this.readPath(path.clipsAt);
    if (paints && offDepth > 0) {
      const isPath = path.clipsAt === -1 && path.start !== -1 && this.readPath(this.lexer.start) !== null;
      this.hide({ start: isPath ? path.start : this.lexer.start, end: this.lexer.at, rest: isPath ? "" : "n" });
    }
    if (clipsTo !== null) state.clip = intersect(state.clip, clipsTo);
    path.clear();
  }

  private readPath(end: number): Box | null {
    const { path, state } = this.machine;
    if (path.isRectangle && path.operators === 1) return boxOf(state.ctm, path.x, path.y, path.w, path.h);
    return readPath(this.source.bytes, path.start, end, state.ctm);
  }

  /** `sh` and an inline image: painted in the whole clip, or in the unit square. */
  paintInline(start: number, box: Box | null): void {
    const { offDepth, state } = this.machine;
    if (offDepth > 0 || (box !== null && isOutside(state.clip, box))) this.hide({ start, end: this.lexer.at, rest: "" });
  }

  paintInlineImage(): void {
    const { start } = this.lexer;
    skipInlineImage(this.lexer);
    this.paintInline(start, boxOf(this.machine.state.ctm, 0, 0, 1, 1));
  }

  private runOperators(): void {
    const { lexer, machine } = this;
    const { operands } = machine;
    for (let word = lexer.next(); word !== "end"; word = lexer.next()) {
      if (word === "operand") {
        operands.push(lexer.operand, lexer.start);
        continue;
      }
      if (++this.operators > limits.operators_a_page) throw tooMany(limits.operators_a_page, "operators on a page");
      if (this.shared.operators + this.operators > limits.operators) throw tooMany(limits.operators, "operators");
      operatorTable.get(lexer.operator)?.(this, machine);
      operands.clear();
    }
  }

  /** Shows the last operand. `used` is the number of operands of the operator. */
  show(used: number): void {
    const { operands } = this.machine;
    const shown = operands.at(1);
    const items = Array.isArray(shown) ? (shown as readonly Operand[]) : [shown ?? null];
    const start = operands.startOf(used) ?? this.lexer.start;
    this.machine.show(items, this.source, start, this.lexer.at);
  }

  setFont(name: Operand | undefined, size: number): void {
    if (typeof name !== "string") return;
    let font = this.fontsByName.get(name);
    if (font === undefined) {
      const found = resolve(this.shared.doc, dictOf(this.shared.doc, this.source.resources, "Font")?.get(name));
      font = found instanceof PdfDict ? this.font(found) : undefined;
      if (font !== undefined) this.fontsByName.set(name, font);
    }
    this.machine.state.font = font ?? null;
    this.machine.state.size = size;
  }

  private font(dict: PdfDict): Font {
    const { fonts, doc, texts } = this.shared;
    let font = fonts.get(dict);
    if (font === undefined) {
      font = new Font(loadFont(doc, dict), texts);
      fonts.set(dict, font);
    }
    return font;
  }

  /** `gs`: only the font matters here. */
  setState(name: Operand | undefined): void {
    const { doc } = this.shared;
    const states = dictOf(doc, this.source.resources, "ExtGState");
    const entry = typeof name === "string" ? resolve(doc, states?.get(name)) : null;
    const value = entry instanceof PdfDict ? resolve(doc, entry.get("Font")) : null;
    if (!(value instanceof PdfArray)) return;
    const font = resolve(doc, value.at(0));
    const size = numberOf(doc, value.at(1));
    if (!(font instanceof PdfDict) || size === null) return;
    this.machine.state.font = this.font(font);
    this.machine.state.size = size;
  }

  paintObject(name: Operand | undefined): void {
    const { doc, isOff } = this.shared;
    if (typeof name !== "string") return;
    const object = resolve(doc, dictOf(doc, this.source.resources, "XObject")?.get(name));
    if (!(object instanceof PdfStream)) return;
    const { machine } = this;
    const { ctm, clip } = machine.state;
    const off = isOff(object.get("OC"));
    const start = machine.operands.startOf(1) ?? this.lexer.start;
    const range = { start, end: this.lexer.at, rest: "", object };
    if (nameOf(doc, object.get("Subtype")) === "Image") {
      const box = boxOf(ctm, 0, 0, 1, 1);
      if (off || machine.offDepth > 0 || (box !== null && isOutside(clip, box))) this.hide(range);
      else {
        machine.painted.add(object);
        this.noteImage(object);
      }
      return;
    }
    const own = dictOf(doc, object, "Resources");
    const painting: Source = {
      bytes: this.shared.decodeForm(object),
      resources: own ?? this.source.resources,
      from: { kind: "form", stream: object, caller: this.source, name, start, end: this.lexer.at, ownResources: own !== null },
    };
    if (off || machine.offDepth > 0) this.hide({ ...range, painting });
    else machine.painted.add(object);
    this.runForm(object, off, ctm, painting);
  }

  private runForm(stream: PdfStream, off: boolean, ctm: Matrix, source: Source): void {
    const { doc } = this.shared;
    if (this.running.has(stream)) return;
    if (this.running.size >= limits.form_depth) throw tooMany(limits.form_depth, "forms inside each other");
    if (++this.forms > limits.forms_a_page) throw tooMany(limits.forms_a_page, "forms on a page");
    this.running.add(stream);
    if (off) this.machine.offDepth++;
    this.run(source, times(asMatrix(numbers(doc, stream.get("Matrix"))) ?? identity, ctm));
    if (off) this.machine.offDepth--;
    this.running.delete(stream);
  }

  private noteImage(image: PdfStream): void {
    const { doc } = this.shared;
    const width_px = numberOf(doc, image.get("Width")) ?? 0;
    const height_px = numberOf(doc, image.get("Height")) ?? 0;
    this.machine.images.push({ ctm: this.machine.state.ctm, width_px, height_px });
  }

  /** BDC: `tag` and a dictionary, inline or named in `Properties`. */
  beginMarked(tag: Operand | undefined, properties: Operand | undefined): void {
    const { doc, isOff } = this.shared;
    const named = typeof properties === "string" ? resolve(doc, dictOf(doc, this.source.resources, "Properties")?.get(properties)) : null;
    const dict = named instanceof PdfDict ? named : null;
    const off = tag === "OC" && isOff(dict);
    const stated = dict === null ? inlineText(properties, "ActualText") : resolve(doc, dict.get("ActualText"));
    const bytes = stated instanceof PdfString ? stated.bytes : stated instanceof Uint8Array ? stated : null;
    const inline = properties instanceof Map && TEXT_KEYS.some((key) => properties.has(key));
    const hasText = inline || (tag !== "OC" && dict?.has("ActualText") === true);
    const { machine, source } = this;
    const from = machine.glyphs.count;
    const mcid = dict === null ? inlineNumber(properties, "MCID") : numberOf(doc, dict.get("MCID"));
    const place = { source, start: machine.operands.startOf(1) ?? 0, end: this.lexer.at };
    const mark = hasText ? { ...place, from, to: from, mcid } : null;
    machine.beginMarked(bytes === null ? null : dropMeaningless(decodeText(bytes)), off, mark);
    const id = properties instanceof Map ? properties.get("MCID") : numberOf(doc, dict?.get("MCID"));
    if (machine.offDepth > 0 && source.from.kind === "page" && typeof id === "number") machine.hiddenIds.add(id);
    const describes = inline || (dict !== null && TEXT_KEYS.some((key) => dict.has(key)));
    if (machine.offDepth > 0 && describes) {
      const whole = { start: machine.operands.startOf(2) ?? 0, end: this.lexer.at, rest: "/Span BMC" };
      this.hide(dict === null ? whole : { ...whole, properties: dict });
    }
  }

  private runAnnotations(): void {
    const { doc } = this.shared;
    const annotations = resolve(doc, this.page.dict.get("Annots"));
    if (!(annotations instanceof PdfArray)) return;
    for (const item of annotations.toArray()) {
      const annotation = resolve(doc, item);
      if (annotation instanceof PdfDict) this.runAppearance(annotation);
    }
  }

  private runAppearance(annotation: PdfDict): void {
    const { doc, isOff } = this.shared;
    const appearance = appearanceOf(doc, annotation, this.turn);
    if (appearance === null) return;
    const { stream, state, fit, hidden } = appearance;
    const bytes = this.shared.decodeForm(stream);
    const source: Source = { bytes, resources: dictOf(doc, stream, "Resources"), from: { kind: "annotation", stream, annotation, state } };
    const off = hidden || isOff(annotation.get("OC")) || isOff(stream.get("OC"));
    if (off) this.machine.hidden.push({ source, start: -1, end: -1, rest: "", object: stream, painting: source, annotation });
    else this.machine.painted.add(stream);
    this.machine.state = initialState(identity, this.visible);
    this.runForm(stream, off, fit, source);
  }
}

function inlineNumber(properties: Operand | undefined, key: string): number | null {
  const value = properties instanceof Map ? properties.get(key) : null;
  return typeof value === "number" ? value : null;
}

const TEXT_KEYS = ["ActualText", "Alt", "E"];

function inlineText(properties: Operand | undefined, key: string): Operand {
  return properties instanceof Map ? ((properties as ReadonlyMap<string, Operand>).get(key) ?? null) : null;
}

type Operator = (run: PageRun, machine: Machine) => void;

function matrixOperand({ operands }: Machine): Matrix {
  return [operands.number(6), operands.number(5), operands.number(4), operands.number(3), operands.number(2), operands.number(1)];
}

// `Tr` is not listed, because invisible text is still text.
const operatorTable: ReadonlyMap<number, Operator> = new Map(
  Object.entries<Operator>({
    q: (_, m) => m.save(),
    Q: (_, m) => m.restore(),
    cm: (_, m) => {
      m.state.ctm = times(matrixOperand(m), m.state.ctm);
    },
    gs: (run, m) => run.setState(m.operands.at(1)),
    BT: (_, m) => {
      m.textMatrix = identity;
      m.lineMatrix = identity;
    },
    Tc: (_, m) => {
      m.state.charSpacing = m.operands.number(1);
    },
    Tw: (_, m) => {
      m.state.wordSpacing = m.operands.number(1);
    },
    Tz: (_, m) => {
      m.state.scale = m.operands.number(1) / 100;
    },
    TL: (_, m) => {
      m.state.leading = m.operands.number(1);
    },
    Ts: (_, m) => {
      m.state.rise = m.operands.number(1);
    },
    Tf: (run, m) => run.setFont(m.operands.at(2), m.operands.number(1)),
    Td: (_, m) => m.moveLine(m.operands.number(2), m.operands.number(1)),
    TD: (_, m) => {
      m.state.leading = -m.operands.number(1);
      m.moveLine(m.operands.number(2), m.operands.number(1));
    },
    Tm: (_, m) => {
      m.lineMatrix = matrixOperand(m);
      m.textMatrix = m.lineMatrix;
    },
    "T*": (_, m) => m.moveLine(0, -m.state.leading),
    Tj: (run) => run.show(1),
    TJ: (run) => run.show(1),
    "'": (run, m) => {
      m.moveLine(0, -m.state.leading);
      run.show(1);
    },
    '"': (run, m) => {
      m.state.wordSpacing = m.operands.number(3);
      m.state.charSpacing = m.operands.number(2);
      m.moveLine(0, -m.state.leading);
      run.show(3);
    },
    Do: (run, m) => run.paintObject(m.operands.at(1)),
    BMC: (_, m) => m.beginMarked(null, false),
    BDC: (run, m) => run.beginMarked(m.operands.at(2), m.operands.at(1)),
    EMC: (_, m) => m.endMarked(),
    BI: (run) => run.paintInlineImage(),
    sh: (run, m) => run.paintInline(m.operands.startOf(1) ?? run.lexer.start, null),
    m: (run) => run.extendPath(false),
    re: (run) => run.extendPath(true),
    l: (_, m) => m.path.extend(),
    c: (_, m) => m.path.extend(),
    v: (_, m) => m.path.extend(),
    y: (_, m) => m.path.extend(),
    h: (_, m) => m.path.extend(),
    W: (run, m) => {
      m.path.clipsAt = run.lexer.start;
    },
    "W*": (run, m) => {
      m.path.clipsAt = run.lexer.start;
    },
    n: (run) => run.endPath(false),
    ...Object.fromEntries(["f", "F", "f*", "S", "s", "B", "B*", "b", "b*"].map((name) => [name, (run: PageRun) => run.endPath(true)])),
  }).map(([name, operator]) => [operatorCode(name), operator]),
);
