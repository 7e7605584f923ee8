/**
 * A worker without the guards that make each agent action run only once. It commits the effect of an action 250 ms
 * before the result, in separate transactions, and stores no request keys. `killed.long.test.ts` uses it as a control.
 */
import { TaskHandlers } from "@trailbook/core/handler"
import { Mailer } from "@trailbook/core/mail"
import { RequestKeys, UnitOfWork } from "@trailbook/core/port"
import { ProposalStore } from "@trailbook/core/proposal"
import { engineLayer } from "@trailbook/runtime/engineLayer"
import * as NodeIds from "@trailbook/runtime/NodeIds"
import * as Sqlite from "@trailbook/sqlite"
import { automationJob, proposalExecutionJob } from "@trailbook/worker/job/agent"
import * as Worker from "@trailbook/worker/Worker"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import process from "node:process"

const careless = Layer.mergeAll(
  Layer.effect(UnitOfWork, Effect.map(UnitOfWork, (port) => UnitOfWork.of({ ...port, run: (work) => work }))),
  Layer.succeed(
    RequestKeys,
    RequestKeys.of({ find: () => Effect.succeed(Option.none()), bind: () => Effect.void })
  ),
  Layer.effect(
    ProposalStore,
    Effect.map(
      ProposalStore,
      (port) => ProposalStore.of({ ...port, put: (row) => Effect.delay(port.put(row), "250 millis") })
    )
  )
)

const storage = Layer.provideMerge(careless, Layer.orDie(Sqlite.layer({ filename: process.argv[2] ?? "" })))

const domain = TaskHandlers.layer({ publicUrl: "https://book.example.com" }).pipe(
  Layer.provide(Layer.succeed(Mailer, Mailer.of({ send: () => Effect.succeed({ reportRequested: false }) }))),
  Layer.provideMerge(engineLayer(NodeIds.layer, "none")),
  Layer.provideMerge(storage)
)

const work = Effect.gen(function*() {
  yield* Worker.start({ jobs: Effect.all([automationJob, proposalExecutionJob]), grace: "1 second" })
  process.stdout.write("works\n")
  yield* Effect.never
})

void Effect.runPromise(Effect.provide(Effect.scoped(work), domain))
