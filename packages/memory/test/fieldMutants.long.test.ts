/**
 * Mutants of the memory adapter. Each stores the first row's value of one field in every row. The law of the entity's
 * rows must detect the mutant of every field.
 */
import { ApiKeyStore } from "@trailbook/core/actor"
import { AssistantCallStore } from "@trailbook/core/assistant"
import { AutomationStore } from "@trailbook/core/automation"
import { SavedReplyStore } from "@trailbook/core/conversation"
import { CustomerStore } from "@trailbook/core/customer"
import { GrantStore, OAuthClientStore } from "@trailbook/core/oauth"
import { DiscountStore, OfferingStore } from "@trailbook/core/offering"
import { OrgStore } from "@trailbook/core/org"
import { PaymentConnectionStore, PaymentStore } from "@trailbook/core/payment"
import { ProposalStore } from "@trailbook/core/proposal"
import { SessionStore } from "@trailbook/core/session"
import { AuditStore, PasskeyStore, StaffSessionStore, StaffStore } from "@trailbook/core/staff"
import type { Storage } from "@trailbook/core/storage"
import { WebhookStore } from "@trailbook/core/webhook"
import * as Memory from "@trailbook/memory"
import { laws } from "@trailbook/testkit"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import { assert, describe, it } from "vitest"
import { breakPort } from "./brokenStorage.ts"

type Change = <Row extends object>(row: Row) => Row

/** The memory adapter that applies a change to each row of the entity before it stores the row. */
type MakeStorage = (change: Change) => Layer.Layer<Storage>

const entities: ReadonlyArray<readonly [key: string, makeStorage: MakeStorage]> = [
  ["orgs", (change) => breakPort(OrgStore, ({ put }) => ({ put: (row) => put(change(row)) }))],
  ["api-keys", (change) => breakPort(ApiKeyStore, ({ put }) => ({ put: (row) => put(change(row)) }))],
  ["staff", (change) => breakPort(StaffStore, ({ put }) => ({ put: (row) => put(change(row)) }))],
  [
    "sign-in-links",
    (change) => breakPort(StaffSessionStore, ({ putLink }) => ({ putLink: (row) => putLink(change(row)) }))
  ],
  ["logins", (change) => breakPort(StaffSessionStore, ({ put }) => ({ put: (row) => put(change(row)) }))],
  ["passkeys", (change) => breakPort(PasskeyStore, ({ put }) => ({ put: (row) => put(change(row)) }))],
  ["audit", (change) => breakPort(AuditStore, ({ add }) => ({ add: (row) => add(change(row)) }))],
  ["calls", (change) => breakPort(AssistantCallStore, ({ add }) => ({ add: (rows) => add(rows.map(change)) }))],
  ["applications", (change) => breakPort(OAuthClientStore, ({ put }) => ({ put: (row) => put(change(row)) }))],
  ["grants", (change) => breakPort(GrantStore, ({ put }) => ({ put: (row) => put(change(row)) }))],
  ["codes", (change) => breakPort(GrantStore, ({ putCode }) => ({ putCode: (row) => putCode(change(row)) }))],
  ["tokens", (change) => breakPort(GrantStore, ({ putToken }) => ({ putToken: (row) => putToken(change(row)) }))],
  ["offerings", (change) => breakPort(OfferingStore, ({ put }) => ({ put: (rows) => put(rows.map(change)) }))],
  ["sessions", (change) => breakPort(SessionStore, ({ put }) => ({ put: (rows) => put(rows.map(change)) }))],
  ["discounts", (change) => breakPort(DiscountStore, ({ put }) => ({ put: (row) => put(change(row)) }))],
  ["customers", (change) => breakPort(CustomerStore, ({ put }) => ({ put: (rows) => put(rows.map(change)) }))],
  ["payments", (change) => breakPort(PaymentStore, ({ put }) => ({ put: (rows) => put(rows.map(change)) }))],
  [
    "payment-connections",
    (change) => breakPort(PaymentConnectionStore, ({ put }) => ({ put: (row) => put(change(row)) }))
  ],
  ["saved-replies", (change) => breakPort(SavedReplyStore, ({ put }) => ({ put: (row) => put(change(row)) }))],
  ["automations", (change) => breakPort(AutomationStore, ({ put }) => ({ put: (row) => put(change(row)) }))],
  ["proposals", (change) => breakPort(ProposalStore, ({ add }) => ({ add: (row) => add(change(row)) }))],
  ["webhooks", (change) => breakPort(WebhookStore, ({ add }) => ({ add: (row) => add(change(row)) }))]
]

const passes = async (key: string, storage: Layer.Layer<Storage>) => {
  const law = laws.find((law) => law.key === `${key}/rows`)
  assert.isDefined(law)
  const check = law.check({ runs: 20, seed: 7, shrink: false, reference: Memory.layer })
  return Exit.isSuccess(await Effect.runPromiseExit(Effect.provide(check, Layer.fresh(storage))))
}

/** A change that gives a field the value that it had in the first row. */
const keepFirst = (field: string): Change => {
  let first: { readonly value: unknown } | undefined
  return (row) => {
    const value: unknown = Object.entries(row).find(([name]) => name === field)?.[1]
    if (value === undefined) return row
    first ??= { value }
    return { ...row, [field]: first.value }
  }
}

describe("a storage that keeps the first value of one field breaks the law of its rows", () => {
  it.each(entities)("%s", async (key, makeStorage) => {
    const fields = new Set<string>()
    const recordFields: Change = (row) => {
      for (const field of Object.keys(row)) fields.add(field)
      return row
    }
    assert.isTrue(await passes(key, makeStorage(recordFields)))
    assert.isAbove(fields.size, 3)
    const undetectedFields: Array<string> = []
    for (const field of fields) {
      if (await passes(key, makeStorage(keepFirst(field)))) undetectedFields.push(field)
    }
    assert.deepStrictEqual(undetectedFields, [])
  })
})
