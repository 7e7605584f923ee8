/**
 * A payment server in a process that tests kill and restart, and the fake bank that it calls. Both share a clock that
 * the test advances.
 */
import { OrgStore } from "@trailbook/core/org"
import { PaymentConnections } from "@trailbook/core/payment"
import type { Storage } from "@trailbook/core/storage"
import * as Instant from "@trailbook/core/time/Instant"
import { connectedAccountsLayer } from "@trailbook/server/buildDomainServices"
import type { Database } from "@trailbook/sql/Database"
import * as KeyRing from "@trailbook/webhook/KeyRing"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as LogLevel from "effect/LogLevel"
import { type ChildProcess, fork } from "node:child_process"
import { once } from "node:events"
import { join } from "node:path"
import { FakeStripe } from "../../packages/stripe/test/FakeStripe.ts"
import { clockOff } from "../reliability/clockOff.ts"
import { createOrg } from "../reliability/ServerProcess.ts"
import type { Target } from "../reliability/Target.ts"
import { databaseAhead } from "./databaseAhead.ts"

const secretsKeys = `k1:${Buffer.alloc(32, 7).toString("base64")}`

export interface MoneyServer {
  readonly orgId: string
  readonly key: string
  readonly connection: string
  readonly stripe: FakeStripe
  /** Returns the server's URLs, or an empty list while the server is down. */
  readonly urls: () => ReadonlyArray<string>
  /** Starts the server and advances the clock by this many minutes. */
  readonly start: (minutes: number) => Promise<void>
  readonly kill: () => Promise<void>
  /** Returns the time on the server's clock. */
  readonly now: () => number
  readonly stored: <A>(effect: Effect.Effect<A, unknown, Storage | Database>) => Promise<A>
  readonly close: () => Promise<void>
}

export const open = async (target: Target): Promise<MoneyServer> => {
  const stripe = new FakeStripe()
  await stripe.listening
  const where = { host: "127.0.0.1", port: stripe.port, protocol: "http" } as const
  const stored: MoneyServer["stored"] = (effect) =>
    Effect.runPromise(Logger.withMinimumLogLevel(Effect.provide(effect, target.storage), LogLevel.Error))
  const { key, orgId } = await createOrg(target.url)
  const { id: connection } = await stored(connectAccount(orgId, where))

  let child: ChildProcess | undefined
  let url: string | undefined
  let ahead = 0
  const readClock = () => Date.now() + ahead
  const kill = async () => {
    const dying = child
    child = undefined
    url = undefined
    if (dying === undefined || dying.exitCode !== null || dying.signalCode !== null) return
    dying.kill("SIGKILL")
    await once(dying, "exit")
  }
  return {
    orgId,
    key,
    connection,
    stripe,
    urls: () => url === undefined ? [] : [url],
    now: readClock,
    stored,
    kill,
    start: async (minutes) => {
      ahead += minutes * 60_000
      await databaseAhead(target, ahead)
      const args = [target.url, target.folder, String(stripe.port), secretsKeys]
      const serverProcess = fork(join(import.meta.dirname, "server.ts"), args, {
        execArgv: ["--conditions=@trailbook/dist", "--import", "tsx"],
        env: { ...process.env, ...clockOff(ahead) },
        stdio: ["ignore", "ignore", "inherit", "ipc"]
      })
      child = serverProcess
      const exit = once(serverProcess, "exit").then(() =>
        Promise.reject(new Error("The server exited before it was ready."))
      )
      exit.catch(() => {})
      const [message] = await Promise.race([once(serverProcess, "message"), exit]) as [string]
      url = message
    },
    close: async () => {
      await kill()
      await stripe.close()
    }
  }
}

/** Moves the outfitter to the plan with payments and connects its account. */
const connectAccount = (
  orgId: string,
  where: { readonly host: string; readonly port: number; readonly protocol: "http" }
) =>
  Effect.gen(function*() {
    const orgs = yield* OrgStore
    const org = yield* Effect.flatten(orgs.find(orgId))
    yield* orgs.put({ ...org, plan: "pro" })
    const keys = KeyRing.parse(secretsKeys)
    if (keys._tag === "Left") throw new Error(keys.left)
    return yield* Effect.flatMap(PaymentConnections, ({ connect }) =>
      connect({
        orgId,
        key: "sk_test_till",
        account: null,
        notices: { to: (id) => `https://book.example/pay/stripe/${id}` }
      })).pipe(Effect.provide(Layer.orDie(connectedAccountsLayer(KeyRing.layer(keys.right), { stripe: where }))))
  })

/** Advances the bank's clock to the server's time. */
export const inStep = async ({ now, stripe }: MoneyServer): Promise<void> => {
  const minutes = (Instant.make(now()) - await Effect.runPromise(stripe.bank.now)) / 60_000
  await Effect.runPromise(stripe.bank.advance(minutes))
}
