/** A fake server that follows a script, one step per request. The last step repeats. */
import { createClientWithDependencies } from "../src/createClient.ts"
import type { Client } from "../src/index.ts"

export type Step =
  /** Responds with this status and body. */
  | { readonly status: number; readonly body?: unknown; readonly headers?: Record<string, string> }
  /** Drops the connection. */
  | "lost"
  /** Never responds. */
  | "silent"

export interface SentRequest {
  readonly url: string
  readonly init: RequestInit
  /** The parsed body. */
  readonly body: ReturnType<typeof JSON.parse>
}

export interface ScriptedClient {
  readonly client: Client
  readonly sent: ReadonlyArray<SentRequest>
  /** The client's delays, one for each retry. */
  readonly waits: ReadonlyArray<number>
}

export const refusal = (status: number, code: string, headers: Record<string, string> = {}): Step => ({
  status,
  body: { error: { code, message: `It is ${code}.` } },
  headers: { "x-request-id": "r-1", ...headers }
})

export const follow = (
  steps: readonly [Step, ...ReadonlyArray<Step>],
  options: { readonly retries?: number; readonly timeoutMs?: number; readonly random?: () => number } = {}
): ScriptedClient => {
  const { random = () => 0.5, ...clientOptions } = options
  const sent: Array<SentRequest> = []
  const waits: Array<number> = []
  const fetch = (url: string, init: RequestInit): Promise<Response> => {
    const step = steps[Math.min(sent.length, steps.length - 1)] ?? steps[0]
    sent.push({ url, init, body: typeof init.body === "string" ? JSON.parse(init.body) : undefined })
    if (step === "lost") return Promise.reject(new TypeError("fetch failed"))
    if (step === "silent") {
      return new Promise((_, reject) => {
        init.signal?.addEventListener("abort", () => reject(new DOMException("Aborted", "AbortError")))
      })
    }
    const { body = {}, headers = {}, status } = step
    return Promise.resolve(
      new Response(typeof body === "string" ? body : JSON.stringify(body), { status, headers })
    )
  }
  const pause = (milliseconds: number) => {
    waits.push(milliseconds)
    return Promise.resolve()
  }
  const client = createClientWithDependencies(
    { baseUrl: "https://book.example.com/v1", apiKey: "tb_test_key", fetch, ...clientOptions },
    {
      pause,
      random
    }
  )
  return { client, sent, waits }
}
