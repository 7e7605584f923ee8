import type { ApiKeyStore } from "../actor/ApiKeyStore.ts"
import type { AssistantCallStore } from "../assistant/AssistantCallStore.ts"
import type { AutomationStore } from "../automation/AutomationStore.ts"
import type { BookingStore } from "../booking/BookingStore.ts"
import type { BroadcastStore } from "../conversation/broadcast/BroadcastStore.ts"
import type { ConversationStore } from "../conversation/ConversationStore.ts"
import type { DraftStore } from "../conversation/draft/DraftStore.ts"
import type { MessageStore } from "../conversation/message/MessageStore.ts"
import type { SavedReplyStore } from "../conversation/saved-reply/SavedReplyStore.ts"
import type { CustomerStore } from "../customer/CustomerStore.ts"
import type { SubscriptionStore } from "../event/SubscriptionStore.ts"
import type { FileStore } from "../file/FileStore.ts"
import type { ResumableJobStore } from "../job/ResumableJobStore.ts"
import type { GrantStore } from "../oauth/GrantStore.ts"
import type { OAuthClientStore } from "../oauth/OAuthClientStore.ts"
import type { ClosureStore } from "../offering/closure/ClosureStore.ts"
import type { DiscountStore } from "../offering/discount/DiscountStore.ts"
import type { OfferingStore } from "../offering/OfferingStore.ts"
import type { OrgStore } from "../org/OrgStore.ts"
import type { LedgerStore } from "../payment/ledger/LedgerStore.ts"
import type { PaymentConnectionStore } from "../payment/PaymentConnectionStore.ts"
import type { PaymentStore } from "../payment/PaymentStore.ts"
import type { EventLog } from "../port/EventLog.ts"
import type { RequestKeys } from "../port/RequestKeys.ts"
import type { UnitOfWork } from "../port/UnitOfWork.ts"
import type { ProposalStore } from "../proposal/ProposalStore.ts"
import type { ReportStore } from "../report/ReportStore.ts"
import type { SessionStore } from "../session/SessionStore.ts"
import type { AuditStore } from "../staff/AuditStore.ts"
import type { PasskeyStore } from "../staff/passkey/PasskeyStore.ts"
import type { StaffSessionStore } from "../staff/sign-in/StaffSessionStore.ts"
import type { StaffStore } from "../staff/StaffStore.ts"
import type { TaskStore } from "../task/TaskStore.ts"
import type { DeliveryQueue } from "../webhook/DeliveryQueue.ts"
import type { WebhookStore } from "../webhook/WebhookStore.ts"
import type { PendingWork } from "./PendingWork.ts"

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
