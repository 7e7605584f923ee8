/**
 * The tables and their constraints: primary keys, indexed groups, unique groups, and references. Every key and group
 * starts with the org, so a query for one org cannot return another org's rows.
 */
import type { ApiKey } from "@trailbook/core/actor"
import type { AssistantCall } from "@trailbook/core/assistant"
import type { Automation } from "@trailbook/core/automation"
import type { Booking } from "@trailbook/core/booking"
import type { Broadcast, SavedReply } from "@trailbook/core/conversation"
import type { Conversation } from "@trailbook/core/conversation/Conversation"
import type { Message } from "@trailbook/core/conversation/message/Message"
import type { Customer } from "@trailbook/core/customer/Customer"
import type { SubscriptionKey } from "@trailbook/core/event"
import type { StoredFile } from "@trailbook/core/file"
import type { ResumableJob, ResumableJobKey } from "@trailbook/core/job"
import type { AuthorizationCode, Grant, GrantToken, OAuthClient } from "@trailbook/core/oauth"
import type { Closure, DiscountCode, OrgKey } from "@trailbook/core/offering"
import type { Offering } from "@trailbook/core/offering/Offering"
import type { Org } from "@trailbook/core/org/Org"
import type { LedgerEntry, Payment, PaymentConnection } from "@trailbook/core/payment"
import type { ExecutedRequest, RequestKey, StoredEvent } from "@trailbook/core/port"
import type { Proposal } from "@trailbook/core/proposal"
import type { Session } from "@trailbook/core/session"
import type {
  AuditEntry,
  Passkey,
  PasskeyChallenge,
  SignInLink,
  StaffMember,
  StaffSession
} from "@trailbook/core/staff"
import type { Task } from "@trailbook/core/task/Task"
import type { Instant } from "@trailbook/core/time/Instant"
import type { Webhook } from "@trailbook/core/webhook"
import type { Lease } from "./Lease.ts"

export interface Rows {
  readonly orgs: Org
  readonly apiKeys: ApiKey
  readonly staff: StaffMember
  readonly signInLinks: SignInLink
  readonly logins: StaffSession
  readonly passkeys: Passkey
  readonly challenges: PasskeyChallenge
  readonly audit: AuditEntry
  readonly assistantCalls: AssistantCall
  readonly applications: OAuthClient
  readonly grants: Grant
  readonly grantCodes: AuthorizationCode
  readonly grantTokens: GrantToken
  readonly offerings: Offering
  readonly sessions: Session
  readonly customers: Customer
  readonly bookings: Booking
  readonly broadcasts: Broadcast
  readonly conversations: Conversation
  readonly messages: Message
  readonly closures: Closure
  readonly discounts: DiscountCode
  readonly savedReplies: SavedReply
  readonly drafts: DraftAsked
  readonly payments: Payment
  readonly paymentConnections: PaymentConnection
  readonly ledger: LedgerEntry
  readonly files: StoredFile
  readonly events: StoredEvent
  readonly touches: Touches
  readonly tasks: QueuedTask
  readonly automations: QueuedAutomation
  readonly proposals: QueuedProposal
  readonly endpoints: Endpoint
  readonly subscriptions: Subscription
  readonly requests: ExecutedRequest
  readonly unfinished: ResumableJob
}

/** Counts an org's changes that are not events. */
export interface Touches {
  readonly orgId: string
  readonly times: number
}

export interface DraftAsked extends OrgKey {
  readonly at: Instant
}

export interface QueuedTask extends Task, Lease {}

export interface QueuedAutomation extends Automation, Lease {}

export interface QueuedProposal extends Proposal, Lease {}

/** A webhook with its position in the org's event log. */
export interface Endpoint extends OrgKey, Lease {
  readonly webhook: Webhook
  readonly cursor: number
  /**
   * The org's newest event when deliveries stopped after a failure, and the time of the next attempt. Both are null
   * while deliveries run.
   */
  readonly stoppedAt: number | null
  readonly retryAt: number | null
}

/** A named subscription with its position in the org's event log. */
export interface Subscription extends SubscriptionKey, Lease {
  readonly cursor: number
  /** Null unless the last attempt failed. */
  readonly retryAt: number | null
  readonly failures: number
}

export type Name = keyof Rows

export interface Shape<Row> {
  readonly key: (row: Row) => string
  readonly groups: (row: Row) => ReadonlyArray<string>
  /** Groups that can contain only one row. */
  readonly unique: (row: Row) => ReadonlyArray<string>
  readonly refersTo: (row: Row) => ReadonlyArray<readonly [Name, string]>
}

