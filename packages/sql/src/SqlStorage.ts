import type { Storage } from "@trailbook/core/storage/Storage"
import * as Layer from "effect/Layer"
import type { Database } from "./Database.ts"
import * as SqlApiKeyStore from "./store/SqlApiKeyStore.ts"
import * as SqlAuditStore from "./store/SqlAuditStore.ts"
import * as SqlAutomationStore from "./store/SqlAutomationStore.ts"
import * as SqlBookingStore from "./store/SqlBookingStore.ts"
import * as SqlBroadcastStore from "./store/SqlBroadcastStore.ts"
import * as SqlConversationStore from "./store/SqlConversationStore.ts"
import * as SqlCustomerStore from "./store/SqlCustomerStore.ts"
import * as SqlDeliveryQueue from "./store/SqlDeliveryQueue.ts"
import * as SqlDraftStore from "./store/SqlDraftStore.ts"
import * as SqlDueWork from "./store/SqlDueWork.ts"
import * as SqlEventLog from "./store/SqlEventLog.ts"
import * as SqlFileStore from "./store/SqlFileStore.ts"
import * as SqlGrantStore from "./store/SqlGrantStore.ts"
import * as SqlMessageStore from "./store/SqlMessageStore.ts"
import * as SqlOAuthClientStore from "./store/SqlOAuthClientStore.ts"
import * as SqlOfferingStore from "./store/SqlOfferingStore.ts"
import * as SqlOrgStore from "./store/SqlOrgStore.ts"
import * as SqlPasskeyStore from "./store/SqlPasskeyStore.ts"
import * as SqlPaymentConnectionStore from "./store/SqlPaymentConnectionStore.ts"
import * as SqlPaymentStore from "./store/SqlPaymentStore.ts"
import * as SqlProposalStore from "./store/SqlProposalStore.ts"
import * as SqlRequestKeys from "./store/SqlRequestKeys.ts"
import * as SqlResumableJobStore from "./store/SqlResumableJobStore.ts"
import * as SqlSavedReplyStore from "./store/SqlSavedReplyStore.ts"
import * as SqlSessionStore from "./store/SqlSessionStore.ts"
import * as SqlStaffSessionStore from "./store/SqlStaffSessionStore.ts"
import * as SqlStaffStore from "./store/SqlStaffStore.ts"
import * as SqlSubscriptionStore from "./store/SqlSubscriptionStore.ts"
import * as SqlTaskStore from "./store/SqlTaskStore.ts"
import * as SqlUnitOfWork from "./store/SqlUnitOfWork.ts"
import * as SqlWebhookStore from "./store/SqlWebhookStore.ts"

/** Implements every storage port over one database. */
export const layer: Layer.Layer<Storage, never, Database> = Layer.mergeAll(
  SqlUnitOfWork.layer,
  SqlOrgStore.layer,
  SqlApiKeyStore.layer,
  SqlStaffStore.layer,
  SqlStaffSessionStore.layer,
  SqlPasskeyStore.layer,
  SqlAuditStore.layer,
  SqlOAuthClientStore.layer,
  SqlGrantStore.layer,
  SqlOfferingStore.layer,
  SqlSessionStore.layer,
  SqlCustomerStore.layer,
  SqlBookingStore.layer,
  SqlPaymentStore.layer,
  SqlPaymentConnectionStore.layer,
  SqlBroadcastStore.layer,
  SqlConversationStore.layer,
  SqlMessageStore.layer,
  SqlSavedReplyStore.layer,
  SqlDraftStore.layer,
  SqlEventLog.layer,
  SqlTaskStore.layer,
  SqlFileStore.layer,
  SqlRequestKeys.layer,
  SqlResumableJobStore.layer,
  SqlAutomationStore.layer,
  SqlProposalStore.layer,
  SqlWebhookStore.layer,
  SqlDeliveryQueue.layer,
  SqlSubscriptionStore.layer,
  SqlDueWork.layer
)
