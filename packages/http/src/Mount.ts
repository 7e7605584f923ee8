/**
 * Another protocol at an address of its own, behind the same door as the
 * operations: the same keys, limits, request ids, bodies and log.
 */
import type { Actor } from "@trailbook/core/actor/Actor"
import type { Refusal } from "@trailbook/core/Refusal"
import type * as Effect from "effect/Effect"
import type { Credential } from "./authenticate.ts"
import type { Failure } from "./Failure.ts"
import type { Reply } from "./Reply.ts"

export interface Mount {
  /** Takes POST with a JSON object. */
  readonly path: `/${string}`
  /** Looked at first, and open documents' only guard: why a request is not let in. */
  readonly refuse: (request: Request) => Failure | undefined
  /** The `WWW-Authenticate` of a request without a good key. */
  readonly challenge: (request: Request) => string
  /** Credentials of its own, beside the keys of the API. */
  readonly tokens?: MountTokens
  /** In the request's own fiber. The headers of every answer are added to it. */
  readonly answer: (request: Request, asked: MountRequest) => Effect.Effect<Reply>
  /** What is served beside it to everybody, by path. */
  readonly documents: Readonly<Record<string, (request: Request) => unknown>>
}

/** Tokens that open this address and no other. */
export interface MountTokens {
  /** Whether a text is meant to be one. */
  readonly isOne: (text: string) => boolean
  readonly verify: (text: string) => Effect.Effect<Credential, Refusal<"unauthorized">>
}

export interface MountRequest {
  readonly actor: Actor["Type"]
  /** The body, read as JSON. */
  readonly body: unknown
  /** The log's line then names the operation. */
  readonly onOperation: (name: string) => void
}
