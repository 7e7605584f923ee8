/** The type of a complete storage adapter, and the port that reports pending work. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { ApiKeyStore } from "../actor/ApiKey.ts"
import type { AssistantCallStore } from "../assistant/AssistantCalls.ts"
import type { AutomationStore } from "../automation/Automation.ts"
import type { BookingStore } from "../booking/BookingStore.ts"
import type { BroadcastStore } from "../conversation/broadcast/Broadcast.ts"
import type { ConversationStore } from "../conversation/ConversationStore.ts"
import type { DraftStore } from "../conversation/draft/Drafter.ts"
import type { MessageStore } from "../conversation/message/MessageStore.ts"
import type { SavedReplyStore } from "../conversation/saved-reply/SavedReply.ts"
import type { CustomerStore } from "../customer/Customer.ts"
import type { SubscriptionKey, SubscriptionStore } from "../event/Subscriptions.ts"
import type { FileStore } from "../file/StoredFile.ts"
import type { ResumableJobStore } from "../job/defineJob.ts"
import type { GrantStore } from "../oauth/Grant.ts"
import type { OAuthClientStore } from "../oauth/OAuthClient.ts"
import type { ClosureStore } from "../offering/closure/Closure.ts"
import type { DiscountStore } from "../offering/discount/DiscountCode.ts"
import type { OfferingStore } from "../offering/OfferingStore.ts"
import type { OrgStore } from "../org/Orgs.ts"
import type { LedgerStore } from "../payment/ledger/LedgerEntry.ts"
import type { PaymentStore } from "../payment/Payment.ts"
import type { PaymentConnectionStore } from "../payment/PaymentConnection.ts"
import type { EventLog } from "../port/EventLog.ts"
import type { RequestKeys } from "../port/idempotency.ts"
import type { UnitOfWork } from "../port/UnitOfWork.ts"
import type { ProposalStore } from "../proposal/Proposal.ts"
import type { ReportStore } from "../report/ReportStore.ts"
import type { SessionStore } from "../session/Session.ts"
import type { AuditStore } from "../staff/AuditLog.ts"
import type { PasskeyStore } from "../staff/passkey/Passkey.ts"
import type { StaffSessionStore } from "../staff/sign-in/StaffSession.ts"
import type { StaffStore } from "../staff/StaffMember.ts"
import type { TaskQueue } from "../task/Task.ts"
import type { TaskStore } from "../task/Tasks.ts"
import type { Instant } from "../time/Instant.ts"
import type { DeliveryQueue } from "../webhook/Deliveries.ts"
import type { WebhookStore } from "../webhook/Webhook.ts"

/** The ports that every storage adapter implements. */
export type Storage =
  | UnitOfWork
  | OrgStore
  | ApiKeyStore
  | StaffStore
  | StaffSessionStore
  | PasskeyStore
  | AuditStore
  | AssistantCallStore
  | OAuthClientStore
  | GrantStore
  | OfferingStore
  | ClosureStore
  | DiscountStore
  | SessionStore
  | CustomerStore
  | BookingStore
  | PaymentStore
  | PaymentConnectionStore
  | LedgerStore
  | ReportStore
  | BroadcastStore
  | ConversationStore
  | MessageStore
  | SavedReplyStore
  | DraftStore
  | EventLog
  | TaskStore
  | FileStore
  | RequestKeys
  | ResumableJobStore
  | AutomationStore
  | ProposalStore
  | WebhookStore
  | DeliveryQueue
  | SubscriptionStore
  | PendingWork

/** The pending work across all orgs. */
export interface PendingWorkSummary {
  /** Whether a webhook has events to deliver. */
  readonly deliveries: boolean
  /** The queues with due tasks. */
  readonly taskQueues: ReadonlyArray<TaskQueue>
  /** Whether a proposal from the ops agent can run. */
  readonly proposals: boolean
  /** Whether a subscriber has events to process or has not been stored yet. */
  readonly subscriptions: boolean
  /** Whether an automation is due. */
  readonly automations: boolean
}

/**
 * Checks several stores for claimable work in one query, so that an idle worker does not poll each store. Claimed work
 * is excluded until its lease expires.
 */
export class PendingWork extends Context.Tag("@trailbook/core/PendingWork")<
  PendingWork,
  {
    /**
     * Returns the work that a claim at `now` would find if it skipped no orgs. The result never misses work, but it can
     * include work that no longer exists. That is harmless, because the claim then finds nothing.
     */
    readonly getSummary: (options: {
      readonly now: Instant
      /** The subscribers in this process. */
      readonly subscribers: ReadonlyArray<SubscriptionKey>
    }) => Effect.Effect<PendingWorkSummary>
  }
>() {}
