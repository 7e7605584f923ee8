/** A storage's ports as functions. Each call requires the storage, which the runner provides. */
import { ApiKeyStore } from "@trailbook/core/actor/ApiKeyStore"
import { AssistantCallStore } from "@trailbook/core/assistant/AssistantCallStore"
import { AutomationStore } from "@trailbook/core/automation/AutomationStore"
import { BookingStore } from "@trailbook/core/booking/BookingStore"
import { BroadcastStore } from "@trailbook/core/conversation/broadcast/BroadcastStore"
import { ConversationStore } from "@trailbook/core/conversation/ConversationStore"
import { DraftStore } from "@trailbook/core/conversation/draft/DraftStore"
import { MessageStore } from "@trailbook/core/conversation/message/MessageStore"
import { SavedReplyStore } from "@trailbook/core/conversation/saved-reply/SavedReplyStore"
import { CustomerStore } from "@trailbook/core/customer/CustomerStore"
import { SubscriptionStore } from "@trailbook/core/event/SubscriptionStore"
import { FileStore } from "@trailbook/core/file/FileStore"
import { ResumableJobStore } from "@trailbook/core/job/ResumableJobStore"
import { GrantStore } from "@trailbook/core/oauth/GrantStore"
import { OAuthClientStore } from "@trailbook/core/oauth/OAuthClientStore"
import { ClosureStore } from "@trailbook/core/offering/closure/ClosureStore"
import { DiscountStore } from "@trailbook/core/offering/discount/DiscountStore"
import { OfferingStore } from "@trailbook/core/offering/OfferingStore"
import { OrgStore } from "@trailbook/core/org/OrgStore"
import { LedgerStore } from "@trailbook/core/payment/ledger/LedgerStore"
import { PaymentConnectionStore } from "@trailbook/core/payment/PaymentConnectionStore"
import { PaymentStore } from "@trailbook/core/payment/PaymentStore"
import { EventLog } from "@trailbook/core/port/EventLog"
import { RequestKeys } from "@trailbook/core/port/RequestKeys"
import { UnitOfWork } from "@trailbook/core/port/UnitOfWork"
import { ProposalStore } from "@trailbook/core/proposal/ProposalStore"
import { ReportStore } from "@trailbook/core/report/ReportStore"
import { SessionStore } from "@trailbook/core/session/SessionStore"
import { AuditStore } from "@trailbook/core/staff/AuditStore"
import { PasskeyStore } from "@trailbook/core/staff/passkey/PasskeyStore"
import { StaffSessionStore } from "@trailbook/core/staff/sign-in/StaffSessionStore"
import { StaffStore } from "@trailbook/core/staff/StaffStore"
import { PendingWork } from "@trailbook/core/storage/PendingWork"
import { TaskStore } from "@trailbook/core/task/TaskStore"
import { DeliveryQueue } from "@trailbook/core/webhook/DeliveryQueue"
import { WebhookStore } from "@trailbook/core/webhook/WebhookStore"
import * as Effect from "effect/Effect"

export const orgs = Effect.serviceFunctions(OrgStore)
export const apiKeys = Effect.serviceFunctions(ApiKeyStore)
export const staff = Effect.serviceFunctions(StaffStore)
export const logins = Effect.serviceFunctions(StaffSessionStore)
export const passkeys = Effect.serviceFunctions(PasskeyStore)
export const audit = Effect.serviceFunctions(AuditStore)
export const assistantCalls = Effect.serviceFunctions(AssistantCallStore)
export const applications = Effect.serviceFunctions(OAuthClientStore)
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
export const connections = Effect.serviceFunctions(PaymentConnectionStore)
export const broadcasts = Effect.serviceFunctions(BroadcastStore)
export const conversations = Effect.serviceFunctions(ConversationStore)
export const messages = Effect.serviceFunctions(MessageStore)
export const savedReplies = Effect.serviceFunctions(SavedReplyStore)
export const drafts = Effect.serviceFunctions(DraftStore)
export const log = Effect.serviceFunctions(EventLog)
export const tasks = Effect.serviceFunctions(TaskStore)
export const files = Effect.serviceFunctions(FileStore)
export const requests = Effect.serviceFunctions(RequestKeys)
export const resumableJobs = Effect.serviceFunctions(ResumableJobStore)
export const automations = Effect.serviceFunctions(AutomationStore)
export const proposals = Effect.serviceFunctions(ProposalStore)
export const webhooks = Effect.serviceFunctions(WebhookStore)
export const deliveries = Effect.serviceFunctions(DeliveryQueue)
export const subscriptions = Effect.serviceFunctions(SubscriptionStore)
export const due = Effect.serviceFunctions(PendingWork)

export const run = <A, E, R>(work: Effect.Effect<A, E, R>) => Effect.flatMap(UnitOfWork, (units) => units.run(work))

/** Runs reads in one snapshot. */
export const snapshot = <A, E, R>(reads: Effect.Effect<A, E, R>) =>
  Effect.flatMap(UnitOfWork, (units) => units.snapshot(reads))
