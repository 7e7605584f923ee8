/**
 * All tables as one immutable value, with the same unique and ordered indexes as a database. Keys start with the org's
 * ID.
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
import { type Closure, type DiscountCode, type OrgKey, toClosurePosition } from "@trailbook/core/offering"
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
import * as Table from "./Table.ts"

/** Returns the key of an org's row or index group. */
export const toOrgKey = (orgId: string, id: string): string => `${orgId} ${id}`

/** The index group for indexes that span all orgs. */
export const allOrgsGroup = "every org"

export interface QueuedTask extends Task, Lease {}

export interface QueuedAutomation extends Automation, Lease {}

export interface QueuedProposal extends Proposal, Lease {}

/** A webhook with its cursor in the org's event log. */
export interface WebhookEndpoint extends Lease {
  readonly webhook: Webhook
  readonly cursor: number
  /**
   * The ID of the org's newest event when the endpoint stopped, and the time of the next attempt. Both are null if the
   * endpoint is not stopped.
   */
  readonly stoppedAt: number | null
  readonly retryAt: number | null
}

/** A subscription with its cursor in the org's event log. */
export interface Subscription extends SubscriptionKey, Lease {
  readonly cursor: number
  /** The time at which a failed run is retried, or null if the last run did not fail. */
  readonly retryAt: number | null
  readonly failures: number
}

/** How many of an org's changes did not emit an event. */
export interface ChangeCount {
  readonly orgId: string
  readonly times: number
}

export interface DraftRequest extends OrgKey {
  readonly at: Instant
}

export const toRequestKey = ({ key, operation, orgId }: RequestKey): string => `${orgId} ${operation} ${key}`

export const toResumableJobKey = ({ id, orgId, subject }: ResumableJobKey): string => `${orgId} ${subject} ${id}`

/** Returns the key that identifies duplicate proposals. */
export const toProposalKey = ({ automation, day, orgId, subject }: Proposal): string =>
  `${orgId} ${automation} ${day} ${subject}`

const keyOf = ({ id, orgId }: OrgKey): string => toOrgKey(orgId, id)

const created = {
  group: ({ orgId }: OrgKey) => orgId,
  position: ({ createdAt: at, id }: { readonly createdAt: number; readonly id: string }) => ({ at, id })
}

const start = {
  group: ({ orgId }: OrgKey) => orgId,
  position: ({ id, startsAt: at }: { readonly startsAt: number; readonly id: string }) => ({ at, id })
}

/** Orders rows by creation time, then by digest. */
const issueOrder = {
  position: ({ createdAt: at, digest: id }: { readonly createdAt: number; readonly digest: string }) => ({ at, id })
}

const ofGrant = {
  ...issueOrder,
  group: ({ grantId, orgId }: Pick<AuthorizationCode, "grantId" | "orgId">) => toOrgKey(orgId, grantId)
}

