import { currentTime } from "@trailbook/core/time/currentTime"
import * as Instant from "@trailbook/core/time/Instant"
import type { DeliveryClaim, DeliveryQueue } from "@trailbook/core/webhook"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { Journal } from "../Journal.ts"
import { claimRow, isClaimOf, isFree } from "../Lease.ts"
import { type Endpoint, within } from "../Rows.ts"
import { get, inGroup, type State } from "../State.ts"
import { inOrder, lastId } from "./eventLog.ts"

export const deliveryQueue = ({ read, unitOfWork, write }: Journal): DeliveryQueue["Type"] => {
  const put = (row: Endpoint) => write(() => [{ table: "endpoints", row }])
  /** Changes the claimed endpoint. Returns false if the claim is void. */
  const change = (
    { fence, webhook: { id, orgId } }: DeliveryClaim,
    update: (endpoint: Endpoint, now: number, state: State) => Endpoint
  ) =>
    unitOfWork.run(Effect.gen(function*() {
      const now = yield* currentTime
      const row = yield* read((state) => {
        const endpoint = get(state.endpoints, within(orgId, id))
        return endpoint !== undefined && isClaimOf({ fence }, endpoint) ? update(endpoint, now, state) : undefined
      })
      if (row === undefined) return false
      yield* put(row)
      return true
    }))

  return {
    claim: ({ exceptOrgs, exceptStoppedOf, leaseMs }) =>
      unitOfWork.run(Effect.gen(function*() {
        const now = yield* currentTime
        const isStopped = ({ orgId, stoppedAt }: Endpoint) =>
          stoppedAt !== null && (exceptStoppedOf === "every" || exceptStoppedOf.includes(orgId))
        const [next] = yield* read((state) =>
          inGroup(state.endpoints, "all")
            .filter((endpoint) =>
              !exceptOrgs.includes(endpoint.orgId) && !isStopped(endpoint) && isFree(endpoint, now) &&
              waits(state, endpoint, now)
            )
            .toSorted(byLastAttempt)
        )
        if (next === undefined) return Option.none()
        const claimedRow = claimRow(next, now, leaseMs)
        yield* put(claimedRow)
        const { cursor, fence, stoppedAt, webhook } = claimedRow
        return Option.some({ webhook, fence, cursor, stoppedAt, retryDue: isDueAgain(claimedRow, now) })
      })),
    // Each read sees a single snapshot. Event data is read when it is sent, so it never contains the data of an erased
    // guest.
    pending: ({ events: types, orgId }, after, limit) =>
      read((state) => ({
        events: inOrder(state, `org ${orgId}`)
          .filter(({ id, type }) => id > after && (types.includes("*") || types.includes(type)))
          .slice(0, limit),
        head: lastId(state, orgId)
      })),
    recordSuccess: (claim, cursor, lastStatus, leaseMs) =>
      change(claim, (endpoint, now) => ({
        ...endpoint,
        webhook: { ...endpoint.webhook, lastStatus, lastError: null, lastAttemptAt: Instant.make(now) },
        cursor,
        stoppedAt: null,
        retryAt: null,
        leaseUntil: now + leaseMs
      })),
    renew: (claim, leaseMs) => change(claim, (endpoint, now) => ({ ...endpoint, leaseUntil: now + leaseMs })),
    recordFailure: (claim, { fault, retryMs, status }) =>
      change(claim, (endpoint, now, state) => ({
        ...endpoint,
        webhook: { ...endpoint.webhook, lastStatus: status, lastError: fault, lastAttemptAt: Instant.make(now) },
        stoppedAt: lastId(state, endpoint.orgId),
        retryAt: now + retryMs,
        leaseUntil: null
      })),
    release: (claim, position) =>
      Effect.asVoid(change(claim, (endpoint) => ({ ...passedBy(endpoint, position), leaseUntil: null })))
  }
}

const isDueAgain = ({ retryAt }: Endpoint, now: number): boolean => retryAt !== null && retryAt <= now

/** Whether the endpoint has pending work, claimed or not. */
export const waits = (state: State, endpoint: Endpoint, now: number): boolean =>
  endpoint.webhook.active &&
  (isDueAgain(endpoint, now) || lastId(state, endpoint.orgId) > (endpoint.stoppedAt ?? endpoint.cursor))

/** Endpoints that have not been tried yet come first. */
const byLastAttempt = (a: Endpoint, b: Endpoint): number =>
  (a.webhook.lastAttemptAt ?? -1) - (b.webhook.lastAttemptAt ?? -1)

const passedBy = (endpoint: Endpoint, position: number | undefined): Endpoint => {
  if (position === undefined) return endpoint
  return endpoint.stoppedAt === null ? { ...endpoint, cursor: position } : { ...endpoint, stoppedAt: position }
}
