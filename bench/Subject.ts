/** A server under measurement, as seen by its client. */
import { type ChildProcess, fork } from "node:child_process"
import { once } from "node:events"
import { join } from "node:path"
import { type Load, load, type LoadResult } from "./load.ts"
import { residentMegabytes } from "./processes.ts"
import type { Ask, Book, Ready } from "./server.ts"

export type MeasuredLoad = LoadResult & {
  /** CPU time per call, in microseconds. */
  readonly cpuPerCall: number
}

export interface Subject extends Ready {
  readonly call: (method: string, path: string, body?: unknown) => Promise<ReturnType<typeof JSON.parse>>
  /** Returns the CPU time in microseconds since the server started. */
  readonly cpu: () => Promise<number>
  readonly megabytes: () => Promise<number | undefined>
  readonly tell: (ask: Ask) => void
  readonly load: (given: Omit<Load, "port" | "key">) => Promise<MeasuredLoad>
  /** Books in the server's own process, without HTTP. */
  readonly book: (given: Book) => Promise<MeasuredLoad>
  /** Pauses or resumes the server. */
  readonly signal: (signal: "SIGSTOP" | "SIGCONT") => void
  readonly stop: () => Promise<void>
}

/** Waits for the child's next message. Fails if the child exits first. */
export const nextMessage = async <A>(child: ChildProcess): Promise<A> => {
  const either = new AbortController()
  try {
    return await Promise.race([
      once(child, "message", either).then(([message]) => message as A),
      once(child, "exit", either).then(() => Promise.reject(new Error("The benchmarked server exited.")))
    ])
  } finally {
    either.abort()
  }
}

export const start = async (...args: ReadonlyArray<string>): Promise<Subject> => {
  const child = fork(join(import.meta.dirname, "server.ts"), args, { execArgv: ["--import", "tsx"] })
  const ready = await nextMessage<Ready>(child)
  const ask = async <A>(ask: Ask): Promise<A> => {
    child.send(ask)
    return nextMessage<A>(child)
  }
  const readCpu = async (): Promise<number> => (await ask<{ cpu: number }>({ ask: "cpu" })).cpu
  const measureLoad = async (run: () => Promise<LoadResult>): Promise<MeasuredLoad> => {
    const before = await readCpu()
    const result = await run()
    return { ...result, cpuPerCall: (await readCpu() - before) / result.calls }
  }
  return {
    ...ready,
    cpu: readCpu,
    megabytes: async () => child.pid === undefined ? undefined : residentMegabytes(child.pid),
    tell: (ask) => void child.send(ask),
    call: async (method, path, body) => {
      const response = await fetch(`http://127.0.0.1:${ready.port}/v1${path}`, {
        method,
        headers: { authorization: `Bearer ${ready.key}`, "content-type": "application/json" },
        ...(body === undefined ? {} : { body: JSON.stringify(body) })
      })
      if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`)
      return response.json()
    },
    load: (options) => measureLoad(() => load({ ...options, port: ready.port, key: ready.key })),
    book: (options) => measureLoad(() => ask({ ask: "book", given: options })),
    signal: (signal) => void child.kill(signal),
    stop: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return
      child.kill("SIGKILL")
      await once(child, "exit")
    }
  }
}
