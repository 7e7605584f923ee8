import type { Client } from "./Client.ts"
import { clientWith } from "./clientWith.ts"
import { sleep } from "./sleep.ts"

export interface ClientOptions {
  /** The URL of the API with its version: `https://book.example.com/v1`. */
  readonly baseUrl: string | URL
  /** Never use a key with write access on a public page, where anyone can read it. */
  readonly apiKey: string
  /** Replaces the runtime's `fetch`. */
  readonly fetch?: ((url: string, init: RequestInit) => Promise<Response>) | undefined
  /** The maximum number of retries of a repeatable call. Default: 3. */
  readonly retries?: number | undefined
  /** The timeout of one attempt. Default: 10,000. */
  readonly timeoutMs?: number | undefined
}

/**
 * Creates a client of the REST API.
 *
 * A call is retried if no response arrives or the server asks to wait (429, 502, 503, 504), and only if a retry is
 * safe: reads, idempotent writes, and bookings. Each booking call gets an `idempotency_key` unless it has one. Any
 * other write is sent once.
 *
 * @example
 * import { createClient } from "@trailbook/client"
 *
 * const client = createClient({ baseUrl: "https://book.example.com/v1", apiKey })
 * const booking = await client.bookings.create({ offering_id, session_id, customer: { email: "ada@example.com" } })
 */
export const createClient = (options: ClientOptions): Client =>
  clientWith(options, { pause: sleep, random: Math.random })
