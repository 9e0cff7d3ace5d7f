/** Forms as a browser or curl sends them, built by hand so that a test can send malformed ones. */

export interface FormFile {
  readonly bytes: Uint8Array;
  readonly name?: string;
  /** the declared content type */
  readonly type?: string;
  readonly part?: string;
}

const BOUNDARY = "----countersign-test-8d1f";

export function formHeaders(boundary = BOUNDARY): { "content-type": string } {
  return { "content-type": `multipart/form-data; boundary=${boundary}` };
}

/** @example key.send("POST", "/partner/templates", form({ name: "Lease" }, { bytes: pdf })) */
export function form(
  parts: Readonly<Record<string, string>>,
  ...files: readonly FormFile[]
): { raw: Buffer; headers: Record<string, string> } {
  const pieces = [
    ...Object.entries(parts).map(([name, value]) => textPart(name, value)),
    ...files.map(filePart),
    Buffer.from(`--${BOUNDARY}--\r\n`),
  ];
  return { raw: Buffer.concat(pieces), headers: formHeaders() };
}

export function textPart(name: string, value: string): Buffer {
  return Buffer.from(`--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`);
}

export function filePart({ bytes, name = "file.pdf", type = "application/octet-stream", part = "file" }: FormFile): Buffer {
  const head = `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${part}"; filename="${name}"\r\nContent-Type: ${type}\r\n\r\n`;
  return Buffer.concat([Buffer.from(head), bytes, Buffer.from("\r\n")]);
}
