import { ConnectionError } from "./errors.ts";
import { writeNodeFile } from "./node.ts";
import { parseBody } from "./parse-body.ts";
import { streamOf } from "./stream.ts";

/** A downloaded file. Its content can be read once, with `bytes`, `stream`, `saveTo` or `json`. */
export class Download<Json = never> {
  readonly contentType: string;
  /** the file name that the service suggests, without folders; null if there is none */
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

  /**
   * The data, for operations that can return either a file or data. Throws a TypeError, without reading anything, if the response is a
   * file.
   */
  async json(): Promise<Json> {
    if (!/^application\/json *(;|$)/i.test(this.contentType))
      throw new TypeError(`${this.#request}: json() requires application/json; the response is ${this.contentType}`);
    return parseBody(this.#request, this.#response, new TextDecoder().decode(await this.bytes())).data as Json;
  }

  /** Fails with a ConnectionError if the connection is lost. */
  stream(): ReadableStream<Uint8Array> {
    return streamOf(this.#chunks());
  }

  /** Node, Deno and Bun only. Creates the file when the download is complete, replacing an existing file. */
  async saveTo(path: string): Promise<void> {
    await writeNodeFile(path, this.#chunks());
  }

  async *#chunks(): AsyncGenerator<Uint8Array, undefined> {
    if (this.#isRead) throw new TypeError(`${this.#request}: this download has already been read. Download the file again`);
    this.#isRead = true;
    const reader = this.#response.body?.getReader();
    if (reader === undefined) return void this.#ended();
    try {
      for (let read = await reader.read(); !read.done; read = await reader.read()) yield read.value;
    } catch (cause) {
      throw new ConnectionError(`${this.#request}: the connection was lost before the file was complete`, cause);
    } finally {
      this.#ended();
      // After the end or a failure there is nothing left to cancel.
      await reader.cancel().catch(() => undefined);
    }
  }
}

/** RFC 6266. Drops any folders from the name, although the service sends none. */
function fileNameOf(disposition: string): string | null {
  const extended = /filename\*=UTF-8''([^;\s]+)/i.exec(disposition)?.[1];
  const plain =
    /filename="((?:[^"\\]|\\.)*)"/i.exec(disposition)?.[1]?.replace(/\\(.)/g, "$1") ?? /filename=([^";\s]+)/i.exec(disposition)?.[1];
  const name = ((extended && decoded(extended)) ?? plain)?.split(/[/\\]/).at(-1);
  return name === undefined || name === "" || name === "." || name === ".." ? null : name;
}

/** undefined if the text is not percent-encoded UTF-8 */
function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch (error) {
    if (error instanceof URIError) return undefined;
    throw error;
  }
}
