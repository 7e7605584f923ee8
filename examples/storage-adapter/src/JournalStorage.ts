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
import type { Storage } from "@trailbook/core/storage/Storage"
import { TaskStore } from "@trailbook/core/task/TaskStore"
import { DeliveryQueue } from "@trailbook/core/webhook/DeliveryQueue"
import { WebhookStore } from "@trailbook/core/webhook/WebhookStore"
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

/** Every storage port on one journal, which is created if it does not exist. */
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