export const within = (orgId: string, id: string | number): string => `${orgId} ${id}`

export const requestKey = ({ key, operation, orgId }: RequestKey): string => within(orgId, `${operation} ${key}`)

export const unfinishedKey = ({ id, orgId, subject }: ResumableJobKey): string => within(orgId, `${subject} ${id}`)

/** Returns a proposal's key. An org has at most one proposal per key. */
export const proposalKey = ({ automation, day, orgId, subject }: Proposal): string =>
  `of ${orgId} ${automation} ${day} ${subject}`

const keyOf = ({ id, orgId }: OrgKey): string => within(orgId, id)

/** Returns a paid payment's provider and payment ID, if the payment has a connection. */
const intentOf = (payment: Payment): ReadonlyArray<string> =>
  payment.status === "paid" && payment.connection !== null ? [`${payment.provider} ${payment.intent}`] : []

export const shapes: { readonly [T in Name]: Shape<Rows[T]> } = {
  orgs: {
    key: ({ id }) => id,
    groups: () => ["all"],
    unique: ({ slug }) => [`slug ${slug}`],
    refersTo: () => []
  },
  apiKeys: {
    key: ({ id }) => id,
    groups: ({ orgId }) => [`org ${orgId}`],
    unique: () => [],
    refersTo: ({ orgId }) => [["orgs", orgId]]
  },
  staff: {
    key: keyOf,
    groups: ({ email, orgId }) => [`org ${orgId}`, `email ${email}`],
    unique: ({ email, orgId }) => [`email ${within(orgId, email)}`],
    refersTo: ({ orgId }) => [["orgs", orgId]]
  },
  signInLinks: {
    key: ({ digest }) => digest,
    groups: ({ orgId, staffId }) => [`person ${within(orgId, staffId)}`],
    unique: () => [],
    refersTo: ({ orgId }) => [["orgs", orgId]]
  },
  logins: {
    key: keyOf,
    groups: ({ digest, orgId, staffId }) => [
      `org ${orgId}`,
      `person ${within(orgId, staffId)}`,
      `digest ${digest}`
    ],
    unique: ({ digest }) => [`digest ${digest}`],
    refersTo: ({ orgId }) => [["orgs", orgId]]
  },
  passkeys: {
    key: keyOf,
    groups: ({ id, orgId }) => [`org ${orgId}`, `id ${id}`],
    unique: ({ id }) => [`id ${id}`],
    refersTo: ({ orgId }) => [["orgs", orgId]]
  },
  challenges: {
    key: ({ digest }) => digest,
    groups: () => ["all"],
    unique: () => [],
    refersTo: () => []
  },
  audit: {
    key: keyOf,
    groups: ({ orgId }) => [`org ${orgId}`],
    unique: () => [],
    refersTo: ({ orgId }) => [["orgs", orgId]]
  },
  assistantCalls: {
    key: keyOf,
    groups: ({ orgId }) => ["all", `org ${orgId}`],
    unique: () => [],
    refersTo: ({ orgId }) => [["orgs", orgId]]
  },
  applications: {
    key: ({ clientId }) => clientId,
    groups: () => ["all"],
    unique: () => [],
    refersTo: () => []
  },
  grants: {
    key: keyOf,
    groups: ({ clientId, orgId }) => [`org ${orgId}`, `client ${clientId}`],
    unique: () => [],
    refersTo: ({ orgId }) => [["orgs", orgId]]
  },
  grantCodes: {
    key: ({ digest }) => digest,
    groups: ({ grantId, orgId }) => [`grant ${within(orgId, grantId)}`],
    unique: () => [],
    refersTo: ({ grantId, orgId }) => [["grants", within(orgId, grantId)]]
  },
  grantTokens: {
    key: ({ digest }) => digest,
    groups: ({ grantId, orgId }) => [`grant ${within(orgId, grantId)}`],
    unique: () => [],
    refersTo: ({ grantId, orgId }) => [["grants", within(orgId, grantId)]]
  },
  offerings: {
    key: keyOf,
    groups: ({ deletedAt, orgId }) => deletedAt === null ? [`org ${orgId}`] : [],
    unique: () => [],
    refersTo: ({ orgId }) => [["orgs", orgId]]
  },
  sessions: {
    key: keyOf,
    groups: ({ offeringId, orgId }) => [`org ${orgId}`, `offering ${within(orgId, offeringId)}`],
    unique: () => [],
    refersTo: ({ offeringId, orgId }) => [["offerings", within(orgId, offeringId)]]
  },
  customers: {
    key: keyOf,
    groups: ({ orgId }) => [`org ${orgId}`],
    unique: ({ email, erasedAt, orgId }) => erasedAt === null ? [`email ${within(orgId, email)}`] : [],
    refersTo: ({ orgId }) => [["orgs", orgId]]
  },
  bookings: {
    key: keyOf,
    groups: ({ customerId, offeringId, orgId, price, sessionId, status, unproven }) => [
      `org ${orgId}`,
      `customer ${within(orgId, customerId)}`,
      ...[price?.terms.discount ?? []].flat().map(({ id }) => `discount ${within(orgId, id)}`),
      // Canceled bookings occupy no place, so queries for occupied places skip them.
      ...(status === "cancelled" ? [] : [`offering ${within(orgId, offeringId)}`]),
      ...(status === "cancelled" || sessionId === null ? [] : [`session ${within(orgId, sessionId)}`]),
      ...(status === "held" ? ["held"] : []),
      ...(typeof unproven?.network !== "string" ? [] : [`network ${within(orgId, unproven.network)}`, "networks"])
    ],
    unique: ({ checkInToken, handle, idempotency, orgId, reference }) => [
      `reference ${within(orgId, reference)}`,
      `made with ${within(orgId, idempotency.key)}`,
      `handle ${handle}`,
      `check-in token ${checkInToken}`
    ],
    refersTo: ({ customerId, offeringId, orgId, sessionId }) => [
      ["offerings", within(orgId, offeringId)],
      ["customers", within(orgId, customerId)],
      ...(sessionId === null ? [] : [["sessions", within(orgId, sessionId)] as const])
    ]
  },
  broadcasts: {
    key: keyOf,
    groups: () => [],
    unique: ({ key, orgId }) => [`key ${within(orgId, key)}`],
    refersTo: ({ orgId }) => [["orgs", orgId]]
  },
  conversations: {
    key: keyOf,
    groups: ({ orgId }) => [`org ${orgId}`],
    unique: ({ customerId, fromEmail, orgId, token }) => [
      `token ${token}`,
      ...(customerId === null ? [] : [`customer ${within(orgId, customerId)}`]),
      ...(fromEmail === null || fromEmail === "" ? [] : [`email ${within(orgId, fromEmail)}`])
    ],
    refersTo: ({ customerId, orgId }) => [
      ["orgs", orgId],
      ...(customerId === null ? [] : [["customers", within(orgId, customerId)] as const])
    ]
  },
  messages: {
    key: keyOf,
    groups: ({ conversationId, orgId }) => [`org ${orgId}`, `conversation ${within(orgId, conversationId)}`],
    unique: ({ bounceToken, broadcastId, customerId, mailKey, orgId }) => [
      ...(mailKey === null ? [] : [`mail ${within(orgId, mailKey)}`]),
      ...(bounceToken === null ? [] : [`bounce ${bounceToken}`]),
      ...(broadcastId === null ? [] : [`broadcast ${within(orgId, `${broadcastId} ${customerId}`)}`])
    ],
    refersTo: ({ bookingId, conversationId, customerId, orgId }) => [
      ["conversations", within(orgId, conversationId)],
      ...(bookingId === null ? [] : [["bookings", within(orgId, bookingId)] as const]),
      ...(customerId === null ? [] : [["customers", within(orgId, customerId)] as const])
    ]
  },
  closures: {
    key: keyOf,
    groups: ({ orgId }) => [`org ${orgId}`],
    unique: () => [],
    refersTo: ({ offeringId, orgId }) => [
      ["orgs", orgId],
      ...(offeringId === null ? [] : [["offerings", within(orgId, offeringId)] as const])
    ]
  },
  discounts: {
    key: keyOf,
    groups: ({ orgId }) => [`org ${orgId}`],
    unique: ({ code, orgId }) => [`code ${within(orgId, code)}`],
    refersTo: ({ orgId }) => [["orgs", orgId]]
  },
  savedReplies: {
    key: keyOf,
    groups: ({ orgId }) => [`org ${orgId}`],
    unique: () => [],
    refersTo: ({ orgId }) => [["orgs", orgId]]
  },
  drafts: {
    key: keyOf,
    groups: ({ orgId }) => [`org ${orgId}`],
    unique: () => [],
    refersTo: ({ orgId }) => [["orgs", orgId]]
  },
  payments: {
    key: keyOf,
    groups: (payment) => [
      `booking ${within(payment.orgId, payment.bookingId)}`,
      ...intentOf(payment).map((intent) => `intent ${intent}`)
    ],
    unique: (payment) => [
      `attempt ${within(payment.orgId, payment.bookingId)} ${payment.attempt}`,
      ...intentOf(payment).map((intent) => `intent ${intent}`)
    ],
    refersTo: ({ bookingId, orgId }) => [["bookings", within(orgId, bookingId)]]
  },
  paymentConnections: {
    key: keyOf,
    groups: ({ orgId }) => [`org ${orgId}`, "all"],
    unique: ({ disconnectedAt, id, orgId }) => [`id ${id}`, ...(disconnectedAt === null ? [`connected ${orgId}`] : [])],
    refersTo: ({ orgId }) => [["orgs", orgId]]
  },
  ledger: {
    key: keyOf,
    groups: ({ bookingId, orgId }) => [`org ${orgId}`, `booking ${within(orgId, bookingId)}`],
    unique: () => [],
    refersTo: ({ bookingId, orgId }) => [["bookings", within(orgId, bookingId)]]
  },
  files: {
    key: keyOf,
    groups: ({ messageId, orgId }) => [messageId === null ? "unused" : `message ${within(orgId, messageId)}`],
    unique: () => [],
    refersTo: ({ orgId }) => [["orgs", orgId]]
  },
  events: {
    key: ({ id, orgId }) => within(orgId, id),
    groups: ({ orgId, person }) => [
      `org ${orgId}`,
      ...(person === null ? [] : [`about ${within(orgId, person)}`])
    ],
    unique: () => [],
    refersTo: ({ orgId }) => [["orgs", orgId]]
  },
  touches: {
    key: ({ orgId }) => orgId,
    groups: () => [],
    unique: () => [],
    refersTo: ({ orgId }) => [["orgs", orgId]]
  },
  tasks: {
    key: keyOf,
    groups: ({ attempts, givenUpAt, queue }) => [
      ...(givenUpAt === null ? [`due in ${queue}`] : []),
      ...(givenUpAt !== null || attempts > 0 ? ["failed"] : [])
    ],
    unique: () => [],
    refersTo: ({ orgId }) => [["orgs", orgId]]
  },
  automations: {
    key: ({ automation, orgId }) => within(orgId, automation),
    groups: ({ nextAt, orgId }) => [`org ${orgId}`, ...(nextAt === null ? [] : ["due"])],
    unique: () => [],
    refersTo: ({ orgId }) => [["orgs", orgId]]
  },
  proposals: {
    key: keyOf,
    groups: ({ orgId, runAt, status }) => [
      `org ${orgId}`,
      ...(runAt === null ? [] : ["due"]),
      ...(status === "pending" && runAt === null ? ["waiting"] : [])
    ],
    unique: (row) => [proposalKey(row)],
    refersTo: ({ orgId }) => [["orgs", orgId]]
  },
  endpoints: {
    key: keyOf,
    groups: ({ orgId }) => ["all", `org ${orgId}`],
    unique: ({ id }) => [`id ${id}`],
    refersTo: ({ orgId }) => [["orgs", orgId]]
  },
  subscriptions: {
    key: ({ name, orgId }) => within(orgId, name),
    groups: () => [],
    unique: () => [],
    refersTo: ({ orgId }) => [["orgs", orgId]]
  },
  requests: {
    key: requestKey,
    groups: () => [],
    unique: () => [],
    refersTo: ({ orgId }) => [["orgs", orgId]]
  },
  unfinished: {
    key: unfinishedKey,
    groups: () => ["all"],
    unique: () => [],
    refersTo: ({ orgId }) => [["orgs", orgId]]
  }
}

/** Ordered so that each table comes after the tables that it references. */
export const names: ReadonlyArray<Name> = [
  "orgs",
  "apiKeys",
  "staff",
  "signInLinks",
  "logins",
  "passkeys",
  "challenges",
  "audit",
  "assistantCalls",
  "applications",
  "grants",
  "grantCodes",
  "grantTokens",
  "offerings",
  "closures",
  "discounts",
  "sessions",
  "customers",
  "bookings",
  "broadcasts",
  "conversations",
  "messages",
  "savedReplies",
  "drafts",
  "payments",
  "ledger",
  "paymentConnections",
  "files",
  "events",
  "touches",
  "tasks",
  "automations",
  "proposals",
  "endpoints",
  "subscriptions",
  "requests",
  "unfinished"
]
