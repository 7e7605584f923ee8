import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { Refusal } from "../Refusal.ts"
import type { Actor } from "./Actor.ts"

/** Runs operations as an actor, with all checks. The registry provides this service to its own handlers. */
export class OperationRunner extends Context.Tag("@trailbook/core/OperationRunner")<
  OperationRunner,
  { readonly run: (name: string, input: unknown) => Effect.Effect<unknown, Refusal, Actor> }
>() {}
