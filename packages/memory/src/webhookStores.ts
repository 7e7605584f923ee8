import type { OrgKey } from "@trailbook/core/offering"
import { currentTime } from "@trailbook/core/time/currentTime"
import * as Instant from "@trailbook/core/time/Instant"
import { type DeliveryClaim, DeliveryQueue, WebhookStore } from "@trailbook/core/webhook"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Order from "effect/Order"
import { lastEventId } from "./eventStores.ts"
import { claimLease, isClaimOf, isLeaseFree, noLease } from "./Lease.ts"
import { storeLayer } from "./MemoryDatabase.ts"
import * as Table from "./Table.ts"
import { allOrgsGroup, requireRow, type Tables, toOrgKey, type WebhookEndpoint } from "./Tables.ts"

const webhookStore = storeLayer(WebhookStore, ({ read, unitOfWork, write }) => {
  const find = ({ id, orgId }: OrgKey) => read(({ endpoints }) => Table.get(endpoints, toOrgKey(orgId, id)))
  /** Updates an endpoint. Returns false if the endpoint does not exist. */
  const updateEndpoint = (key: OrgKey, edit: (endpoint: WebhookEndpoint, tables: Tables) => Tables) =>
    unitOfWork.run(Effect.flatMap(find(key), (endpoint) =>
      endpoint === undefined
        ? Effect.succeed(false)
        : Effect.as(write((tables) => edit(endpoint, tables)), true)))

  return {
    add: (webhook) =>
      write((tables) => {
        const { id, orgId } = webhook
        requireRow(tables.orgs, orgId)
        if (Table.get(tables.endpoints, toOrgKey(orgId, id)) !== undefined) {
          throw new Table.ConstraintViolation(`The webhook ${id} already exists.`)
        }
        const cursor = lastEventId(tables, orgId)
        return putEndpoint(tables, { webhook, cursor, stoppedAt: null, retryAt: null, ...noLease })
      }),
    find: (key) => Effect.map(find(key), (endpoint) => Option.map(Option.fromNullable(endpoint), toWebhook)),
    progress: (key) =>
      Effect.map(
        find(key),
        (endpoint) => Option.map(Option.fromNullable(endpoint), ({ cursor, stoppedAt }) => ({ cursor, stoppedAt }))
      ),
    list: (orgId) => read(({ endpoints }) => [...Table.range(endpoints, "created", orgId)].map(toWebhook)),
    remove: (key) =>
      updateEndpoint(key, (_, tables) => ({
        ...tables,
        endpoints: Table.remove(tables.endpoints, toOrgKey(key.orgId, key.id))
      })),
    rewind: (key, cursor) =>
      updateEndpoint(
        key,
        (endpoint, tables) =>
          putEndpoint(tables, { ...endpoint, cursor, stoppedAt: null, retryAt: null, leaseUntil: null })
      ),
    page: (after, limit) =>
      read(({ endpoints }) =>
        Table.takeFirst(Table.range(endpoints, "id", allOrgsGroup, { above: { at: 0, id: after } }), limit).map(
          toWebhook
        )
      ),
    reseal: (webhook, sealedSecret) =>
      Effect.asVoid(updateEndpoint(webhook, (endpoint, tables) =>
        endpoint.webhook.sealedSecret === webhook.sealedSecret
          ? putEndpoint(tables, { ...endpoint, webhook: { ...endpoint.webhook, sealedSecret } })
          : tables))
  }
})

const putEndpoint = (tables: Tables, endpoint: WebhookEndpoint): Tables => ({
  ...tables,
  endpoints: Table.put(tables.endpoints, endpoint)
})

const toWebhook = ({ webhook }: WebhookEndpoint) => webhook

