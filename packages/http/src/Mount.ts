/**
 * A mount serves another protocol at its own path, with the same keys, limits, request IDs, body parser, and log as the
 * operations.
 */
import type { Refusal } from "@trailbook/core"
import type { Actor } from "@trailbook/core/actor"
import type * as Effect from "effect/Effect"
import type { HttpFailure } from "./HttpFailure.ts"
import type { Credential } from "./request/authentication.ts"
import type { Reply } from "./response/Reply.ts"

export interface Mount {
  /** The path, which accepts POST requests with a JSON object. */
  readonly path: `/${string}`
  /**
   * Returns a failure if the request must be rejected. This check runs before all others and is the only one that
   * applies to documents.
   */
  readonly refuse: (request: Request) => HttpFailure | undefined
  /** Returns the `WWW-Authenticate` header for requests without a valid key. */
  readonly challenge: (request: Request) => string
  /** Tokens that this mount accepts in addition to API keys. */
  readonly tokens?: MountTokenVerifier
  /**
   * Checks a large body before it is parsed. For example, rejects bodies that are too large or contain an unknown name.
   */
  readonly check?: (text: string) => Refusal | undefined
  /** Handles a request in the request's own fiber. The mount's headers are added to every response. */
  readonly answer: (request: Request, mountRequest: MountRequest) => Effect.Effect<Reply>
  /** Documents served without authentication, by path. */
  readonly documents: Readonly<Record<string, (request: Request) => unknown>>
}

/** Verifies tokens that are valid only at the mount's path. */
export interface MountTokenVerifier {
  /** Whether a string looks like one of these tokens. */
  readonly isToken: (text: string) => boolean
  readonly verify: (text: string) => Effect.Effect<Credential, Refusal<"unauthorized">>
}

/** The maximum number of bytes that a mount's protocol adds to an operation's input. */
export const maxEnvelopeBytes = 16 * 1024

export interface MountRequest {
  readonly actor: Actor["Type"]
  /** The parsed JSON body. */
  readonly body: unknown
  /** Sets the operation name for the log entry. */
  readonly onOperation: (name: string) => void
}
