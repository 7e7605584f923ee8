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
import { PendingWork, type Storage } from "@trailbook/core/storage"
import { TaskStore } from "@trailbook/core/task"
import { DeliveryQueue, WebhookStore } from "@trailbook/core/webhook"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { CannotOpen } from "./CannotOpen.ts"
import { open } from "./Journal.ts"
import { apiKeyStore } from "./store/apiKeyStore.ts"
import { applicationStore } from "./store/applicationStore.ts"
import { assistantCallStore } from "./store/assistantCallStore.ts"
import { auditStore } from "./store/auditStore.ts"
import { automationStore } from "./store/automationStore.ts"
import { bookingStore } from "./store/bookingStore.ts"
import { broadcastStore } from "./store/broadcastStore.ts"
import { closureStore } from "./store/closureStore.ts"
import { conversationStore } from "./store/conversationStore.ts"
import { customerStore } from "./store/customerStore.ts"
import { deliveryQueue } from "./store/deliveryQueue.ts"
import { discountStore } from "./store/discountStore.ts"
import { draftStore } from "./store/draftStore.ts"
import { dueWork } from "./store/dueWork.ts"
import { eventLog } from "./store/eventLog.ts"
import { fileStore } from "./store/fileStore.ts"
import { grantStore } from "./store/grantStore.ts"
import { ledgerStore } from "./store/ledgerStore.ts"
import { loginStore } from "./store/loginStore.ts"
import { messageStore } from "./store/messageStore.ts"
import { offeringStore } from "./store/offeringStore.ts"
import { orgStore } from "./store/orgStore.ts"
import { passkeyStore } from "./store/passkeyStore.ts"
import { paymentConnectionStore } from "./store/paymentConnectionStore.ts"
import { paymentStore } from "./store/paymentStore.ts"
import { proposalStore } from "./store/proposalStore.ts"
import { reportStore } from "./store/reportStore.ts"
import { requestKeys } from "./store/requestKeys.ts"
import { savedReplyStore } from "./store/savedReplyStore.ts"
import { sessionStore } from "./store/sessionStore.ts"
import { staffStore } from "./store/staffStore.ts"
import { subscriptionStore } from "./store/subscriptionStore.ts"
import { tasks } from "./store/tasks.ts"
import { unfinishedStore } from "./store/unfinishedStore.ts"
import { webhookStore } from "./store/webhookStore.ts"

/** Provides every storage port on one journal, which is created if it does not exist. */
export const layer = (file: string): Layer.Layer<Storage, CannotOpen> =>
  Layer.scopedContext(Effect.map(open(file), (journal) =>
    Context.make(UnitOfWork, journal.unitOfWork).pipe(
      Context.add(OrgStore, orgStore(journal)),
      Context.add(ApiKeyStore, apiKeyStore(journal)),
      Context.add(StaffStore, staffStore(journal)),
      Context.add(OfferingStore, offeringStore(journal)),
      Context.add(ClosureStore, closureStore(journal)),
      Context.add(DiscountStore, discountStore(journal)),
      Context.add(SessionStore, sessionStore(journal)),
      Context.add(CustomerStore, customerStore(journal)),
      Context.add(BookingStore, bookingStore(journal)),
      Context.add(PaymentStore, paymentStore(journal)),
      Context.add(PaymentConnectionStore, paymentConnectionStore(journal)),
      Context.add(BroadcastStore, broadcastStore(journal)),
      Context.add(ConversationStore, conversationStore(journal)),
      Context.add(MessageStore, messageStore(journal)),
      Context.add(SavedReplyStore, savedReplyStore(journal)),
      Context.add(DraftStore, draftStore(journal)),
      Context.add(FileStore, fileStore(journal)),
      Context.add(EventLog, eventLog(journal))
    ).pipe(
      Context.add(LedgerStore, ledgerStore(journal)),
      Context.add(ReportStore, reportStore(journal)),
      Context.add(StaffSessionStore, loginStore(journal)),
      Context.add(PasskeyStore, passkeyStore(journal)),
      Context.add(AssistantCallStore, assistantCallStore(journal)),
      Context.add(AuditStore, auditStore(journal)),
      Context.add(OAuthClientStore, applicationStore(journal)),
      Context.add(GrantStore, grantStore(journal)),
      Context.add(TaskStore, tasks(journal)),
      Context.add(AutomationStore, automationStore(journal)),
      Context.add(ProposalStore, proposalStore(journal)),
      Context.add(WebhookStore, webhookStore(journal)),
      Context.add(DeliveryQueue, deliveryQueue(journal)),
      Context.add(SubscriptionStore, subscriptionStore(journal)),
      Context.add(PendingWork, dueWork(journal)),
      Context.add(RequestKeys, requestKeys(journal)),
      Context.add(ResumableJobStore, unfinishedStore(journal))
    )))
