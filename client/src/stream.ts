/** A stream that is read from `chunks`, and ends it when its reader stops. */
export function streamOf(
  chunks: AsyncGenerator<Uint8Array, undefined>,
  strategy?: QueuingStrategy<Uint8Array>,
): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { value, done } = await chunks.next();
        if (done) controller.close();
        else controller.enqueue(value);
      },
      async cancel() {
        await chunks.return(undefined);
      },
    },
    strategy,
  );
}
