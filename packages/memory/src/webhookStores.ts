import { currentTime } from "@trailbook/core/time/currentTime"
import * as Instant from "@trailbook/core/time/Instant"
import { type DeliveryClaim, DeliveryQueue, WebhookStore } from "@trailbook/core/webhook"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Order from "effect/Order"
import { lastEventId } from "./eventStores.ts"
import { claimLease, isClaimOf, isLeaseFree, noLease } from "./Lease.ts"
import { tableLayer } from "./Rows.ts"
import * as Table from "./Table.ts"
import { allOrgsGroup, findRows, insertRow, type Tables, type WebhookEndpoint } from "./Tables.ts"

const webhookStore = tableLayer(WebhookStore, "endpoints", (endpoints) => ({
  add: (webhook) =>
    endpoints.update((table, tables) => {
      const cursor = lastEventId(tables, webhook.orgId)
      return insertRow(tables, table, { webhook, cursor, stoppedAt: null, retryAt: null, ...noLease })
    }),
  find: (key) => Effect.map(endpoints.find(key), Option.map(toWebhook)),
  progress: (key) => Effect.map(endpoints.find(key), Option.map(({ cursor, stoppedAt }) => ({ cursor, stoppedAt }))),
  list: (orgId) => Effect.map(endpoints.list("created", orgId), (rows) => rows.map(toWebhook)),
  remove: (key) =>
    Effect.map(endpoints.take((tables) => findRows(tables.endpoints, [key])), ({ length }) => length > 0),
  rewind: (key, cursor) =>
    Effect.map(
      endpoints.changeIf(key, (row) => ({ ...row, cursor, stoppedAt: null, retryAt: null, leaseUntil: null })),
      Option.isSome
    ),
  page: (after, limit) =>
    Effect.map(
      endpoints.list("id", allOrgsGroup, { above: { at: 0, id: after }, limit }),
      (rows) => rows.map(toWebhook)
    ),
  reseal: (webhook, sealedSecret) =>
    endpoints.change(webhook, (endpoint) =>
      endpoint.webhook.sealedSecret === webhook.sealedSecret
        ? { ...endpoint, webhook: { ...endpoint.webhook, sealedSecret } }
        : endpoint)
}))

const toWebhook = ({ webhook }: WebhookEndpoint) => webhook

/** Each claim checks all endpoints. This is fast enough for demos, which have few endpoints. */
const deliveryQueue = tableLayer(DeliveryQueue, "endpoints", (endpoints, { read, unitOfWork }) => {
  /** Updates a claimed endpoint. Returns false if the claim is invalid. */
  const updateClaimed = (
    claim: DeliveryClaim,
    edit: (endpoint: WebhookEndpoint, now: number, tables: Tables) => WebhookEndpoint
  ) =>
    Effect.map(
      endpoints.changeIf(claim.webhook, (endpoint, now, tables) =>
        isClaimOf(claim, endpoint) ? edit(endpoint, now, tables) : undefined),
      Option.isSome
    )

  return {
    claim: ({ exceptOrgs, exceptStoppedOf, leaseMs }) =>
      unitOfWork.run(Effect.gen(function*() {
        const now = yield* currentTime
        const isExcepted = ({ stoppedAt, webhook: { orgId } }: WebhookEndpoint) =>
          exceptOrgs.includes(orgId) ||
          (stoppedAt !== null && (exceptStoppedOf === "every" || exceptStoppedOf.includes(orgId)))
        const [next] = yield* read((tables) =>
          Table.list(tables.endpoints, "id", allOrgsGroup, {
            where: (endpoint) =>
              !isExcepted(endpoint) && isLeaseFree(endpoint, now) && hasPendingDelivery(tables, endpoint, now)
          }).sort(byLastAttempt)
        )
        if (next === undefined) return Option.none()
        const claimedEndpoint = claimLease(next, now, leaseMs)
        yield* endpoints.putOne(claimedEndpoint)
        const { cursor, fence, stoppedAt, webhook } = claimedEndpoint
        return Option.some({ webhook, fence, cursor, stoppedAt, retryDue: isRetryDue(claimedEndpoint, now) })
      })),
    pending: ({ events: types, orgId }, after, limit) =>
      read((tables) => ({
        events: Table.list(tables.events, "id", orgId, {
          above: Table.toPosition(after),
          limit,
          where: ({ type }) => types.includes("*") || types.includes(type)
        }),
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
