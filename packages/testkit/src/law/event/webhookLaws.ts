import { deliveryFaults, type Webhook } from "@trailbook/core/webhook"
import * as Effect from "effect/Effect"
import * as FastCheck from "effect/FastCheck"
import { moment, momentOrNull } from "../../generator/moment.ts"
import { text } from "../../generator/text.ts"
import { isSameRow, makeChange, makeRemoval, readByKey, readList, readPagesOfAllOrgs, toOrgKey } from "../row/Entity.ts"
import { makeRowLaws } from "../row/makeRowLaws.ts"
import { sortOldestFirst } from "../rowAssertions.ts"
import * as Store from "../Store.ts"

const webhook: FastCheck.Arbitrary<Webhook> = FastCheck.record({
  id: FastCheck.constant(""),
  orgId: FastCheck.constant(""),
  url: text(200),
  events: FastCheck.oneof(
    FastCheck.constant(["*"]),
    FastCheck.array(FastCheck.oneof(FastCheck.constantFrom("booking.held", "*", "no.such.type"), text(60)), {
      minLength: 1,
      maxLength: 30
    })
  ),
  active: FastCheck.boolean(),
  sealedSecret: text(300),
  createdAt: moment,
  lastStatus: FastCheck.option(FastCheck.constantFrom(0, 200, 204, 302, 500)),
  lastError: FastCheck.option(FastCheck.constantFrom(...deliveryFaults)),
  lastAttemptAt: momentOrNull
})

export const webhookLaws = makeRowLaws<Webhook>({
  key: "webhooks",
  name: "a webhook",
  row: webhook,
  idScope: "service",
  put: Effect.forEach(Store.webhooks.add),
  fixedFields: null,
  reads: {
    find: readByKey(Store.webhooks.find, toOrgKey),
    list: readList(Store.webhooks.list, sortOldestFirst),
    page: readPagesOfAllOrgs(Store.webhooks.page)
  },
  changes: {
    remove: makeRemoval(
      "removes one webhook and reports whether it existed",
      Store.webhooks.remove,
      isSameRow,
      (rows, target) => rows.some((row) => isSameRow(row, target))
    ),
    reseal: makeChange({
      title:
        "replaces a webhook's secret only if the secret has not changed since it was read, and changes no other field",
      input: FastCheck.tuple(text(300), FastCheck.constantFrom({}, { sealedSecret: "stale" })),
      apply: (target, [secret, stale]) => Store.webhooks.reseal({ ...target, ...stale }, `new ${secret}`),
      update: (row, target, [secret, stale]) =>
        isSameRow(row, target) && row.sealedSecret === { ...target, ...stale }.sealedSecret
          ? { sealedSecret: `new ${secret}` }
          : {}
    })
  },
  uniqueKeys: [{ name: "ID", rejectedIn: "service", isFixed: true, toFields: ({ id }) => ({ id }) }]
})
