/**
 * A server under measurement, seen from the outside.
 */
import { type ChildProcess, fork } from "node:child_process"
import { once } from "node:events"
import { join } from "node:path"
import { type Load, load, type LoadResult } from "./load.ts"
import type { Ask, Ready } from "./server.ts"

export interface Subject extends Ready {
  readonly call: (method: string, path: string, body?: unknown) => Promise<ReturnType<typeof JSON.parse>>
  /** Microseconds of CPU since it started. */
  readonly cpu: () => Promise<number>
  readonly tell: (ask: Ask) => void
  readonly load: (
    given: Omit<Load, "port" | "key">
  ) => Promise<LoadResult & { readonly cpuPerCall: number }>
  readonly stop: () => Promise<void>
}

const answered = async <A>(child: ChildProcess): Promise<A> => {
  const [message] = await once(child, "message")
  return message as A
}

export const start = async (...args: ReadonlyArray<string>): Promise<Subject> => {
  const child = fork(join(import.meta.dirname, "server.ts"), args, { execArgv: ["--import", "tsx"] })
  const ready = await answered<Ready>(child)
  const cpu = async (): Promise<number> => {
    child.send({ ask: "cpu" } satisfies Ask)
    return (await answered<{ cpu: number }>(child)).cpu
  }
  return {
    ...ready,
    cpu,
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
    load: async (given) => {
      const before = await cpu()
      const result = await load({ ...given, port: ready.port, key: ready.key })
      return { ...result, cpuPerCall: (await cpu() - before) / result.calls }
    },
    stop: async () => {
      child.kill("SIGKILL")
      await once(child, "exit")
    }
  }
}
