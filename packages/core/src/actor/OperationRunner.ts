import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Refusal } from "../Refusal.ts"
import type { Actor } from "./Actor.ts"

type Run = (name: string, input: unknown) => Effect.Effect<unknown, Refusal, Actor>

/**
 * Runs operations as an actor, with all checks, for services that the operations themselves depend on. `leadsTo` sets
 * the target when the registry is built; until then `run` fails.
 */
export class OperationRunner extends Context.Tag("@trailbook/core/OperationRunner")<
  OperationRunner,
  {
    readonly run: Run
    readonly leadsTo: (run: Run) => Effect.Effect<void>
  }
>() {
  static readonly layer = Layer.sync(OperationRunner, () => {
    let target: Run = () => Effect.dieMessage("Invariant violated: the operation registry is not ready")
    return OperationRunner.of({
      run: (name, input) => Effect.suspend(() => target(name, input)),
      leadsTo: (run) =>
        Effect.sync(() => {
          target = run
        })
    })
  })
}
