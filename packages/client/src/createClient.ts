import type { Client } from "./Client.ts"
import { clientWith } from "./clientWith.ts"
import { sleep } from "./sleep.ts"

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
  clientWith(options, { pause: sleep, random: Math.random })
