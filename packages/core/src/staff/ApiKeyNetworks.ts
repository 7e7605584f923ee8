/** Records in the audit log when an API key is used from a new network. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { ApiKey } from "../actor/ApiKey.ts"
import { toNetwork } from "../actor/VisitorAccess.ts"
import { OrgStore } from "../org/Orgs.ts"
import { failIfNotFound } from "../port/failIfNotFound.ts"
import { TenantScope, UnitOfWork } from "../port/UnitOfWork.ts"
import type { Refusal } from "../Refusal.ts"
import { currentTime } from "../time/currentTime.ts"
import * as Instant from "../time/Instant.ts"
import { AuditLog, AuditStore } from "./AuditLog.ts"

type Key = Pick<ApiKey, "id" | "orgId">

export class ApiKeyNetworks extends Context.Tag("@trailbook/core/KeyNetworks")<
  ApiKeyNetworks,
  {
    /** Records a request's network in the background. A failure is logged and does not affect the request. */
    readonly recordInBackground: (key: Key, address: string | undefined) => Effect.Effect<void>
    /** Adds an audit entry unless the log already has an entry for this key and network from the last 30 days. */
    readonly record: (key: Key, network: string) => Effect.Effect<void, Refusal<"not_found">>
  }
>() {
  static readonly layer = Layer.effect(ApiKeyNetworks, Effect.suspend(() => makeApiKeyNetworks))
}

const makeApiKeyNetworks = Effect.gen(function*() {
  const orgs = yield* OrgStore
  const store = yield* AuditStore
  const audit = yield* AuditLog
  const { run } = yield* UnitOfWork
  // The time of the last check for each key and network, oldest first. This map saves most requests a query.
  const lastChecks = new Map<string, Instant.Instant>()

  const record = ({ id, orgId }: Key, network: string) =>
    run(Effect.gen(function*() {
      // Without the lock, two processes could both find no entry and both add one.
      yield* Effect.flatMap(orgs.lock(orgId), failIfNotFound("org", orgId))
      const since = Instant.addMinutes(yield* currentTime, -repeatDays * 24 * 60)
      const entry = { orgId, what: "key.new_network", subject: id, name: network } as const
      if (yield* store.hasSince({ ...entry, since })) return
      yield* audit.addAndNotify({ ...entry, by: { _tag: "Key", keyId: id } })
    })).pipe(Effect.provideService(TenantScope, [orgId]))

  return ApiKeyNetworks.of({
    record,
    recordInBackground: (key, address) => {
      if (address === undefined) return Effect.void
      const network = formatNetwork(address)
      const checkId = `${key.id} ${network}`
      return Effect.flatMap(currentTime, (now) => {
        const lastCheck = lastChecks.get(checkId)
        if (lastCheck !== undefined && now - lastCheck < checkIntervalMs) return Effect.void
        lastChecks.delete(checkId)
        lastChecks.set(checkId, now)
        const [oldest] = lastChecks.keys()
        if (lastChecks.size > maxLastChecks && oldest !== undefined) lastChecks.delete(oldest)
        return record(key, network).pipe(
          Effect.catchAllCause((cause) => {
            // Let the next request retry.
            lastChecks.delete(checkId)
            return Effect.logWarning("Could not record the network of an API key", cause)
          }),
          Effect.forkDaemon,
          Effect.asVoid
        )
      })
    }
  })
})

/**
 * Returns an address's network in the form that the audit log shows: the /24 of an IPv4 address or the /64 of an IPv6
 * address.
 */
export const formatNetwork = (address: string): string => {
  const network = toNetwork(address)
  const ipv4 = /^(\d+\.\d+\.\d+)\.\d+$/.exec(network)
  if (ipv4 !== null) return `${ipv4[1]}.0/24`
  return network.includes(":") ? `${network}::/64` : network
}

/** The number of days after which a key's network is recorded in the audit log again. */
const repeatDays = 30

const checkIntervalMs = 24 * 60 * 60_000

const maxLastChecks = 10_000
