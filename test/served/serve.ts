/**
 * Serves two outfitters over HTTP from a SQLite file. The service is assembled like the server, but in this process, so
 * that tests can remove the guards.
 */
import { ApiKeys } from "@trailbook/core/actor"
import { coreLayer } from "@trailbook/core/layer"
import { Orgs } from "@trailbook/core/org"
import { Payments } from "@trailbook/core/payment"
import { type Proposal, ProposalStore } from "@trailbook/core/proposal"
import { currentTime } from "@trailbook/core/time/currentTime"
import * as Handler from "@trailbook/http/handler"
import * as Serve from "@trailbook/http/serve"
import * as NodeIds from "@trailbook/runtime/NodeIds"
import { storageUnguarded } from "@trailbook/sql/testing/unguarded"
import * as Sqlite from "@trailbook/sqlite/batchOptions"
import * as SqliteDatabase from "@trailbook/sqlite/SqliteDatabase"
import * as SqliteStorage from "@trailbook/sqlite/SqliteStorage"
import { FakeSecrets, FakeWebhookSender } from "@trailbook/testkit/fakes"
import { checkInvariants } from "@trailbook/testkit/invariants"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Scope from "effect/Scope"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { proposalOf } from "../proposalOf.ts"
import { type Client, client } from "./Client.ts"

export interface TestServer {
  readonly url: string
  readonly key: string
  readonly api: Client
  /** A second outfitter on the same server. */
  readonly neighbor: Client
  /** Stores an ops agent proposal for the first or second outfitter and returns its ID. */
  readonly propose: (to: "api" | "neighbor", given?: Partial<Proposal>) => Promise<string>
  /** Returns every violation that the testkit's checker finds in the database. */
  readonly violations: () => Promise<ReadonlyArray<string>>
  readonly close: () => Promise<void>
}

/** Starts the server. `guarded: false` removes the unit of work and therefore every lock. */
export const serve = async ({ guarded = true }: { readonly guarded?: boolean } = {}): Promise<TestServer> => {
  const folder = await mkdtemp(join(tmpdir(), "trailbook-"))
  const filename = join(folder, "trailbook.sqlite")
  const scope = Effect.runSync(Scope.make())
  const run = <A, E>(effect: Effect.Effect<A, E, Scope.Scope>) => Effect.runPromise(Scope.extend(effect, scope))

  const storage = guarded
    ? SqliteStorage.layer({ filename })
    : Layer.provide(storageUnguarded, SqliteDatabase.layer({ filename }))
  const batches = guarded ? Sqlite.batchOptions : "none" as const
  const domain = await run(Layer.build(
    coreLayer({ batches }).pipe(
      Layer.provideMerge(
        Layer.mergeAll(
          storage,
          NodeIds.layer,
          Payments.layerNone,
          FakeWebhookSender.layer,
          FakeSecrets.makeFakeSecretsLayer()
        )
      )
    )
  ))
  const account = Effect.gen(function*() {
    const org = yield* (yield* Orgs).create({ name: "Salida River Co.", timezone: "America/Denver" })
    const { token } = yield* (yield* ApiKeys).create({ orgId: org.id, name: "test" })
    return { org, token }
  })
  const ownAccount = await run(Effect.provide(account, domain))
  const otherAccount = await run(Effect.provide(account, domain))
  const handler = await run(Effect.provide(Handler.make({ rateLimit: { perSecond: 0 } }), domain))
  const { host, port } = await run(Serve.listen({ handler, port: 0 }))
  const url = `http://${host}:${port}/v1`
  return {
    url,
    key: ownAccount.token,
    api: client(url, ownAccount.token),
    neighbor: client(url, otherAccount.token),
    propose: (to, fields) =>
      run(Effect.provide(
        Effect.gen(function*() {
          const proposal = proposalOf((to === "api" ? ownAccount : otherAccount).org.id, yield* currentTime, fields)
          yield* (yield* ProposalStore).add(proposal)
          return proposal.id
        }),
        domain
      )),
    violations: () => run(Effect.provide(checkInvariants(ownAccount.org.id), domain)),
    close: async () => {
      await Effect.runPromise(Scope.close(scope, Exit.void))
      await rm(folder, { recursive: true })
    }
  }
}
