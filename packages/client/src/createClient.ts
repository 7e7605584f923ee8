import type { Client } from "./Client.ts"
import { clientWith } from "./clientWith.ts"
import { sleep } from "./sleep.ts"

export interface ClientOptions {
  /** Where the API is, with its version: `https://book.example.com/v1`. */
  readonly baseUrl: string | URL
  /** Never a key that may write in a page that strangers open: they can read it. */
  readonly apiKey: string
  /** What to send with, in place of the runtime's own `fetch`. */
  readonly fetch?: ((url: string, init: RequestInit) => Promise<Response>) | undefined
  /** How often a call that may be repeated is sent again at most. Default 3. */
  readonly retries?: number | undefined
  /** How long one attempt may take. Default 10,000. */
  readonly timeoutMs?: number | undefined
}

/**
 * A client of the REST API.
 *
 * A call is sent again when no answer came, or one that asks to wait (429, 502, 503, 504), and only where that does no
 * harm: reads, writes that change nothing the second time, and bookings, which get an `idempotency_key` for each call
 * unless they bring their own. Any other write is sent once.
 *
 * @example
 * import { createClient } from "@trailbook/client"
 *
 * const client = createClient({ baseUrl: "https://book.example.com/v1", apiKey })
 * const booking = await client.bookings.create({ offering_id, session_id, customer: { email: "ada@example.com" } })
 */
export const createClient = (options: ClientOptions): Client =>
  clientWith(options, { pause: sleep, random: Math.random })
