/** Functions that need a file system. It is loaded on first use, so that the rest runs in environments without one. */

interface FileSystem {
  stat(path: string): Promise<{ readonly size: number }>;
  readFile(path: string): Promise<Uint8Array<ArrayBuffer>>;
  open(path: string, flags: string): Promise<FileHandle>;
  rename(from: string, to: string): Promise<void>;
  rm(path: string, options: { force: boolean }): Promise<void>;
}

interface FileHandle {
  writeFile(chunk: Uint8Array): Promise<void>;
  close(): Promise<void>;
}

// The import has a variable name so that bundlers do not follow it; they would try to resolve it in builds for workers.
const load = async (name: string): Promise<unknown> => import(/* @vite-ignore */ name);
const fileSystem = async () => (await load("node:fs/promises")) as FileSystem;

/** Calls `check` with the size before reading anything. */
export async function readNodeFile(path: string, check: (size: number) => void): Promise<{ bytes: Uint8Array<ArrayBuffer>; name: string }> {
  const { stat, readFile } = await fileSystem();
  check((await stat(path)).size);
  return { bytes: await readFile(path), name: path.split(/[/\\]/).at(-1) ?? path };
}

/** Writes to a temporary name first, so that an interrupted download leaves no file that looks complete. */
export async function writeNodeFile(path: string, chunks: AsyncIterable<Uint8Array>): Promise<void> {
  const { open, rename, rm } = await fileSystem();
  const unfinished = `${path}.${crypto.randomUUID()}.part`;
  try {
    const file = await open(unfinished, "wx");
    try {
      for await (const chunk of chunks) await file.writeFile(chunk);
    } finally {
      await file.close();
    }
    await rename(unfinished, path);
  } catch (error) {
    await rm(unfinished, { force: true });
    throw error;
  }
}
