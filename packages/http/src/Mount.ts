/**
 * A mount serves another protocol at its own path. It uses the same keys, limits, request IDs, body parser, and log as
 * the operations.
 */
import type { Actor } from "@trailbook/core/actor/Actor"
import type { Refusal } from "@trailbook/core/Refusal"
import type * as Effect from "effect/Effect"
import type { Credential } from "./authenticate.ts"
import type { Failure } from "./Failure.ts"
import type { Reply } from "./Reply.ts"

export interface Mount {
  /** The path. It accepts POST requests with a JSON object. */
  readonly path: `/${string}`
  /** Runs before all other checks and returns the reason to reject a request. For documents, this is the only check. */
  readonly refuse: (request: Request) => Failure | undefined
  /** Returns the `WWW-Authenticate` header for a request without a valid key. */
  readonly challenge: (request: Request) => string
  /** Tokens that this mount accepts in addition to API keys. */
  readonly tokens?: MountTokens
  /** Checks the text of a large body before it is parsed, for example for its size or for unknown names. */
  readonly check?: (text: string) => Refusal | undefined
  /** Handles a request in the fiber of the request. The headers of the mount are added to each response. */
  readonly answer: (request: Request, mountRequest: MountRequest) => Effect.Effect<Reply>
  /** Documents that are served without authentication, by path. */
  readonly documents: Readonly<Record<string, (request: Request) => unknown>>
}

/** Tokens that are valid only for the path of the mount. */
export interface MountTokens {
  /** Returns whether a text has the format of such a token. */
  readonly isOne: (text: string) => boolean
  readonly verify: (text: string) => Effect.Effect<Credential, Refusal<"unauthorized">>
}

/** The maximum number of bytes that the messages of a mount's protocol add to the input of an operation. */
export const envelopeBytes = 16 * 1024

export interface MountRequest {
  readonly actor: Actor["Type"]
  /** The parsed JSON body. */
  readonly body: unknown
  /** Sets the operation name in the log line. */
  readonly onOperation: (name: string) => void
}
