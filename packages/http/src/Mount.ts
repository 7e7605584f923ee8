/** Another protocol at its own path, with the same keys, limits, request IDs, bodies, and log as the operations. */
import type { Actor } from "@trailbook/core/actor/Actor"
import type { Refusal } from "@trailbook/core/Refusal"
import type * as Effect from "effect/Effect"
import type { Credential } from "./authenticate.ts"
import type { Failure } from "./Failure.ts"
import type { Reply } from "./Reply.ts"

export interface Mount {
  /** Accepts POST with a JSON object. */
  readonly path: `/${string}`
  /** Checks a request first and returns why it is rejected. For documents, this is the only check. */
  readonly refuse: (request: Request) => Failure | undefined
  /** The `WWW-Authenticate` header for a request without a valid key. */
  readonly challenge: (request: Request) => string
  /** Separate credentials, in addition to API keys. */
  readonly tokens?: MountTokens
  /** Checks the text of a large body before it is parsed, for example for its size or unknown names. */
  readonly check?: (text: string) => Refusal | undefined
  /** Runs in the fiber of the request. The headers of the mount are added to each response. */
  readonly answer: (request: Request, asked: MountRequest) => Effect.Effect<Reply>
  /** Documents that are served without authentication, by path. */
  readonly documents: Readonly<Record<string, (request: Request) => unknown>>
}

/** Tokens that are only valid for this path. */
export interface MountTokens {
  /** Whether a text has the format of such a token. */
  readonly isOne: (text: string) => boolean
  readonly verify: (text: string) => Effect.Effect<Credential, Refusal<"unauthorized">>
}

/** A mount wraps the input of an operation in protocol messages of at most this many more bytes. */
export const envelopeBytes = 16 * 1024

export interface MountRequest {
  readonly actor: Actor["Type"]
  /** The body, parsed as JSON. */
  readonly body: unknown
  /** Sets the operation name in the log line. */
  readonly onOperation: (name: string) => void
}