export const empty = {
  orgs: Table.empty<Org>()({
    rowName: "org",
    key: ({ id }) => id,
    unique: { slug: ({ slug }) => slug },
    ordered: { created: { ...created, group: () => allOrgsGroup } }
  }),
  apiKeys: Table.empty<ApiKey>()({
    rowName: "API key",
    key: ({ id }) => id,
    ordered: { created }
  }),
  staff: Table.empty<StaffMember>()({
    rowName: "staff member",
    key: keyOf,
    unique: { "e-mail": ({ email, orgId }) => toOrgKey(orgId, email) },
    ordered: {
      created,
      email: { group: ({ email }) => email, position: ({ orgId }) => ({ at: 0, id: orgId }) }
    }
  }),
  signInLinks: Table.empty<SignInLink>()({
    rowName: "sign-in link",
    key: ({ digest }) => digest,
    ordered: { ofPerson: { ...issueOrder, group: ({ orgId, staffId }) => toOrgKey(orgId, staffId) } }
  }),
  logins: Table.empty<StaffSession>()({
    rowName: "login",
    key: keyOf,
    unique: { digest: ({ digest }) => digest },
    ordered: { created }
  }),
  passkeys: Table.empty<Passkey>()({
    rowName: "passkey",
    key: keyOf,
    unique: { id: ({ id }) => id },
    ordered: { created }
  }),
  challenges: Table.empty<PasskeyChallenge>()({
    rowName: "challenge",
    key: ({ digest }) => digest,
    ordered: { over: { group: () => allOrgsGroup, position: ({ digest: id, expiresAt: at }) => ({ at, id }) } }
  }),
  audit: Table.empty<AuditEntry>()({
    rowName: "audit entry",
    key: keyOf,
    ordered: { at: { group: ({ orgId }) => orgId, position: ({ at, id }) => ({ at, id }) } }
  }),
  assistantCalls: Table.empty<AssistantCall>()({
    rowName: "assistant call",
    key: keyOf,
    ordered: {
      at: { group: ({ orgId }) => orgId, position: ({ at, id }) => ({ at, id }) },
      over: { group: () => allOrgsGroup, position: (call) => ({ at: call.at, id: keyOf(call) }) }
    }
  }),
  applications: Table.empty<OAuthClient>()({
    rowName: "application",
    key: ({ clientId }) => clientId,
    ordered: { read: { group: () => allOrgsGroup, position: ({ clientId: id, readAt: at }) => ({ at, id }) } }
  }),
  grants: Table.empty<Grant>()({
    rowName: "grant",
    key: keyOf,
    ordered: {
      created,
      ofClient: { group: ({ clientId }) => clientId, position: (grant) => ({ at: 0, id: keyOf(grant) }) }
    }
  }),
  grantCodes: Table.empty<AuthorizationCode>()({
    rowName: "code",
    key: ({ digest }) => digest,
    ordered: { ofGrant }
  }),
  grantTokens: Table.empty<GrantToken>()({
    rowName: "token",
    key: ({ digest }) => digest,
    ordered: { ofGrant }
  }),
  offerings: Table.empty<Offering>()({
    rowName: "offering",
    key: keyOf,
    ordered: { created: { ...created, group: ({ deletedAt, orgId }) => deletedAt === null ? orgId : undefined } }
  }),
  closures: Table.empty<Closure>()({
    rowName: "closure",
    key: keyOf,
    ordered: { fromDate: { group: ({ orgId }) => orgId, position: toClosurePosition } }
  }),
  discounts: Table.empty<DiscountCode>()({
    rowName: "discount code",
    key: keyOf,
    unique: { code: ({ code, orgId }) => toOrgKey(orgId, code) },
    ordered: { created }
  }),
  sessions: Table.empty<Session>()({
    rowName: "session",
    key: keyOf,
    ordered: { start, inOffering: { ...start, group: ({ offeringId, orgId }) => toOrgKey(orgId, offeringId) } }
  }),
  customers: Table.empty<Customer>()({
    rowName: "customer",
    key: keyOf,
    unique: { "e-mail": ({ email, erasedAt, orgId }) => erasedAt === null ? toOrgKey(orgId, email) : undefined },
    ordered: { created }
  }),
  bookings: Table.empty<Booking>()({
    rowName: "booking",
    key: keyOf,
    unique: {
      reference: ({ orgId, reference }) => toOrgKey(orgId, reference),
      handle: ({ handle }) => handle,
      "check-in token": ({ checkInToken }) => checkInToken,
      "idempotency key": ({ idempotency, orgId }) => toOrgKey(orgId, idempotency.key)
    },
    ordered: {
      start,
      created,
      ofCustomer: { ...start, group: ({ customerId, orgId }) => toOrgKey(orgId, customerId) },
      ofDiscount: {
        ...start,
        group: ({ orgId, price }) => {
          const discount = price?.terms.discount ?? null
          return discount === null ? undefined : toOrgKey(orgId, discount.id)
        }
      },
      // Canceled bookings occupy no place, so the place indexes exclude them.
      inOffering: {
        ...start,
        group: ({ offeringId, orgId, status }) => status === "cancelled" ? undefined : toOrgKey(orgId, offeringId)
      },
      inSession: {
        ...start,
        group: ({ orgId, sessionId, status }) =>
          status === "cancelled" || sessionId === null ? undefined : toOrgKey(orgId, sessionId)
      },
      expiry: {
        group: ({ status }) => status === "held" ? allOrgsGroup : undefined,
        position: (booking) => ({ at: booking.status === "held" ? booking.expiresAt : 0, id: keyOf(booking) })
      },
      confirmed: { ...created, group: ({ orgId, status }) => status === "confirmed" ? orgId : undefined },
      ofNetwork: {
        ...created,
        group: ({ orgId, unproven }) =>
          unproven === null || unproven.network === null ? undefined : toOrgKey(orgId, unproven.network)
      },
      networks: {
        group: ({ unproven }) => unproven === null || unproven.network === null ? undefined : allOrgsGroup,
        position: (booking) => ({ at: booking.createdAt, id: keyOf(booking) })
      }
    }
  }),
  payments: Table.empty<Payment>()({
    rowName: "payment",
    key: keyOf,
    unique: {
      attempt: ({ attempt, bookingId, orgId }) => `${orgId} ${bookingId} ${attempt}`,
      intent: (payment) =>
        payment.status === "paid" && payment.connection !== null ? `${payment.provider} ${payment.intent}` : undefined
    },
    ordered: {
      ofBooking: {
        group: ({ bookingId, orgId }) => toOrgKey(orgId, bookingId),
        position: ({ attempt: at, id }) => ({ at, id })
      }
    }
  }),
  ledger: Table.empty<LedgerEntry>()({
    rowName: "ledger entry",
    key: keyOf,
    ordered: {
      created,
      done: {
        group: ({ orgId, status }) => status === "done" ? orgId : undefined,
        position: ({ doneAt, id }) => ({ at: doneAt ?? 0, id })
      },
      ofBooking: { ...created, group: ({ bookingId, orgId }) => toOrgKey(orgId, bookingId) }
    }
  }),
  paymentConnections: Table.empty<PaymentConnection>()({
    rowName: "payment connection",
    key: keyOf,
    unique: {
      id: ({ id }) => id,
      connected: ({ disconnectedAt, orgId }) => disconnectedAt === null ? orgId : undefined
    },
    ordered: {
      connected: { group: ({ orgId }) => orgId, position: ({ connectedAt: at, id }) => ({ at, id }) },
      looked: { group: () => allOrgsGroup, position: ({ id, lookedAt: at }) => ({ at, id }) },
      id: { group: () => allOrgsGroup, position: ({ id }) => ({ at: 0, id }) }
    }
  }),
  events: Table.empty<StoredEvent>()({
    rowName: "event",
    key: ({ id, orgId }) => toOrgKey(orgId, String(id)),
    ordered: {
      id: { group: ({ orgId }) => orgId, position: ({ id }) => ({ at: id, id: "" }) },
      person: {
        group: ({ orgId, person }) => person === null ? undefined : toOrgKey(orgId, person),
        position: ({ id }) => ({ at: id, id: "" })
      }
    }
  }),
  touches: Table.empty<ChangeCount>()({
    rowName: "count of changes",
    key: ({ orgId }) => orgId
  }),
  files: Table.empty<StoredFile>()({
    rowName: "file",
    key: keyOf,
    ordered: {
      ofMessage: {
        group: ({ messageId, orgId }) => messageId === null ? undefined : toOrgKey(orgId, messageId),
        position: ({ id, position: at }) => ({ at, id })
      },
      unused: {
        group: ({ messageId }) => messageId === null ? allOrgsGroup : undefined,
        position: (file) => ({ at: file.createdAt, id: keyOf(file) })
      }
    }
  }),
  tasks: Table.empty<QueuedTask>()({
    rowName: "task",
    key: keyOf,
    ordered: {
      due: {
        group: ({ givenUpAt, queue }) => givenUpAt === null ? queue : undefined,
        position: ({ dueAt: at, ...key }) => ({ at, id: keyOf(key) })
      },
      failed: {
        group: ({ attempts, givenUpAt }) => attempts > 0 || givenUpAt !== null ? allOrgsGroup : undefined,
        position: (task) => ({ at: 0, id: keyOf(task) })
      }
    }
  }),
  requests: Table.empty<ExecutedRequest>()({
    rowName: "request",
    key: toRequestKey
  }),
  unfinished: Table.empty<ResumableJob>()({
    rowName: "unfinished work",
    key: toResumableJobKey,
    ordered: {
      touched: { group: () => allOrgsGroup, position: (row) => ({ at: row.touchedAt, id: toResumableJobKey(row) }) }
    }
  }),
  conversations: Table.empty<Conversation>()({
    rowName: "conversation",
    key: keyOf,
    unique: {
      token: ({ token }) => token,
      customer: ({ customerId, orgId }) => customerId === null ? undefined : toOrgKey(orgId, customerId),
      "e-mail": ({ fromEmail, orgId }) =>
        fromEmail === null || fromEmail === "" ? undefined : toOrgKey(orgId, fromEmail)
    },
    ordered: { created }
  }),
  messages: Table.empty<Message>()({
    rowName: "message",
    key: keyOf,
    unique: {
      "mail key": ({ mailKey, orgId }) => mailKey === null ? undefined : toOrgKey(orgId, mailKey),
      "bounce token": ({ bounceToken }) => bounceToken ?? undefined,
      broadcast: ({ broadcastId, customerId, orgId }) =>
        broadcastId === null ? undefined : `${orgId} ${broadcastId} ${customerId}`
    },
    ordered: {
      created,
      inConversation: { ...created, group: ({ conversationId, orgId }) => toOrgKey(orgId, conversationId) }
    }
  }),
  broadcasts: Table.empty<Broadcast>()({
    rowName: "broadcast",
    key: keyOf,
    unique: { key: ({ key, orgId }) => toOrgKey(orgId, key) }
  }),
  savedReplies: Table.empty<SavedReply>()({
    rowName: "saved reply",
    key: keyOf,
    ordered: { created }
  }),
  drafts: Table.empty<DraftRequest>()({
    rowName: "draft",
    key: keyOf,
    ordered: { asked: { group: ({ orgId }) => orgId, position: ({ at, id }) => ({ at, id }) } }
  }),
  automations: Table.empty<QueuedAutomation>()({
    rowName: "automation",
    key: ({ automation, orgId }) => toOrgKey(orgId, automation),
    ordered: {
      ofOrg: { group: ({ orgId }) => orgId, position: ({ automation }) => ({ at: 0, id: automation }) },
      due: {
        group: ({ nextAt }) => nextAt === null ? undefined : allOrgsGroup,
        position: ({ automation, nextAt, orgId }) => ({ at: nextAt ?? 0, id: toOrgKey(orgId, automation) })
      }
    }
  }),
  proposals: Table.empty<QueuedProposal>()({
    rowName: "proposal",
    key: keyOf,
    unique: { subject: toProposalKey },
    ordered: {
      created,
      due: {
        group: ({ runAt }) => runAt === null ? undefined : allOrgsGroup,
        position: ({ runAt, ...key }) => ({ at: runAt ?? 0, id: keyOf(key) })
      },
      own: {
        group: ({ decidedAt, decidedBy, orgId }) => decidedBy === "agent" && decidedAt !== null ? orgId : undefined,
        position: ({ decidedAt, id }) => ({ at: decidedAt ?? 0, id })
      },
      state: { group: ({ orgId, status }) => toOrgKey(orgId, status), position: created.position },
      waiting: {
        group: ({ runAt, status }) => status === "pending" && runAt === null ? allOrgsGroup : undefined,
        position: ({ expiresAt: at, ...key }) => ({ at, id: keyOf(key) })
      }
    }
  }),
  endpoints: Table.empty<WebhookEndpoint>()({
    rowName: "webhook",
    key: ({ webhook }) => keyOf(webhook),
    unique: { id: ({ webhook }) => webhook.id },
    ordered: {
      created: { group: ({ webhook }) => webhook.orgId, position: ({ webhook }) => created.position(webhook) },
      id: { group: () => allOrgsGroup, position: ({ webhook: { id } }) => ({ at: 0, id }) }
    }
  }),
  subscriptions: Table.empty<Subscription>()({
    rowName: "subscription",
    key: ({ name, orgId }) => toOrgKey(orgId, name)
  })
}

export type Tables = typeof empty

/** Returns the rows with these keys, without duplicates. */
export const findRows = <Row>(table: Pick<Table.Table<Row>, "rows">, keys: ReadonlyArray<OrgKey>): ReadonlyArray<Row> =>
  [...new Set(keys.map(keyOf))].map((key) => Table.get(table, key)).filter((row) => row !== undefined)

/** Returns the row that a reference points to. Throws a `Table.ConstraintViolation` if the row does not exist. */
export const requireRow = <Row>(table: Pick<Table.Table<Row>, "rows" | "shape">, key: string): Row => {
  const row = Table.get(table, key)
  if (row === undefined) {
    throw new Table.ConstraintViolation(`The referenced ${table.shape.rowName} ${key} does not exist.`)
  }
  return row
}

/** Puts rows after checking that their orgs exist. */
export const putOrgRows = <Row extends { readonly orgId: string }, Unique extends string, Ordered extends string>(
  { orgs }: Pick<Tables, "orgs">,
  table: Table.Table<Row, Unique, Ordered>,
  rows: ReadonlyArray<Row>
): Table.Table<Row, Unique, Ordered> => {
  for (const { orgId } of rows) requireRow(orgs, orgId)
  return rows.reduce(Table.put, table)
}
