import { bodyOf } from "./answer.ts";
import { ConnectionError } from "./errors.ts";
import { writeNodeFile } from "./node.ts";
import { streamOf } from "./stream.ts";

/** A file that the service sends. Its content is read once: by `bytes`, `stream`, `saveTo` or `json`. */
export class Download<Json = never> {
  readonly contentType: string;
  /** as the service proposes it, without folders; null when it proposes none */
  readonly fileName: string | null;
  readonly #response: Response;
  readonly #request: string;
  readonly #ended: () => void;
  #isRead = false;

  constructor(request: string, response: Response, ended: () => void) {
    this.contentType = response.headers.get("content-type") ?? "application/octet-stream";
    this.fileName = fileNameOf(response.headers.get("content-disposition") ?? "");
    this.#response = response;
    this.#request = request;
    this.#ended = ended;
  }

  async bytes(): Promise<Uint8Array<ArrayBuffer>> {
    return new Uint8Array(await new Response(this.stream()).arrayBuffer());
  }

  /** Where one operation answers with a file or with data: the data. Throws a TypeError, and reads nothing, where the answer is a file. */
  async json(): Promise<Json> {
    if (!/^application\/json *(;|$)/i.test(this.contentType))
      throw new TypeError(`${this.#request}: json() is for application/json; the answer is ${this.contentType}`);
    return bodyOf(this.#request, this.#response, new TextDecoder().decode(await this.bytes())).data as Json;
  }

  /** Fails with a ConnectionError when the connection breaks. */
  stream(): ReadableStream<Uint8Array> {
    return streamOf(this.#chunks());
  }

  /** Node, Deno and Bun. The file appears when it is complete; one of that name is replaced. */
  async saveTo(path: string): Promise<void> {
    await writeNodeFile(path, this.#chunks());
  }

  async *#chunks(): AsyncGenerator<Uint8Array, undefined> {
    if (this.#isRead) throw new TypeError(`${this.#request}: the content of this download was already read. Download it again`);
    this.#isRead = true;
    const reader = this.#response.body?.getReader();
    if (reader === undefined) return void this.#ended();
    try {
      for (let read = await reader.read(); !read.done; read = await reader.read()) yield read.value;
    } catch (cause) {
      throw new ConnectionError(`${this.#request}: the connection broke before the file was complete`, cause);
    } finally {
      this.#ended();
      // After the end, or after a failure, there is nothing left to cancel.
      await reader.cancel().catch(() => undefined);
    }
  }
}

/** RFC 6266. The service's names have no folders; what claims to have one loses it. */
function fileNameOf(disposition: string): string | null {
  const extended = /filename\*=UTF-8''([^;\s]+)/i.exec(disposition)?.[1];
  const plain =
    /filename="((?:[^"\\]|\\.)*)"/i.exec(disposition)?.[1]?.replace(/\\(.)/g, "$1") ?? /filename=([^";\s]+)/i.exec(disposition)?.[1];
  const name = ((extended && decoded(extended)) ?? plain)?.split(/[/\\]/).at(-1);
  return name === undefined || name === "" || name === "." || name === ".." ? null : name;
}

/** undefined for what is not percent-encoded UTF-8 */
function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch (error) {
    if (error instanceof URIError) return undefined;
    throw error;
  }
}
