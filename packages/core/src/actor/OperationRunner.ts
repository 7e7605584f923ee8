import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Refusal } from "../Refusal.ts"
import type { Actor } from "./Actor.ts"

type Run = (name: string, input: unknown) => Effect.Effect<unknown, Refusal, Actor>

/**
 * The one door to the operations, for a service that is behind it: it runs operations
 * as an actor does, under everyone's rules. It leads nowhere until the operations are
 * put together.
 */
export class OperationRunner extends Context.Tag("@trailbook/core/OperationRunner")<
  OperationRunner,
  {
    readonly run: Run
    readonly leadsTo: (run: Run) => Effect.Effect<void>
  }
>() {
  static readonly layer = Layer.sync(OperationRunner, () => {
    let target: Run = () => Effect.dieMessage("The operations are not put together yet.")
    return OperationRunner.of({
      run: (name, input) => Effect.suspend(() => target(name, input)),
      leadsTo: (run) =>
        Effect.sync(() => {
          target = run
        })
    })
  })
}
