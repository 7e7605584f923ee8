/** A caller that retries an unanswered request with the same idempotency key on any server that responds. */
import { setTimeout as sleep } from "node:timers/promises"
import type { Dice } from "./dice.ts"

type Json = ReturnType<typeof JSON.parse>

export interface Request {
  readonly method: "GET" | "POST" | "PUT"
  readonly path: string
  readonly body?: unknown
}

/** The final response, and the number of attempts before it whose effect is unknown. */
export interface Answer {
  readonly status: number
  readonly body: Json
  /** When the request was sent, on the monotonic clock and on the wall clock. */
  readonly sentAt: number
  readonly sentAtClock: number
  /** Attempts with a lost connection or a 503. The retry shows whether they took effect. */
  readonly unknown: number
  /** Attempts that timed out. The server may still process them later. */
  readonly late: number
}

export interface Line {
  readonly ask: (request: Request) => Promise<Answer>
}

const answersWithinMillis = 3000

/** A caller that gets no response stops retrying after a minute. The audit reports this as a finding. */
const givesUpAfterMillis = 60_000

/** Creates a caller. The returned `status` is 0 if no attempt got a response. */
export const line = (urls: () => ReadonlyArray<string>, key: string, dice: Dice): Line => ({
  ask: async (request) => {
    let unknown = 0
    let late = 0
    for (const until = Date.now() + givesUpAfterMillis; Date.now() < until; await sleep(dice.between(30, 150))) {
      const timing = { sentAt: performance.now(), sentAtClock: Date.now() }
      const url = urls().length === 0 ? undefined : dice.pick(urls())
      const answer = url === undefined ? "refused" : await attempt(url, key, request)
      if (answer === "late") late++
      else if (answer === "lost" || (answer !== "refused" && answer.status === 503)) unknown++
      else if (answer !== "refused") return { ...answer, ...timing, unknown, late }
    }
    return { status: 0, body: undefined, sentAt: 0, sentAtClock: 0, unknown, late }
  }
})

type Attempt = "refused" | "lost" | "late" | { readonly status: number; readonly body: Json }

const attempt = async (url: string, key: string, { body, method, path }: Request): Promise<Attempt> => {
  try {
    const response = await fetch(url + path, {
      method,
      headers: {
        authorization: `Bearer ${key}`,
        ...(body === undefined ? {} : { "content-type": "application/json" })
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(answersWithinMillis)
    })
    return { status: response.status, body: await response.json() }
  } catch (error) {
    if (error instanceof Error && error.name === "TimeoutError") return "late"
    return codeOf(error) === "ECONNREFUSED" ? "refused" : "lost"
  }
}

const codeOf = (error: unknown): unknown =>
  error instanceof Error && error.cause instanceof Error && "code" in error.cause ? error.cause.code : undefined