/** Each claim checks all endpoints. This is fast enough for demos, which have few endpoints. */
const deliveryQueue = storeLayer(DeliveryQueue, ({ read, unitOfWork, update }) => {
  const writeEndpoint = (endpoint: WebhookEndpoint) =>
    update("endpoints", (endpoints) => Table.put(endpoints, endpoint))
  /** Updates a claimed endpoint. Returns false if the claim is invalid. */
  const updateClaimed = (
    { fence, webhook: { id, orgId } }: DeliveryClaim,
    edit: (endpoint: WebhookEndpoint, now: number, tables: Tables) => WebhookEndpoint
  ) =>
    unitOfWork.run(Effect.gen(function*() {
      const now = yield* currentTime
      const updatedEndpoint = yield* read((tables) => {
        const endpoint = Table.get(tables.endpoints, toOrgKey(orgId, id))
        return endpoint !== undefined && isClaimOf({ fence }, endpoint) ? edit(endpoint, now, tables) : undefined
      })
      if (updatedEndpoint === undefined) return false
      yield* writeEndpoint(updatedEndpoint)
      return true
    }))

  return {
    claim: ({ exceptOrgs, exceptStoppedOf, leaseMs }) =>
      unitOfWork.run(Effect.gen(function*() {
        const now = yield* currentTime
        const isExcepted = ({ stoppedAt, webhook: { orgId } }: WebhookEndpoint) =>
          exceptOrgs.includes(orgId) ||
          (stoppedAt !== null && (exceptStoppedOf === "every" || exceptStoppedOf.includes(orgId)))
        const isWanted = (tables: Tables) => (endpoint: WebhookEndpoint) =>
          !isExcepted(endpoint) && isLeaseFree(endpoint, now) && hasPendingDelivery(tables, endpoint, now)
        const [next] = yield* read((tables) =>
          [...Table.range(tables.endpoints, "id", allOrgsGroup)].filter(isWanted(tables)).sort(byLastAttempt)
        )
        if (next === undefined) return Option.none()
        const claimedEndpoint = claimLease(next, now, leaseMs)
        yield* writeEndpoint(claimedEndpoint)
        const { cursor, fence, stoppedAt, webhook } = claimedEndpoint
        return Option.some({ webhook, fence, cursor, stoppedAt, retryDue: isRetryDue(claimedEndpoint, now) })
      })),
    pending: ({ events: types, orgId }, after, limit) =>
      read((tables) => ({
        events: Table.takeFirst(
          Table.range(tables.events, "id", orgId, { above: { at: after, id: "" } }),
          limit,
          ({ type }) => types.includes("*") || types.includes(type)
        ),
        head: lastEventId(tables, orgId)
      })),
    recordSuccess: (claim, cursor, lastStatus, leaseMs) =>
      updateClaimed(claim, (endpoint, now) => ({
        ...recordAttempt(endpoint, now, { lastStatus, lastError: null }),
        cursor,
        stoppedAt: null,
        retryAt: null,
        leaseUntil: now + leaseMs
      })),
    renew: (claim, leaseMs) => updateClaimed(claim, (endpoint, now) => ({ ...endpoint, leaseUntil: now + leaseMs })),
    recordFailure: (claim, { fault, retryMs, status }) =>
      updateClaimed(claim, (endpoint, now, tables) => ({
        ...recordAttempt(endpoint, now, { lastStatus: status, lastError: fault }),
        stoppedAt: lastEventId(tables, claim.webhook.orgId),
        retryAt: now + retryMs,
        leaseUntil: null
      })),
    release: (claim, cursor) =>
      Effect.asVoid(updateClaimed(claim, (endpoint) => ({ ...advanceCursor(endpoint, cursor), leaseUntil: null })))
  }
})

const isRetryDue = ({ retryAt }: WebhookEndpoint, now: number): boolean => retryAt !== null && retryAt <= now

/** Returns whether an endpoint has pending events or a due retry, even if it is leased. */
export const hasPendingDelivery = (tables: Tables, endpoint: WebhookEndpoint, now: number): boolean =>
  endpoint.webhook.active &&
  (isRetryDue(endpoint, now) || lastEventId(tables, endpoint.webhook.orgId) > (endpoint.stoppedAt ?? endpoint.cursor))

/** Sorts endpoints by their last attempt. Endpoints without an attempt come first. */
const byLastAttempt = Order.mapInput(
  Order.number,
  ({ webhook: { lastAttemptAt } }: WebhookEndpoint) => lastAttemptAt ?? -Infinity
)

const recordAttempt = (
  endpoint: WebhookEndpoint,
  now: number,
  outcome: Pick<WebhookEndpoint["webhook"], "lastStatus" | "lastError">
): WebhookEndpoint => ({ ...endpoint, webhook: { ...endpoint.webhook, ...outcome, lastAttemptAt: Instant.make(now) } })

const advanceCursor = (endpoint: WebhookEndpoint, cursor: number | undefined): WebhookEndpoint => {
  if (cursor === undefined) return endpoint
  return endpoint.stoppedAt === null ? { ...endpoint, cursor } : { ...endpoint, stoppedAt: cursor }
}

export const layer = Layer.mergeAll(webhookStore, deliveryQueue)
