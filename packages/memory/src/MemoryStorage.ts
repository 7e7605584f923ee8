import { UnitOfWork } from "@trailbook/core/port/UnitOfWork"
import type { Storage } from "@trailbook/core/storage/Storage"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as MemoryApiKeyStore from "./MemoryApiKeyStore.ts"
import * as MemoryAuditStore from "./MemoryAuditStore.ts"
import * as MemoryAutomationStore from "./MemoryAutomationStore.ts"
import * as MemoryBookingStore from "./MemoryBookingStore.ts"
import * as MemoryBroadcastStore from "./MemoryBroadcastStore.ts"
import * as MemoryConversationStore from "./MemoryConversationStore.ts"
import * as MemoryCustomerStore from "./MemoryCustomerStore.ts"
import { MemoryDatabase } from "./MemoryDatabase.ts"
import * as MemoryDeliveryQueue from "./MemoryDeliveryQueue.ts"
import * as MemoryDraftStore from "./MemoryDraftStore.ts"
import * as MemoryDueWork from "./MemoryDueWork.ts"
import * as MemoryEventLog from "./MemoryEventLog.ts"
import * as MemoryFileStore from "./MemoryFileStore.ts"
import * as MemoryGrantStore from "./MemoryGrantStore.ts"
import * as MemoryMessageStore from "./MemoryMessageStore.ts"
import * as MemoryOAuthClientStore from "./MemoryOAuthClientStore.ts"
import * as MemoryOfferingStore from "./MemoryOfferingStore.ts"
import * as MemoryOrgStore from "./MemoryOrgStore.ts"
import * as MemoryPasskeyStore from "./MemoryPasskeyStore.ts"
import * as MemoryPaymentConnectionStore from "./MemoryPaymentConnectionStore.ts"
import * as MemoryPaymentStore from "./MemoryPaymentStore.ts"
import * as MemoryProposalStore from "./MemoryProposalStore.ts"
import * as MemoryRequestKeys from "./MemoryRequestKeys.ts"
import * as MemoryResumableJobStore from "./MemoryResumableJobStore.ts"
import * as MemorySavedReplyStore from "./MemorySavedReplyStore.ts"
import * as MemorySessionStore from "./MemorySessionStore.ts"
import * as MemoryStaffSessionStore from "./MemoryStaffSessionStore.ts"
import * as MemoryStaffStore from "./MemoryStaffStore.ts"
import * as MemorySubscriptionStore from "./MemorySubscriptionStore.ts"
import * as MemoryTaskStore from "./MemoryTaskStore.ts"
import * as MemoryWebhookStore from "./MemoryWebhookStore.ts"

/** All storage ports over a given database. */
export const ports: Layer.Layer<Storage, never, MemoryDatabase> = Layer.mergeAll(
  Layer.effect(UnitOfWork, Effect.map(MemoryDatabase, ({ unitOfWork }) => unitOfWork)),
  MemoryOrgStore.layer,
  MemoryApiKeyStore.layer,
  MemoryStaffStore.layer,
  MemoryStaffSessionStore.layer,
  MemoryPasskeyStore.layer,
  MemoryAuditStore.layer,
  MemoryOAuthClientStore.layer,
  MemoryGrantStore.layer,
  MemoryOfferingStore.layer,
  MemorySessionStore.layer,
  MemoryCustomerStore.layer,
  MemoryBookingStore.layer,
  MemoryPaymentStore.layer,
  MemoryPaymentConnectionStore.layer,
  MemoryBroadcastStore.layer,
  MemoryConversationStore.layer,
  MemoryMessageStore.layer,
  MemorySavedReplyStore.layer,
  MemoryDraftStore.layer,
  MemoryEventLog.layer,
  MemoryTaskStore.layer,
  MemoryFileStore.layer,
  MemoryRequestKeys.layer,
  MemoryResumableJobStore.layer,
  MemoryAutomationStore.layer,
  MemoryProposalStore.layer,
  MemoryWebhookStore.layer,
  MemoryDeliveryQueue.layer,
  MemorySubscriptionStore.layer,
  MemoryDueWork.layer
)

/**
 * Implements every storage port over one immutable value, which is lost when the process ends. It is the reference for
 * other adapters and sufficient for a demo.
 *
 * @example
 * import { OrgStore } from "@trailbook/core/org/OrgStore"
 * import * as Memory from "@trailbook/memory"
 * import * as Effect from "effect/Effect"
 *
 * const orgs = Effect.flatMap(OrgStore, ({ all }) => all)
 *
 * Effect.runSync(Effect.provide(orgs, Memory.layer)) // []
 */
export const layer: Layer.Layer<Storage> = Layer.provide(ports, MemoryDatabase.layer)

/**
 * The same without transactions: work runs concurrently and nothing is rolled back. Only for controls: a race test that
 * passes here tests nothing.
 */
export const layerUnguarded: Layer.Layer<Storage> = Layer.provide(ports, MemoryDatabase.layerUnguarded)
