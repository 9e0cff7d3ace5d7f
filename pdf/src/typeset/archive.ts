// What makes our own documents fit for archives (PDF/A-2u, ISO 19005-2): their description as XMP, and what their colours mean.

import { type PDF, PdfArray, PdfDict, PdfName, PdfNumber, PdfStream, PdfString } from "@libpdf/core";
import { register } from "../doc.ts";
import { srgbProfile } from "../srgb-profile.ts";
import type { DocumentModel } from "./model.ts";

/** Adds metadata and output intent to the catalog. */
export function describeForArchives(doc: { readonly pdf: PDF }, catalog: PdfDict, model: DocumentModel): void {
  const entries = PdfDict.of({ Type: PdfName.of("Metadata"), Subtype: PdfName.of("XML") });
  catalog.set("Metadata", register(doc, new PdfStream(entries, Buffer.from(xmpOf(model)))));
  catalog.set("OutputIntents", new PdfArray([outputIntent(doc)]));
}

/** The colours of a document without a better description are those of sRGB. */
function outputIntent(doc: { readonly pdf: PDF }): PdfDict {
  return PdfDict.of({
    Type: PdfName.of("OutputIntent"),
    S: PdfName.of("GTS_PDFA1"),
    OutputConditionIdentifier: PdfString.fromString("sRGB"),
    Info: PdfString.fromString("sRGB IEC61966-2.1"),
    DestOutputProfile: register(doc, new PdfStream(PdfDict.of({ N: PdfNumber.of(3) }), srgbProfile())),
  });
}

// ISO 16684-1. The title, subject and author must be those of /Info (ISO 19005-2, 6.6.2.3). The level is U and not A, because a claim
// of A would also be one about the quality of the structure.
function xmpOf({ title, subject, author, language }: DocumentModel): string {
  const alternatives = (name: string, text: string): string =>
    `<dc:${name}><rdf:Alt><rdf:li xml:lang="x-default">${escaped(text)}</rdf:li></rdf:Alt></dc:${name}>`;
  return `<?xpacket begin="\ufeff" id="W5M0MpCehiHzreSzNTczkc9d"?>
<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
<rdf:Description rdf:about="" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:pdfaid="http://www.aiim.org/pdfa/ns/id/">
<pdfaid:part>2</pdfaid:part><pdfaid:conformance>U</pdfaid:conformance>
<dc:format>application/pdf</dc:format>
${alternatives("title", title)}
${subject === undefined ? "" : alternatives("description", subject)}
${author === undefined ? "" : `<dc:creator><rdf:Seq><rdf:li>${escaped(author)}</rdf:li></rdf:Seq></dc:creator>`}
<dc:language><rdf:Bag><rdf:li>${escaped(language)}</rdf:li></rdf:Bag></dc:language>
</rdf:Description>
</rdf:RDF></x:xmpmeta>
<?xpacket end="w"?>`;
}

// XML 1.0, 2.2 allows no other control characters.
const NOT_IN_XML = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu;
const ENTITIES: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&apos;" };

const escaped = (text: string): string => text.replaceAll(NOT_IN_XML, "\ufffd").replaceAll(/[&<>"']/g, (sign) => ENTITIES[sign] ?? sign);
