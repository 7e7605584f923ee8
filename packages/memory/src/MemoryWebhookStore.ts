import type { OrgKey } from "@trailbook/core/offering/OfferingStore"
import { WebhookStore } from "@trailbook/core/webhook/WebhookStore"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { ConstraintViolation } from "./ConstraintViolation.ts"
import { noLease } from "./Lease.ts"
import { storeLayer } from "./MemoryDatabase.ts"
import { lastEventId } from "./MemoryEventLog.ts"
import * as Table from "./Table.ts"
import { type Endpoint, everyOrg, orgKey, requireRow, type Tables } from "./Tables.ts"
import { takeFirst } from "./takeFirst.ts"

export const layer = storeLayer(WebhookStore, ({ read, unitOfWork, write }) => {
  const find = ({ id, orgId }: OrgKey) => read(({ endpoints }) => Table.get(endpoints, orgKey(orgId, id)))
  /** Updates an endpoint. Returns whether it exists. */
  const change = (key: OrgKey, to: (endpoint: Endpoint, tables: Tables) => Tables) =>
    unitOfWork.run(Effect.flatMap(find(key), (endpoint) =>
      endpoint === undefined
        ? Effect.succeed(false)
        : Effect.as(write((tables) => to(endpoint, tables)), true)))

  return {
    add: (webhook) =>
      write((tables) => {
        const { id, orgId } = webhook
        requireRow(tables.orgs, orgId)
        if (Table.get(tables.endpoints, orgKey(orgId, id)) !== undefined) {
          throw new ConstraintViolation(`The webhook ${id} already exists.`)
        }
        const cursor = lastEventId(tables, orgId)
        return put(tables, { webhook, cursor, stoppedAt: null, retryAt: null, ...noLease })
      }),
    find: (key) => Effect.map(find(key), (endpoint) => Option.map(Option.fromNullable(endpoint), webhookOf)),
    standing: (key) =>
      Effect.map(
        find(key),
        (endpoint) => Option.map(Option.fromNullable(endpoint), ({ cursor, stoppedAt }) => ({ cursor, stoppedAt }))
      ),
    list: (orgId) => read(({ endpoints }) => [...Table.range(endpoints, "created", orgId)].map(webhookOf)),
    remove: (key) =>
      change(key, (_, tables) => ({
        ...tables,
        endpoints: Table.remove(tables.endpoints, orgKey(key.orgId, key.id))
      })),
    rewind: (key, cursor) =>
      change(
        key,
        (endpoint, tables) => put(tables, { ...endpoint, cursor, stoppedAt: null, retryAt: null, leaseUntil: null })
      ),
    page: (after, limit) =>
      read(({ endpoints }) =>
        takeFirst(Table.range(endpoints, "id", everyOrg, { above: { at: 0, id: after } }), limit).map(webhookOf)
      ),
    reseal: (webhook, sealedSecret) =>
      Effect.asVoid(change(webhook, (endpoint, tables) =>
        endpoint.webhook.sealedSecret === webhook.sealedSecret
          ? put(tables, { ...endpoint, webhook: { ...endpoint.webhook, sealedSecret } })
          : tables))
  }
})

const put = (tables: Tables, endpoint: Endpoint): Tables => ({
  ...tables,
  endpoints: Table.put(tables.endpoints, endpoint)
})

const webhookOf = ({ webhook }: Endpoint) => webhook
