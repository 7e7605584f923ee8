/** A storage's ports as functions. Each call requires the storage, which the runner provides. */
import { ApiKeyStore } from "@trailbook/core/actor"
import { AssistantCallStore } from "@trailbook/core/assistant"
import { AutomationStore } from "@trailbook/core/automation"
import { BookingStore } from "@trailbook/core/booking"
import {
  BroadcastStore,
  ConversationStore,
  DraftStore,
  MessageStore,
  SavedReplyStore
} from "@trailbook/core/conversation"
import { CustomerStore } from "@trailbook/core/customer"
import { SubscriptionStore } from "@trailbook/core/event"
import { FileStore } from "@trailbook/core/file"
import { ResumableJobStore } from "@trailbook/core/job"
import { GrantStore, OAuthClientStore } from "@trailbook/core/oauth"
import { ClosureStore, DiscountStore, OfferingStore } from "@trailbook/core/offering"
import { OrgStore } from "@trailbook/core/org"
import { LedgerStore, PaymentConnectionStore, PaymentStore } from "@trailbook/core/payment"
import { EventLog, RequestKeys, UnitOfWork } from "@trailbook/core/port"
import { ProposalStore } from "@trailbook/core/proposal"
import { ReportStore } from "@trailbook/core/report"
import { SessionStore } from "@trailbook/core/session"
import { AuditStore, PasskeyStore, StaffSessionStore, StaffStore } from "@trailbook/core/staff"
import { PendingWork } from "@trailbook/core/storage"
import { TaskStore } from "@trailbook/core/task"
import { DeliveryQueue, WebhookStore } from "@trailbook/core/webhook"
import * as Effect from "effect/Effect"

export const orgs = Effect.serviceFunctions(OrgStore)
export const apiKeys = Effect.serviceFunctions(ApiKeyStore)
export const staff = Effect.serviceFunctions(StaffStore)
export const staffSessions = Effect.serviceFunctions(StaffSessionStore)
export const passkeys = Effect.serviceFunctions(PasskeyStore)
export const audit = Effect.serviceFunctions(AuditStore)
export const assistantCalls = Effect.serviceFunctions(AssistantCallStore)
export const oauthClients = Effect.serviceFunctions(OAuthClientStore)
export const grants = Effect.serviceFunctions(GrantStore)
export const offerings = Effect.serviceFunctions(OfferingStore)
export const closures = Effect.serviceFunctions(ClosureStore)
export const discounts = Effect.serviceFunctions(DiscountStore)
export const sessions = Effect.serviceFunctions(SessionStore)
export const customers = Effect.serviceFunctions(CustomerStore)
export const bookings = Effect.serviceFunctions(BookingStore)
export const payments = Effect.serviceFunctions(PaymentStore)
export const ledger = Effect.serviceFunctions(LedgerStore)
export const reports = Effect.serviceFunctions(ReportStore)
export const paymentConnections = Effect.serviceFunctions(PaymentConnectionStore)
export const broadcasts = Effect.serviceFunctions(BroadcastStore)
export const conversations = Effect.serviceFunctions(ConversationStore)
export const messages = Effect.serviceFunctions(MessageStore)
export const savedReplies = Effect.serviceFunctions(SavedReplyStore)
export const drafts = Effect.serviceFunctions(DraftStore)
export const eventLog = Effect.serviceFunctions(EventLog)
export const tasks = Effect.serviceFunctions(TaskStore)
export const files = Effect.serviceFunctions(FileStore)
export const requestKeys = Effect.serviceFunctions(RequestKeys)
export const resumableJobs = Effect.serviceFunctions(ResumableJobStore)
export const automations = Effect.serviceFunctions(AutomationStore)
export const proposals = Effect.serviceFunctions(ProposalStore)
export const webhooks = Effect.serviceFunctions(WebhookStore)
export const deliveries = Effect.serviceFunctions(DeliveryQueue)
export const subscriptions = Effect.serviceFunctions(SubscriptionStore)
export const pendingWork = Effect.serviceFunctions(PendingWork)

export const run = <A, E, R>(work: Effect.Effect<A, E, R>) => Effect.flatMap(UnitOfWork, (units) => units.run(work))

/** Runs reads in one snapshot. */
export const snapshot = <A, E, R>(reads: Effect.Effect<A, E, R>) =>
  Effect.flatMap(UnitOfWork, (units) => units.snapshot(reads))
