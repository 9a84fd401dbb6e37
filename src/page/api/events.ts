import { createParser } from 'eventsource-parser'

/** A stream that says nothing for so long is taken for dead, in milliseconds; the server beats each 15 s. */
const SILENT_MS = 40_000

/** How long events are taken before the page gets its turn, in milliseconds. */
const SLICE_MS = 12

/** Reads events until the stream ends or `stop` is called. Rejects when it breaks or falls silent. */
export async function readEvents(
  body: ReadableStream<Uint8Array>,
  onData: (data: string) => void,
  signal: AbortSignal,
): Promise<void> {
  const waiting: string[] = []
  const parser = createParser({ onEvent: ({ data }) => waiting.push(data) })
  const decoder = new TextDecoder()
  const reader = body.getReader()
  const stop = (): void => void reader.cancel().catch(() => undefined)
  signal.addEventListener('abort', stop, { once: true })
  try {
    for (;;) {
      const { done, value } = await withinSilence(reader.read())
      if (done || signal.aborted) return
      parser.feed(decoder.decode(value, { stream: true }))
      await handOver(waiting, onData, signal)
    }
  } finally {
    signal.removeEventListener('abort', stop)
    stop()
  }
}

async function handOver(waiting: string[], onData: (data: string) => void, signal: AbortSignal): Promise<void> {
  let began = performance.now()
  for (const data of waiting.splice(0)) {
    if (signal.aborted) return
    onData(data)
    if (performance.now() - began < SLICE_MS) continue
    await nextTurn()
    began = performance.now()
  }
}

/** Lets the page draw and take input. */
function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel()
    port1.addEventListener('message', () => {
      port1.close()
      resolve()
    })
    port1.start()
    port2.postMessage(null)
  })
}

async function withinSilence<T>(reading: Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const silence = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error('the stream fell silent')), SILENT_MS)
  })
  try {
    return await Promise.race([reading, silence])
  } finally {
    clearTimeout(timer)
  }
}
