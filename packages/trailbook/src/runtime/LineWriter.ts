/** Takes lines and writes several at a time. */
export interface LineWriter {
  /** Queues a line; its end is added. */
  readonly write: (line: string) => void
  /** Writes what is queued, now. */
  readonly flush: () => void
}

/**
 * A system call for every line would be a good part of what a request costs:
 * lines are gathered until the events at hand are done, or until there are
 * 16 KiB. The owner flushes at the end.
 */
export const lineWriter = (write: (text: string) => void): LineWriter => {
  let queued = ""
  let scheduled = false
  const flush = (): void => {
    if (queued === "") return
    const text = queued
    queued = ""
    write(text)
  }
  return {
    flush,
    write: (line) => {
      queued += `${line}\n`
      if (queued.length >= limit) return flush()
      if (scheduled) return
      scheduled = true
      setImmediate(() => {
        scheduled = false
        flush()
      })
    }
  }
}

const limit = 16 * 1024
