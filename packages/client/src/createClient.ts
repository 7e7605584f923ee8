import { makeAttachmentUploads, makeImageUploads, makePhotoUploads } from "./attachmentUploads.ts"
import type { CallOptions, Client } from "./Client.ts"
import type { Route } from "./Route.ts"
import { routes } from "./routes.ts"
import { makeSendWithRetry, type RequestSender, type RetryDependencies } from "./sendWithRetry.ts"
import { type Result, TrailbookError } from "./TrailbookError.ts"

export interface ClientOptions {
  /** The API's base URL, including the version: `https://book.example.com/v1`. */
  readonly baseUrl: string | URL
  /** The API key. Anyone can read the key on a public page, so use a key without write access there. */
  readonly apiKey: string
  /** The function used to send requests. Default: the global `fetch`. */
  readonly fetch?: ((url: string, init: RequestInit) => Promise<Response>) | undefined
  /** The maximum number of retries per call. Default: 3. */
  readonly retries?: number | undefined
  /** The timeout for a single attempt. Default: 10,000. */
  readonly timeoutMs?: number | undefined
}

/**
 * Creates a client for the REST API.
 *
 * The client retries if no response arrives, and on status 429, 502, 503, or 504. It retries only reads, idempotent
 * writes, and operations with an `idempotency_key`, which it generates if missing. Every other write is sent only once.
 *
 * @example
 * import { createClient } from "@trailbook/client"
 *
 * const client = createClient({ baseUrl: "https://book.example.com/v1", apiKey })
 * const booking = await client.bookings.create({ offering_id, session_id, customer: { email: "ada@example.com" } })
 */
export const createClient = (options: ClientOptions): Client =>
  createClientWithDependencies(options, { pause: sleep, random: Math.random })

/** Creates a client. Tests replace the timer and random numbers. */
export const createClientWithDependencies = (options: ClientOptions, patience: RetryDependencies): Client => {
  const { ask, send } = makeSendWithRetry(options, patience)
  const client = Object.fromEntries(
    Object.entries(routes).map(([group, byName]) => [group, callsOf(byName, ask)])
  )
  const results = Object.fromEntries(
    Object.entries(routes).map(([group, byName]) => [group, triesOf(byName, ask)])
  )
  // TypeScript cannot infer the type from the loops, so the cast relies on the generated files, which define both the
  // routes and the type.
  const offerings = { ...client["offerings"], ...makePhotoUploads(send) }
  const org = { ...client["org"], ...makeImageUploads(send) }
  return { ...client, offerings, org, attachments: makeAttachmentUploads(send), try: results } as unknown as Client
}

type Function = (input?: Readonly<Record<string, unknown>>, options?: CallOptions) => unknown

const callsOf = (byName: Readonly<Record<string, Route>>, ask: RequestSender): Record<string, Function> => {
  const calls: Record<string, Function> = {}
  for (const [name, route] of Object.entries(byName)) {
    calls[name] = (input = {}, options = {}) => ask(route, input, options)
    const { next } = route
    if (next !== undefined) {
      calls["all"] = (input = {}, options = {}) => pages((pageInput) => ask(route, pageInput, options), next, input)
    }
  }
  return calls
}

const triesOf = (byName: Readonly<Record<string, Route>>, ask: RequestSender): Record<string, Function> =>
  Object.fromEntries(
    Object.entries(byName).map(([name, route]) => [
      name,
      (input = {}, options = {}) => resultOf(ask(route, input, options))
    ])
  )

/** Returns a `TrailbookError` as a result. Rethrows any other error, such as an aborted signal's reason. */
const resultOf = (answer: Promise<unknown>): Promise<Result<unknown>> =>
  answer.then((value) => ({ ok: true, value }), (error: unknown) => {
    if (error instanceof TrailbookError) return { ok: false, error }
    throw error
  })

/** Waits, or rejects with the signal's reason if the signal is aborted first. */
export const sleep = (milliseconds: number, signal: AbortSignal | undefined): Promise<void> =>
  new Promise((resolve, reject) => {
    if (signal?.aborted === true) return reject(signal.reason)
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", giveUp)
      resolve()
    }, milliseconds)
    const giveUp = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    signal?.addEventListener("abort", giveUp, { once: true })
  })

type Input = Readonly<Record<string, unknown>>

/** Iterates over the items on all pages. Iterating again fetches the pages again. */
const pages = (
  list: (input: Input) => Promise<unknown>,
  next: NonNullable<Route["next"]>,
  input: Input
): AsyncIterable<unknown> => ({
  async *[Symbol.asyncIterator]() {
    let following: Input | undefined = input
    while (following !== undefined) {
      const page: Page = Object(await list(following))
      yield* page.data
      following = nextOf[next](following, page)
    }
  }
})

interface Page {
  readonly data: ReadonlyArray<unknown>
  readonly next_cursor?: string
  readonly next_after?: number
  readonly next_before?: number
  readonly next_from?: string
}

const nextOf: Record<NonNullable<Route["next"]>, (input: Input, page: Page) => Input | undefined> = {
  next_cursor: (input, { next_cursor }) => next_cursor === undefined ? undefined : { ...input, cursor: next_cursor },
  next_from: (input, { next_from }) => next_from === undefined ? undefined : { ...input, from: next_from },
  /**
   * The event feed returns `next_after` even on the last page, so an empty page ends the iteration. In descending
   * order, the page with the first event has no `next_before`.
   */
  next_after: (input, { data, next_after, next_before }) => {
    const goesBack = input["order"] === "desc" || input["since"] !== undefined || input["before"] !== undefined
    if (goesBack) return next_before === undefined ? undefined : { ...input, before: next_before }
    return data.length === 0 ? undefined : { ...input, after: next_after }
  }
}
