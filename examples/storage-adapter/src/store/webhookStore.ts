import type { OrgKey } from "@trailbook/core/offering"
import type { WebhookStore } from "@trailbook/core/webhook"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { Journal } from "../Journal.ts"
import { unclaimedLease } from "../Lease.ts"
import { byCreation, page } from "../page.ts"
import { type Endpoint, within } from "../Rows.ts"
import { type Change, ConstraintViolation, get, inGroup } from "../State.ts"
import { lastId } from "./eventLog.ts"

export const webhookStore = ({ read, unitOfWork, write }: Journal): WebhookStore["Type"] => {
  const find = ({ id, orgId }: OrgKey) => read(({ endpoints }) => get(endpoints, within(orgId, id)))
  /** Changes an endpoint and returns whether it exists. */
  const change = (key: OrgKey, update: (endpoint: Endpoint) => Omit<Change<"endpoints">, "table">) =>
    unitOfWork.run(Effect.flatMap(find(key), (endpoint) =>
      endpoint === undefined
        ? Effect.succeed(false)
        : Effect.as(write(() => [{ table: "endpoints", ...update(endpoint) }]), true)))

  return {
    // Transactions run one after another, so all events in the log were committed before the webhook was added.
    add: (webhook) =>
      write((state) => {
        const { id, orgId } = webhook
        const cursor = lastId(state, orgId)
        if (get(state.endpoints, within(orgId, id)) !== undefined) {
          throw new ConstraintViolation(`The webhook ${id} already exists.`)
        }
        return [{
          table: "endpoints",
          row: { id, orgId, webhook, cursor, stoppedAt: null, retryAt: null, ...unclaimedLease }
        }]
      }),
    find: (key) => Effect.map(find(key), (endpoint) => Option.map(Option.fromNullable(endpoint), webhookOf)),
    progress: (key) =>
      Effect.map(
        find(key),
        (endpoint) => Option.map(Option.fromNullable(endpoint), ({ cursor, stoppedAt }) => ({ cursor, stoppedAt }))
      ),
    list: (orgId) =>
      read(({ endpoints }) => page(inGroup(endpoints, `org ${orgId}`).map(webhookOf), byCreation, { limit: Infinity })),
    remove: (key) => change(key, (row) => ({ row, gone: true })),
    rewind: (key, cursor) =>
      change(key, (endpoint) => ({
        row: { ...endpoint, cursor, stoppedAt: null, retryAt: null, leaseUntil: null }
      })),
    page: (after, limit) =>
      read(({ endpoints }) =>
        page(inGroup(endpoints, "all").map(webhookOf), ({ id }) => ({ at: 0, id }), {
          after: { at: 0, id: after },
          limit
        })
      ),
    reseal: (webhook, sealedSecret) =>
      Effect.asVoid(change(webhook, (endpoint) => ({
        row: endpoint.webhook.sealedSecret === webhook.sealedSecret
          ? { ...endpoint, webhook: { ...endpoint.webhook, sealedSecret } }
          : endpoint
      })))
  }
}

const webhookOf = ({ webhook }: Endpoint) => webhook
